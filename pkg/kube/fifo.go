package kube

import "sync"

// fifo is a queue between goroutines. The zero value holds any number of items.
type fifo[T any] struct {
	limit int // items that may wait; 0 means any number

	mu     sync.Mutex // guards the fields below
	wake   sync.Cond
	items  []T
	closed bool
}

// put appends an item. It returns false when the queue is full or closed.
func (f *fifo[T]) put(item T) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || f.limit > 0 && len(f.items) >= f.limit {
		return false
	}
	f.items = append(f.items, item)
	f.cond().Signal()
	return true
}

// take removes the first item, waiting for one. It returns false once the queue is
// closed and empty.
func (f *fifo[T]) take() (item T, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.items) == 0 && !f.closed {
		f.cond().Wait()
	}
	if len(f.items) == 0 {
		return item, false
	}
	item = f.items[0]
	var none T
	f.items[0] = none // lets go of what it points to
	f.items = f.items[1:]
	return item, true
}

// drain removes and returns all items.
func (f *fifo[T]) drain() []T {
	f.mu.Lock()
	defer f.mu.Unlock()
	items := f.items
	f.items = nil
	return items
}

// close lets takers empty the queue and then stop.
func (f *fifo[T]) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.cond().Broadcast()
}

func (f *fifo[T]) cond() *sync.Cond {
	if f.wake.L == nil {
		f.wake.L = &f.mu
	}
	return &f.wake
}
