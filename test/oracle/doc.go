// Package oracle asks upstream's kube-scheduler, as a library, and ours the same
// questions, and compares the answers.
//
// A Question is a small cluster, a pod, and some things that happen afterwards. An
// Answer says everything that can be seen of a decision about it:
//
//	gate       whether the pod may enter the queue, and who keeps it out
//	order      whether it goes before others that wait
//	nodes      for each node that is refused: the plugin, the code, the reasons
//	found      the nodes that an attempt chooses from
//	failure    the text that users read when there are none, and who rejected
//	scores     what each plugin gives each node that was found, and the best nodes
//	hints      what each plugin that rejected says to each event
//	woken      whether the event takes the parked pod out again, queue and all
//
// Upstream answers through its own Scheduler: the cluster goes into its cache, its
// SchedulePod decides, its FitError is printed, and its framework is asked node by
// node for the rest. Where the two ways meet they must agree. Our side answers
// through a chain on a cluster's columns, from trimmed objects as informers give
// them.
//
// Both run the default profile with those plugins that are built here. The list
// grows by itself: a guard that stands in for a missing plugin is recognised and
// left out, and so is its plugin on the other side. What a newly built plugin needs
// is a stratum in test/sim in which it decides, and its line in reasons.go.
//
// A difference is excused only by an entry of deviations.yaml, whose id names a
// predicate in deviations.go. Any other one shrinks to a few lines and is saved in
// testdata/diff, where a test asks it again for ever.
//
//	make oracle                                 20,000 questions and what they covered
//	go test -run TestQuestions -seed 4711       one question, told in full
//	make oracle-mutants                         planted faults, each of which must be found
package oracle
