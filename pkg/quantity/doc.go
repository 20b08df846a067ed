// Package quantity is int64 arithmetic for resource sums that saturates instead
// of wrapping.
//
// A quantity written in a manifest may be as large as an int64 can hold, and a
// node may be given several of them. A sum that wrapped would turn negative and
// make a full node look empty; a sum that saturates stays at "more than anybody
// has", which no pod fits into. Each function returns the exact result wherever
// an int64 can hold it, and the nearest int64 elsewhere.
//
// A saturated sum has forgotten its terms: taking one of them out again does not
// give the earlier sum. Who adds and removes recounts when a sum has been at Max.
package quantity
