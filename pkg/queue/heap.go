package queue

import "container/heap"

// heapOf is a priority queue of items that know their index in it.
type heapOf struct {
	items []*Item
	less  func(a, b *Item) bool
}

func (h *heapOf) Len() int           { return len(h.items) }
func (h *heapOf) Less(i, k int) bool { return h.less(h.items[i], h.items[k]) }
func (h *heapOf) Swap(i, k int) {
	h.items[i], h.items[k] = h.items[k], h.items[i]
	h.items[i].index, h.items[k].index = i, k
}

// Push and Pop are for package heap.
func (h *heapOf) Push(x any) {
	it := x.(*Item)
	it.index = len(h.items)
	h.items = append(h.items, it)
}

// Pop removes the last item.
func (h *heapOf) Pop() any {
	last := len(h.items) - 1
	it := h.items[last]
	h.items[last] = nil
	h.items = h.items[:last]
	return it
}

func (h *heapOf) add(it *Item)    { heap.Push(h, it) }
func (h *heapOf) fix(it *Item)    { heap.Fix(h, it.index) }
func (h *heapOf) remove(it *Item) { heap.Remove(h, it.index) }
func (h *heapOf) first() *Item {
	if len(h.items) == 0 {
		return nil
	}
	return h.items[0]
}

// bag is an unordered set of items that know their index in it. Its order depends
// on what was added and removed, and on nothing else.
type bag []*Item

func (b *bag) add(it *Item) {
	it.index = len(*b)
	*b = append(*b, it)
}

func (b *bag) remove(it *Item) {
	last := len(*b) - 1
	moved := (*b)[last]
	(*b)[it.index], moved.index = moved, it.index
	(*b)[last] = nil
	*b = (*b)[:last]
}
