package intern

import (
	"testing"

	"github.com/berth-scheduler/berth/pkg/invariants"
	"pgregory.net/rapid"
)

func TestTableNumbersInOrderOfArrival(t *testing.T) {
	var table Table[string]
	f := func(key string, want int32) {
		t.Helper()
		if got := table.ID(key); got != want {
			t.Errorf("ID(%q) = %d, want %d", key, got, want)
		}
		if id, ok := table.Lookup(key); id != want || !ok {
			t.Errorf("Lookup(%q) = %d, %v, want %d, true", key, id, ok, want)
		}
		if got := table.Value(want); got != key {
			t.Errorf("Value(%d) = %q, want %q", want, got, key)
		}
	}
	f("cpu", 0)
	f("memory", 1)
	f("cpu", 0)
	f("", 2) // an empty key is a key
	if table.Len() != 3 {
		t.Errorf("Len() = %d, want 3", table.Len())
	}
}

func TestLookupNumbersNothing(t *testing.T) {
	var table Table[string]
	var pool Pool[string]
	if _, ok := table.Lookup("cpu"); ok || table.Len() != 0 {
		t.Error("an empty table knows cpu")
	}
	if _, ok := pool.Lookup("cpu"); ok || pool.Len() != 0 || pool.Cap() != 0 {
		t.Error("an empty pool knows cpu")
	}
}

func TestPoolReusesTheNumberOfAKeyWithoutUsers(t *testing.T) {
	var pool Pool[string]
	acquire := func(key string, want int32) {
		t.Helper()
		if got := pool.Acquire(key); got != want {
			t.Errorf("Acquire(%q) = %d, want %d", key, got, want)
		}
	}
	acquire("a", 0)
	acquire("b", 1)
	acquire("a", 0)
	pool.Release(0)
	acquire("c", 2) // a still has a user
	pool.Release(0)
	pool.Release(2)
	acquire("d", 2) // last freed first
	acquire("a", 0)
	acquire("e", 3)
	if pool.Cap() != 4 || pool.Len() != 4 {
		t.Errorf("Cap() = %d and Len() = %d, want 4 and 4", pool.Cap(), pool.Len())
	}
}

func TestPoolForgetsAReleasedKey(t *testing.T) {
	var pool Pool[string]
	pool.Release(pool.Acquire("a"))
	if _, ok := pool.Lookup("a"); ok {
		t.Error("a released key still has a number")
	}
	if pool.Refs(0) != 0 || pool.Refs(-1) != 0 || pool.Refs(9) != 0 {
		t.Error("a number that is not held has users")
	}
	if pool.Len() != 0 || pool.Cap() != 1 {
		t.Errorf("Len() = %d and Cap() = %d, want 0 and 1", pool.Len(), pool.Cap())
	}
}

func TestNumberThatIsNotHeldIsABug(t *testing.T) {
	if !invariants.Enabled {
		t.Skip("this build checks no invariants")
	}
	f := func(name string, do func(p *Pool[string])) {
		t.Helper()
		defer func() {
			if recover() == nil {
				t.Errorf("%s did not panic", name)
			}
		}()
		var pool Pool[string]
		pool.Release(pool.Acquire("a"))
		do(&pool)
	}
	f("Release of a free number", func(p *Pool[string]) { p.Release(0) })
	f("Release of an unknown number", func(p *Pool[string]) { p.Release(1) })
	f("Value of a free number", func(p *Pool[string]) { p.Value(0) })
}

func TestPoolCountsLikeAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var pool Pool[string]
		users, ids, most := map[string]int32{}, map[string]int32{}, 0
		key := rapid.SampledFrom([]string{"a", "b", "c", "d", "e"})
		t.Repeat(map[string]func(*rapid.T){
			"acquire": func(t *rapid.T) {
				k := key.Draw(t, "key")
				ids[k] = pool.Acquire(k)
				users[k]++
				most = max(most, len(users))
			},
			"release": func(t *rapid.T) {
				k := key.Draw(t, "key")
				if users[k] == 0 {
					t.Skip("not in use")
				}
				pool.Release(ids[k])
				if users[k]--; users[k] == 0 {
					delete(users, k)
				}
			},
			"": func(t *rapid.T) {
				taken := map[int32]string{}
				for k, want := range users {
					id, ok := pool.Lookup(k)
					if !ok || id != ids[k] || pool.Refs(id) != want || pool.Value(id) != k || taken[id] != "" {
						t.Fatalf("%s has number %d (%v) with %d users, want %d with %d", k, id, ok, pool.Refs(id), ids[k], want)
					}
					taken[id] = k
				}
				if pool.Len() != len(users) || pool.Cap() != most {
					t.Fatalf("Len() = %d and Cap() = %d, want %d and %d", pool.Len(), pool.Cap(), len(users), most)
				}
			},
		})
	})
}

func TestKnownKeysAllocateNothing(t *testing.T) {
	var table Table[string]
	var pool Pool[string]
	table.ID("a")
	pool.Acquire("a")
	got := testing.AllocsPerRun(100, func() {
		id := table.ID("a")
		table.Lookup("b")
		table.Value(id)
		id = pool.Acquire("a")
		pool.Lookup("b")
		pool.Value(id)
		pool.Release(id)
		pool.Release(pool.Acquire("b")) // a new key finds its old place
	})
	if got != 0 {
		t.Errorf("looking up known keys allocates %v times, want 0", got)
	}
}
