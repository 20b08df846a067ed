// Package bitset is a set of rows: the mask that a filter narrows.
//
// A Set holds numbers from 0 to Len()-1, one bit each, 64 to a word, so that a
// rule which is a mask itself narrows 64 rows with one instruction:
//
//	row     63 .. 2 1 0
//	word 0   0 .. 1 0 1   rows 0 and 2
//	word 1   . .. . 0 1   row 64; Len is 66, and bits from Len on are 0
//
// That the bits from Len on are 0 is what makes Count, Equal and Empty plain
// loops over words. Every method keeps it; who writes through Words keeps it too.
//
// The length is the table's, not the largest member's: sets that are combined
// have one length. A Set has one owner and is not safe for use by several
// goroutines. No method but Resize, CopyFrom, AppendTo and String allocates, and
// of those the first three only when their room runs out.
package bitset
