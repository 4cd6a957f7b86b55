package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/anishathalye/porcupine"
)

// Event is one line of a history: an attempt of a client, or the initial state of a shelf.
type Event struct {
	Client int
	Shelf  string
	// Nanoseconds on one clock: before the first byte was sent, after the last byte was received.
	Call, Return int64
	// start (Lines are the shelf's toys), buy, look (at the one toy of Lines) or restock (the same).
	Op string
	// Requests with the same key are one request. Empty: the store chose a key that the client did not receive.
	Key string
	// Whether the client chose the key; refusals are stored only for such keys.
	Own   bool
	Lines []Line
	// The outcome:
	//	sold     a buy: Number
	//	refused  a buy: only Left of Toy, in stock
	//	has      a look or a restock: Left
	//	other    the key was used for another request
	//	unknown  no response, or one that says that the outcome is unknown
	Said     string
	Number   int64
	Toy      string
	Left     int64
	Replayed bool
}

// Line is a toy and its quantity in a request.
type Line struct {
	Toy      string
	Quantity int64
}

// Shelf is the history of toys that may be ordered together.
type Shelf struct {
	Name   string
	Start  []Line
	Events []Event
	keys   map[string]int
	bodies map[string]int
}

// Read parses a history.
func Read(from io.Reader) ([]*Shelf, error) {
	byName := map[string]*Shelf{}
	var shelves []*Shelf
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<20)
	for number := 1; lines.Scan(); number++ {
		decoder := json.NewDecoder(strings.NewReader(lines.Text()))
		decoder.DisallowUnknownFields()
		var event Event
		if err := decoder.Decode(&event); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		shelf := byName[event.Shelf]
		switch {
		case event.Op == "start" && shelf == nil:
			shelf = NewShelf(event.Shelf, event.Lines)
			byName[event.Shelf] = shelf
			shelves = append(shelves, shelf)
		case event.Op == "start" || shelf == nil:
			return nil, fmt.Errorf("line %d: shelf %q must have exactly one start event, before all others", number, event.Shelf)
		default:
			if err := shelf.Add(event); err != nil {
				return nil, fmt.Errorf("line %d: %w", number, err)
			}
		}
	}
	if lines.Err() == nil && len(shelves) == 0 {
		return nil, errors.New("no shelf")
	}
	return shelves, lines.Err()
}

// NewShelf returns a shelf with toys and an empty history.
func NewShelf(name string, start []Line) *Shelf {
	return &Shelf{Name: name, Start: start, keys: map[string]int{}, bodies: map[string]int{}}
}

// Add appends an event.
func (shelf *Shelf) Add(event Event) error {
	if !knows(event.Op, event.Said) {
		return fmt.Errorf("op %q cannot have outcome %q", event.Op, event.Said)
	}
	if len(event.Lines) == 0 || event.Op != "buy" && len(event.Lines) > 1 {
		return fmt.Errorf("op %q cannot have %d toys", event.Op, len(event.Lines))
	}
	for _, line := range event.Lines {
		if shelf.toy(line.Toy) < 0 {
			return fmt.Errorf("unknown toy %q on shelf %q", line.Toy, shelf.Name)
		}
	}
	if event.Key != "" {
		if _, seen := shelf.keys[event.Key]; !seen {
			shelf.keys[event.Key] = len(shelf.keys)
		}
	}
	if _, seen := shelf.bodies[event.body()]; !seen {
		shelf.bodies[event.body()] = len(shelf.bodies) + 1
	}
	shelf.Events = append(shelf.Events, event)
	return nil
}

func knows(op, said string) bool {
	switch said {
	case "unknown", "other":
		return op == "buy" || op == "restock"
	case "sold", "refused":
		return op == "buy"
	case "has":
		return op == "look" || op == "restock"
	}
	return false
}

func (event Event) body() string { return fmt.Sprint(event.Op, event.Lines) }

func (shelf *Shelf) toy(name string) int {
	for i, line := range shelf.Start {
		if line.Toy == name {
			return i
		}
	}
	return -1
}

// Operations returns the history in Porcupine's format. A request of unknown outcome may take effect
// at any time after it was sent; an effect after all other requests means never.
func (shelf *Shelf) Operations() []porcupine.Operation {
	var operations []porcupine.Operation
	add := func(events ...Event) {
		for _, event := range events {
			operations = append(operations, porcupine.Operation{
				ClientId: event.Client, Input: event, Call: event.Call, Return: event.Return,
			})
		}
	}
	byKey := map[string][]Event{}
	for _, event := range shelf.Events {
		switch {
		case event.Key != "":
			byKey[event.Key] = append(byKey[event.Key], event)
		case event.Said == "unknown":
			add(event.open())
		default:
			add(event)
		}
	}
	for _, events := range byKey {
		add(once(events)...)
	}
	return operations
}

// once leaves out of all requests with one key those of unknown outcome that say nothing. They take
// effect together once. Where one of them was answered as new, that one did. Where all answers are
// marked as repeats, one without an answer did, some time between the first call and the first
// answer. Where none was answered, each body may have taken effect since it was first sent.
func once(events []Event) []Event {
	var answered []Event
	var decided *Event
	fresh := false
	first := map[string]Event{}
	until := int64(math.MaxInt64)
	for i, event := range events {
		if event.Said == "unknown" {
			event = event.open()
		} else {
			answered = append(answered, event)
			if event.isKept() || event.Said == "other" {
				until = min(until, event.Return)
			}
			if event.isKept() {
				decided = &events[i]
				fresh = fresh || !event.Replayed
			}
		}
		if before, seen := first[event.body()]; !seen || event.Call < before.Call {
			first[event.body()] = event
		}
	}
	switch {
	case fresh:
		return answered
	case decided != nil:
		effect := *decided
		effect.Call, effect.Return, effect.Replayed = first[decided.body()].Call, until, false
		return append(answered, effect)
	}
	for _, event := range events {
		if event.Said == "unknown" && event.Call == first[event.body()].Call {
			answered = append(answered, event.open())
		}
	}
	return answered
}

// open has no end time: the request may still take effect.
func (event Event) open() Event {
	event.Return = math.MaxInt64
	return event
}

// isKept returns whether every retry gets the same response.
func (event Event) isKept() bool {
	return event.Said == "sold" || event.Said == "has" || event.Said == "refused" && event.Own
}
