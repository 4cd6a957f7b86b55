package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// A history is written as its moments: at(call, return).buy(…).
type moment struct{ call, ret int64 }

func at(call, ret int64) moment { return moment{call, ret} }

func (m moment) event(op, key string, lines ...Line) Event {
	return Event{Call: m.call, Return: m.ret, Op: op, Key: key, Own: key != "", Lines: lines}
}

func (m moment) buy(key string, lines ...Line) Event { return m.event("buy", key, lines...) }

func (m moment) look(toy string, left int64) Event {
	event := m.event("look", "", Line{toy, 0})
	event.Said, event.Left = "has", left
	return event
}

func (m moment) restock(key, toy string, units, left int64) Event {
	event := m.event("restock", key, Line{toy, units})
	event.Said, event.Left = "has", left
	return event
}

func (event Event) sold(number int64) Event {
	event.Said, event.Number = "sold", number
	return event
}

func (event Event) refused(toy string, left int64) Event {
	event.Said, event.Toy, event.Left = "refused", toy, left
	return event
}

func (event Event) other() Event   { event.Said = "other"; return event }
func (event Event) unknown() Event { event.Said = "unknown"; return event }
func (event Event) again() Event   { event.Replayed = true; return event }
func (event Event) made() Event    { event.Own = false; return event }

func ball(units int64) Line { return Line{"Ball", units} }
func kite(units int64) Line { return Line{"Kite", units} }

// Five balls and two kites stand on the shelf of every history here.
func verdict(t *testing.T, events ...Event) porcupine.CheckResult {
	t.Helper()
	shelf := NewShelf("A", []Line{ball(5), kite(2)})
	for _, event := range events {
		if err := shelf.Add(event); err != nil {
			t.Fatal(err)
		}
	}
	result, _ := porcupine.CheckOperationsVerbose(shelf.Model(), shelf.Operations(), 10*time.Second)
	return result
}

func TestAcceptsWhatAShopCanAnswer(t *testing.T) {
	for name, history := range map[string][]Event{
		"one after the other": {
			at(1, 2).buy("a", ball(3)).sold(0), at(3, 4).look("Ball", 2),
			at(5, 6).buy("b", ball(3)).refused("Ball", 2), at(7, 8).restock("r", "Ball", 4, 6),
			at(9, 10).buy("b", ball(3)).refused("Ball", 2).again(), at(11, 12).buy("a", ball(3)).sold(0).again(),
		},
		"at once, in another order than they came": {
			at(1, 10).buy("a", ball(3)).sold(1), at(2, 9).buy("b", ball(2)).sold(0), at(3, 8).look("Ball", 3),
		},
		"a lost answer to a sale that was seen": {
			at(1, 2).buy("a", ball(3)).unknown(), at(3, 4).look("Ball", 2), at(5, 6).buy("a", ball(3)).sold(0).again(),
		},
		"a lost answer to a sale that came late": {
			at(1, 2).buy("a", ball(3)).unknown(), at(3, 4).look("Ball", 5), at(5, 6).look("Ball", 2),
		},
		"a request that never arrived": {
			at(1, 2).buy("", ball(3)).unknown(), at(3, 4).buy("b", ball(5)).sold(0), at(5, 6).look("Ball", 0),
		},
		"a repeat inside the store, marked though its client asked once": {
			at(1, 2).buy("a", ball(1)).sold(0).again(),
		},
		"the second body wins where the first never arrived": {
			at(1, 2).buy("a", ball(1)).unknown(), at(3, 4).buy("a", ball(2)).sold(0), at(5, 6).buy("a", ball(1)).other(),
			at(7, 8).look("Ball", 3),
		},
		"the first body wins unseen": {
			at(1, 2).buy("a", ball(1)).unknown(), at(3, 4).buy("a", ball(2)).other(), at(5, 6).look("Ball", 4),
		},
		"a refusal for a key that the store made is not kept": {
			at(1, 3).buy("m", ball(6)).made().unknown(), at(4, 5).restock("r", "Ball", 1, 6),
			at(6, 7).buy("m", ball(6)).sold(0),
		},
		"two toys at once": {
			at(1, 2).buy("a", ball(1), kite(2)).sold(3), at(3, 4).buy("b", ball(1), kite(1)).refused("Kite", 0),
			at(5, 6).look("Ball", 4),
		},
	} {
		if result := verdict(t, history...); result != porcupine.Ok {
			t.Errorf("%s: %v", name, result)
		}
	}
}

