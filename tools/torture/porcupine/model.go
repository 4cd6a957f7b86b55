package main

import (
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/anishathalye/porcupine"
)

// shop is the state of a shelf between two requests. It is immutable.
type shop struct {
	// The stock of each toy.
	stock []int64
	// The highest order number so far; -1: none.
	last int64
	// The response to each key.
	keys []answer
}

// answer is the first decision for a key.
type answer struct {
	// The request; 0: none yet.
	body int
	said string
	// The order number, or the remaining stock; -1: no client received it.
	number int64
}

// Model is the sequential specification: requests take effect one after the other.
func (shelf *Shelf) Model() porcupine.Model {
	return porcupine.Model{
		Init: func() any {
			begin := shop{last: -1, keys: make([]answer, len(shelf.keys))}
			for _, line := range shelf.Start {
				begin.stock = append(begin.stock, line.Quantity)
			}
			return begin
		},
		Step: func(state, input, _ any) (bool, any) {
			return shelf.step(state.(shop), input.(Event))
		},
		Equal: func(a, b any) bool { return a.(shop).equal(b.(shop)) },
		Hash:  func(state any) uint64 { return state.(shop).hash() },
		DescribeOperation: func(input, _ any) string {
			event := input.(Event)
			return fmt.Sprintf("%s %v %s: %s %d %s %d", event.Op, event.Lines, event.Key, event.Said, event.Number, event.Toy, event.Left)
		},
		DescribeState: func(state any) string {
			return fmt.Sprintf("stock %v, last %d", state.(shop).stock, state.(shop).last)
		},
	}
}

func (shelf *Shelf) step(before shop, event Event) (bool, shop) {
	if event.Op == "look" {
		return event.Left == before.stock[shelf.toy(event.Lines[0].Toy)], before
	}
	if event.Key != "" {
		if first := before.keys[shelf.keys[event.Key]]; first.body != 0 {
			return shelf.repeats(first, event), before
		}
	}
	if event.Op == "restock" {
		return shelf.restock(before, event)
	}
	for _, line := range event.Lines {
		if left := before.stock[shelf.toy(line.Toy)]; left < line.Quantity {
			return shelf.refuse(before, event, line.Toy, left)
		}
	}
	return shelf.sell(before, event)
}

// repeats returns whether this is a valid response to a request whose key was decided before.
func (shelf *Shelf) repeats(first answer, event Event) bool {
	if event.Said == "unknown" {
		return true
	}
	if first.body != shelf.bodies[event.body()] {
		return event.Said == "other"
	}
	return event.Said == first.said && event.number() == first.number && event.Replayed
}

func (shelf *Shelf) restock(before shop, event Event) (bool, shop) {
	toy := shelf.toy(event.Lines[0].Toy)
	after := before.copy()
	after.stock[toy] += event.Lines[0].Quantity
	if event.Said != "unknown" && (event.Said != "has" || event.Left != after.stock[toy]) {
		return false, before
	}
	shelf.keep(after, event, answer{said: "has", number: after.stock[toy]})
	return true, after
}

func (shelf *Shelf) refuse(before shop, event Event, toy string, left int64) (bool, shop) {
	if event.Said != "unknown" && (event.Said != "refused" || event.Toy != toy || event.Left != left) {
		return false, before
	}
	if !event.Own {
		return true, before
	}
	after := before.copy()
	shelf.keep(after, event, answer{said: "refused", number: left})
	return true, after
}

func (shelf *Shelf) sell(before shop, event Event) (bool, shop) {
	number := int64(-1)
	if event.Said == "sold" {
		number = event.Number
	} else if event.Said != "unknown" {
		return false, before
	}
	// numbers are assigned in the order of the sales
	if number != -1 && number <= before.last {
		return false, before
	}
	after := before.copy()
	for _, line := range event.Lines {
		after.stock[shelf.toy(line.Toy)] -= line.Quantity
	}
	after.last = max(after.last, number)
	shelf.keep(after, event, answer{said: "sold", number: number})
	return true, after
}

func (shelf *Shelf) keep(after shop, event Event, said answer) {
	if event.Key != "" {
		said.body = shelf.bodies[event.body()]
		after.keys[shelf.keys[event.Key]] = said
	}
}

// number returns the value that distinguishes responses of the same kind.
func (event Event) number() int64 {
	if event.Said == "sold" {
		return event.Number
	}
	return event.Left
}

func (of shop) copy() shop {
	return shop{stock: slices.Clone(of.stock), last: of.last, keys: slices.Clone(of.keys)}
}

func (of shop) equal(other shop) bool {
	return of.last == other.last && slices.Equal(of.stock, other.stock) && slices.Equal(of.keys, other.keys)
}

var seed = maphash.MakeSeed()

func (of shop) hash() uint64 {
	var all maphash.Hash
	all.SetSeed(seed)
	for _, units := range of.stock {
		maphash.WriteComparable(&all, units)
	}
	maphash.WriteComparable(&all, of.last)
	for _, key := range of.keys {
		maphash.WriteComparable(&all, key)
	}
	return all.Sum64()
}
