// Package intern turns keys into small dense numbers, so that the rules compare
// an int32 where the API compares strings, and side arrays replace maps.
//
// A Table numbers keys that stay: 0, 1, 2 in the order of arrival. A Pool counts
// who uses a key and hands the number of an unused one to the next key, so that
// side arrays stay as long as the most keys that were ever in use together:
//
//	Acquire("zone-a")  0      Release(0)         -> 0 is free
//	Acquire("zone-b")  1      Acquire("zone-c")  0
//
// A number from a Pool means its key only while it is held. Who keeps one longer
// keeps the key. Neither type is safe for use by several goroutines.
package intern
