// Package podtopologyspread keeps pods that belong together spread over the domains of
// topology keys, such as zones: hard constraints keep a pod off domains that have too
// many of them already, soft ones prefer domains that have few.
//
// A pod's own constraints count. A pod without any gets the profile's default ones, and
// then those belong together that share its services and its controller.
//
// How many pods each domain has is in the cluster's counters, so that an attempt costs a
// look at each domain and at each row, whatever the number of pods:
//
//	hard  a table by domain says which are full: one pass over the rows
//	soft  a table by domain says what each is worth: one pass over the rows;
//	      a host is a row, whose own count says it
//
// A terminating pod does not count, and a constraint whose selector is empty counts nobody
// at all.
package podtopologyspread
