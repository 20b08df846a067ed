package bitset

import (
	"slices"
	"testing"
)

func TestCombine(t *testing.T) {
	f := func(name string, do func(s, o *Set), want string) {
		t.Helper()
		s, o := of(130, 1, 63, 64, 129), of(130, 0, 1, 64, 100)
		do(s, o)
		if got := s.String(); got != want {
			t.Errorf("%s gives %s, want %s", name, got, want)
		}
		if !o.Equal(of(130, 0, 1, 64, 100)) {
			t.Errorf("%s changed its operand to %v", name, o)
		}
	}
	f("And", (*Set).And, "{1 64}")
	f("AndNot", (*Set).AndNot, "{63 129}")
	f("Or", (*Set).Or, "{0 1 63 64 100 129}")
	f("CopyFrom", (*Set).CopyFrom, "{0 1 64 100}")
}

func TestCombineWithItself(t *testing.T) {
	f := func(name string, do func(s, o *Set), want string) {
		t.Helper()
		s := of(70, 1, 69)
		do(s, s)
		if got := s.String(); got != want {
			t.Errorf("%s with itself gives %s, want %s", name, got, want)
		}
	}
	f("And", (*Set).And, "{1 69}")
	f("AndNot", (*Set).AndNot, "{}")
	f("Or", (*Set).Or, "{1 69}")
	f("CopyFrom", (*Set).CopyFrom, "{1 69}")
}

func TestRemoveWhereATableSaysSo(t *testing.T) {
	numbers := make([]int32, 130)
	numbers[0], numbers[63], numbers[64], numbers[129] = 1, 1, 2, 1
	f := func(want string, remove ...bool) {
		t.Helper()
		s := of(130, 1, 63, 64, 129)
		if s.RemoveWhere(numbers, remove); s.String() != want {
			t.Errorf("%v leaves %v, want %s", remove, s, want)
		}
	}
	f("{1 64}", false, true, false)
	f("{63 64 129}", true, false, false)
	f("{}", true, true, true)
	f("{1 63 64 129}", false, false, false)
	new(Set).RemoveWhere(nil, nil)
}

func TestCopyFromTakesOverTheLength(t *testing.T) {
	f := func(from, to *Set) {
		t.Helper()
		to.CopyFrom(from)
		if !to.Equal(from) {
			t.Errorf("the copy is %v of length %d, want %v of length %d", to, to.Len(), from, from.Len())
		}
		to.Resize(200)
		to.Fill()
		if from.Count() == 200 {
			t.Error("the copy shares its words with the original")
		}
	}
	f(of(130, 5, 129), of(10, 9))
	f(of(10, 9), of(130, 5, 129))
	f(of(0), of(64, 1))
	f(of(64, 1), new(Set))
}

func TestEqualComparesLengthToo(t *testing.T) {
	f := func(a, b *Set, want bool) {
		t.Helper()
		if got := a.Equal(b); got != want {
			t.Errorf("%v of %d equal to %v of %d: %v, want %v", a, a.Len(), b, b.Len(), got, want)
		}
	}
	f(of(5, 1), of(5, 1), true)
	f(of(5, 1), of(5, 2), false)
	f(of(5, 1), of(6, 1), false) // as many words
	f(of(64), of(65), false)
	f(new(Set), of(0), true)
}

func TestTableSaysNothingWhateverWasInItsMemory(t *testing.T) {
	used := []bool{true, true, true}
	for n := range 5 {
		table := Table(used, n)
		if len(table) != n || slices.Contains(table, true) {
			t.Errorf("a table of %d is %v", n, table)
		}
	}
	if got := testing.AllocsPerRun(10, func() { used = Table(used, 3) }); got != 0 {
		t.Errorf("a table in memory that suffices allocates %v times, want 0", got)
	}
}