func TestRejectsWhatNoShopCanAnswer(t *testing.T) {
	for name, history := range map[string][]Event{
		"more sold than there is": {
			at(1, 2).buy("a", ball(3)).sold(0), at(3, 4).buy("b", ball(3)).sold(1),
		},
		"more sold than there is, at once": {
			at(1, 9).buy("a", ball(3)).sold(0), at(2, 8).buy("b", ball(3)).sold(1),
		},
		"a stale read": {
			at(1, 2).buy("a", ball(3)).sold(0), at(3, 4).look("Ball", 5),
		},
		"a read of what was not committed": {
			at(1, 2).look("Ball", 2), at(3, 4).buy("a", ball(3)).sold(0),
		},
		"stock that comes back": {
			at(1, 9).buy("a", ball(3)).unknown(), at(2, 3).look("Ball", 2), at(4, 5).look("Ball", 5),
		},
		"two sales for a key": {
			at(1, 2).buy("a", ball(1)).sold(0), at(3, 4).buy("a", ball(1)).sold(1).again(),
		},
		"two sales for a key, only one answered": {
			at(1, 2).buy("a", ball(1)).sold(0), at(3, 4).buy("a", ball(1)).unknown(), at(5, 6).look("Ball", 3),
		},
		"a refusal turned into a sale by a restock": {
			at(1, 2).buy("a", ball(6)).refused("Ball", 5), at(3, 4).restock("r", "Ball", 1, 6),
			at(5, 6).buy("a", ball(6)).sold(0),
		},
		"a refusal that says otherwise the second time": {
			at(1, 2).buy("a", ball(6)).refused("Ball", 5), at(3, 4).buy("b", ball(1)).sold(0),
			at(5, 6).buy("a", ball(6)).refused("Ball", 4).again(),
		},
		"a refusal where there was enough": {
			at(1, 2).buy("a", ball(4)).refused("Ball", 3),
		},
		"a refusal by what was not committed": {
			at(1, 2).buy("b", ball(3)).refused("Ball", 2), at(3, 4).look("Ball", 5),
		},
		"a repeat that is not marked": {
			at(1, 2).buy("a", ball(1)).sold(0), at(3, 4).buy("a", ball(1)).sold(0),
		},
		"numbers against time": {
			at(1, 2).buy("a", ball(1)).sold(1), at(3, 4).buy("b", ball(1)).sold(0),
		},
		"one number twice": {
			at(1, 9).buy("a", ball(1)).sold(0), at(2, 8).buy("b", ball(1)).sold(0),
		},
		"another body that was sold too": {
			at(1, 2).buy("a", ball(1)).sold(0), at(3, 4).buy("a", ball(2)).sold(0).again(),
		},
		"422 though nothing else was asked": {
			at(1, 2).buy("a", ball(1)).sold(0), at(3, 4).buy("a", ball(1)).other(),
		},
		"half of an order": {
			at(1, 2).buy("a", ball(1), kite(1)).sold(0), at(3, 4).look("Kite", 2),
		},
		"half of an order, seen while it is under way": {
			at(1, 9).buy("a", ball(1), kite(1)).sold(0), at(2, 3).look("Ball", 4), at(4, 5).look("Kite", 2),
		},
		"a restock twice": {
			at(1, 2).restock("r", "Ball", 1, 6), at(3, 4).restock("r", "Ball", 1, 7),
		},
		"a restock forgotten": {
			at(1, 2).restock("r", "Ball", 1, 6), at(3, 4).look("Ball", 5),
		},
	} {
		if result := verdict(t, history...); result != porcupine.Illegal {
			t.Errorf("%s: %v", name, result)
		}
	}
}

func TestReadsAFile(t *testing.T) {
	shelves, err := Read(strings.NewReader(`{"op":"start","shelf":"A","lines":[{"toy":"Ball","quantity":5}]}
{"op":"start","shelf":"B","lines":[{"toy":"Kite","quantity":2}]}
{"op":"buy","shelf":"B","client":1,"call":1,"return":2,"key":"k","own":true,"lines":[{"toy":"Kite","quantity":3}],"said":"refused","toy":"Kite","left":2}
`))
	if err != nil {
		t.Fatal(err)
	}
	if len(shelves) != 2 || len(shelves[0].Events) != 0 || len(shelves[1].Events) != 1 {
		t.Fatalf("got %v", shelves)
	}
	event := shelves[1].Events[0]
	if event.Said != "refused" || event.Left != 2 || !event.Own || event.Return != 2 {
		t.Errorf("got %+v", event)
	}
}

func TestRefusesWhatIsNoHistory(t *testing.T) {
	start := `{"op":"start","shelf":"A","lines":[{"toy":"Ball","quantity":5}]}` + "\n"
	for name, text := range map[string]string{
		"nothing at all":        "",
		"an unknown field":      start + `{"op":"look","shelf":"A","sold":1}`,
		"an unknown toy":        start + `{"op":"look","shelf":"A","lines":[{"toy":"Kite"}],"said":"has"}`,
		"an unknown answer":     start + `{"op":"buy","shelf":"A","lines":[{"toy":"Ball"}],"said":"maybe"}`,
		"an answer of another":  start + `{"op":"look","shelf":"A","lines":[{"toy":"Ball"}],"said":"sold"}`,
		"a shelf without start": `{"op":"look","shelf":"A","lines":[{"toy":"Ball"}],"said":"has"}`,
		"half a line":           start + `{"op":"look","sh`,
	} {
		if _, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}

func TestDrawsWhatItRejects(t *testing.T) {
	shelf := NewShelf("A", []Line{ball(5)})
	if err := shelf.Add(at(1, 2).look("Ball", 4)); err != nil {
		t.Fatal(err)
	}
	file := t.TempDir() + "/history"
	if judge(file, shelf, time.Second) {
		t.Fatal("accepted")
	}
	if _, err := os.Stat(file + ".A.html"); err != nil {
		t.Error(err)
	}
}
