package bitset

import (
	"testing"

	"github.com/berth-scheduler/berth/pkg/invariants"
)

// of returns the set of length n with the given members.
func of(n int, rows ...int32) *Set {
	var s Set
	s.Resize(n)
	for _, row := range rows {
		s.Add(row)
	}
	return &s
}

func TestZeroValueIsAnEmptySetOfNoRows(t *testing.T) {
	var s Set
	if s.Len() != 0 || s.Count() != 0 || !s.Empty() || s.Has(0) || s.Next(0) != -1 {
		t.Errorf("the zero value has length %d and members %v", s.Len(), &s)
	}
	s.Fill()
	if !s.Equal(of(0)) {
		t.Errorf("the zero value filled is %v, want {}", &s)
	}
}

func TestAddAndRemove(t *testing.T) {
	s := of(130, 0, 63, 64, 129)
	s.Add(63) // a second time changes nothing
	s.Remove(64)
	s.Remove(65) // was no member
	s.Put(0, false)
	s.Put(2, true)
	if got, want := s.String(), "{2 63 129}"; got != want {
		t.Errorf("members are %s, want %s", got, want)
	}
}

func TestHasIsFalseOutOfRange(t *testing.T) {
	s := of(70)
	s.Fill()
	f := func(row int32, want bool) {
		t.Helper()
		if got := s.Has(row); got != want {
			t.Errorf("Has(%d) = %v, want %v", row, got, want)
		}
	}
	f(-1, false)
	f(-1<<31, false)
	f(0, true)
	f(63, true)
	f(69, true)
	f(70, false) // in the last word, above Len
	f(128, false)
	f(1<<31-1, false)
}

func TestFillStopsAtLen(t *testing.T) {
	f := func(n int) {
		t.Helper()
		s := of(n)
		s.Fill()
		if got := s.Count(); got != n {
			t.Errorf("a full set of length %d has %d members", n, got)
		}
		if s.Empty() != (n == 0) {
			t.Errorf("a full set of length %d says Empty = %v", n, s.Empty())
		}
	}
	f(0)
	f(1)
	f(63)
	f(64)
	f(65)
	f(128)
}

func TestClearKeepsTheLength(t *testing.T) {
	s := of(65, 3, 64)
	s.Clear()
	if !s.Equal(of(65)) {
		t.Errorf("a cleared set has length %d and members %v, want 65 and {}", s.Len(), s)
	}
}

func TestResizeKeepsMembersBelowTheNewLength(t *testing.T) {
	f := func(n int, want string) {
		t.Helper()
		s := of(130, 0, 63, 64, 69, 129)
		s.Resize(n)
		if got := s.String(); got != want || s.Len() != n {
			t.Errorf("resized from 130 to %d: %s of length %d, want %s", n, got, s.Len(), want)
		}
	}
	f(0, "{}")
	f(64, "{0 63}")
	f(69, "{0 63 64}")
	f(70, "{0 63 64 69}")
	f(130, "{0 63 64 69 129}")
	f(1000, "{0 63 64 69 129}")
}

func TestResizeShowsNoMembersOfALongerPast(t *testing.T) {
	s := of(256)
	s.Fill()
	s.Resize(3)
	s.Resize(256) // within the old capacity, in the same word and in others
	if got, want := s.String(), "{0 1 2}"; got != want {
		t.Errorf("after shrinking and growing members are %s, want %s", got, want)
	}
}

func TestRowOutOfRangeIsABug(t *testing.T) {
	if !invariants.Enabled {
		t.Skip("this build checks no invariants")
	}
	f := func(name string, do func(s *Set)) {
		t.Helper()
		defer func() {
			if recover() == nil {
				t.Errorf("%s did not panic", name)
			}
		}()
		do(of(70))
	}
	f("Add(70)", func(s *Set) { s.Add(70) })
	f("Remove(70)", func(s *Set) { s.Remove(70) })
	f("Put(-1)", func(s *Set) { s.Put(-1, true) })
	f("Resize(-1)", func(s *Set) { s.Resize(-1) })
	f("And", func(s *Set) { s.And(of(71)) })
	f("AndNot", func(s *Set) { s.AndNot(of(71)) })
	f("Or", func(s *Set) { s.Or(of(71)) })
}
