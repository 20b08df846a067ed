package bitset

import (
	"slices"
	"testing"
)

func TestNext(t *testing.T) {
	s := of(300, 0, 5, 63, 64, 256)
	f := func(from, want int32) {
		t.Helper()
		if got := s.Next(from); got != want {
			t.Errorf("Next(%d) = %d, want %d", from, got, want)
		}
	}
	f(-7, 0)
	f(0, 0)
	f(1, 5)
	f(5, 5)
	f(6, 63)
	f(64, 64)
	f(65, 256) // over words without members
	f(257, -1)
	f(299, -1)
	f(300, -1)
	f(1<<31-1, -1)
}

func TestEveryWalkGivesTheMembersInOrder(t *testing.T) {
	f := func(n int, want ...int32) {
		t.Helper()
		s := of(n, want...)
		if got := slices.Collect(s.All()); !slices.Equal(got, want) {
			t.Errorf("All gives %v, want %v", got, want)
		}
		if got := s.AppendTo([]int32{-1}); !slices.Equal(got[1:], want) || got[0] != -1 {
			t.Errorf("AppendTo gives %v, want -1 and then %v", got, want)
		}
		var got []int32
		for row := s.Next(0); row >= 0; row = s.Next(row + 1) {
			got = append(got, row)
		}
		if !slices.Equal(got, want) {
			t.Errorf("Next gives %v, want %v", got, want)
		}
	}
	f(0)
	f(500)
	f(1, 0)
	f(130, 0, 1, 62, 63, 64, 128, 129)
}

func TestAllStopsWhenTold(t *testing.T) {
	var got []int32
	for row := range of(200, 3, 70, 150).All() {
		got = append(got, row)
		if row == 70 {
			break
		}
	}
	if want := []int32{3, 70}; !slices.Equal(got, want) {
		t.Errorf("a walk left at 70 gave %v, want %v", got, want)
	}
}

func TestAllAllowsRemovingTheRowInHand(t *testing.T) {
	s := of(200)
	s.Fill()
	for row := range s.All() {
		s.Put(row, row%2 == 0)
	}
	if got := s.Count(); got != 100 {
		t.Errorf("%d rows are left, want the 100 even ones", got)
	}
}

func TestString(t *testing.T) {
	f := func(s *Set, want string) {
		t.Helper()
		if got := s.String(); got != want {
			t.Errorf("String() = %q, want %q", got, want)
		}
	}
	f(new(Set), "{}")
	f(of(10, 1, 5, 9), "{1 5 9}")
	f(of(2000, 1999), "{1999}")
}
