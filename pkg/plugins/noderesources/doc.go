// Package noderesources holds the rules about a node's resources.
//
// Fit takes a node that has room for the pod's requests and for one more pod, and
// scores how its room would be used. Both walk columns: one pass over the rows for
// each resource that counts. Sums saturate, so a comparison can be trusted for any
// quantity, and scores stay in 0..100.
package noderesources
