// Command check-history reads what clients of a store asked and were answered, and says whether one
// shop that does one thing at a time could have answered so: whether the history is linearizable.
//
//	check-history [-seconds N] FILE
//
// FILE holds a JSON object a line, see [Event]. Shelves are checked each by itself: no order asks
// for toys of two. Exit code 0: every shelf is well. 1: one is not, or the search took longer than
// N seconds, which is no proof; what was found is drawn in FILE.SHELF.html. 2: the file is no
// history.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

func main() {
	seconds := flag.Int("seconds", 60, "how long the search may take for a shelf")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "check-history [-seconds N] FILE")
		os.Exit(2)
	}
	file, err := os.Open(flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	shelves, err := Read(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, flag.Arg(0)+":", err)
		os.Exit(2)
	}
	well := true
	for _, shelf := range shelves {
		well = judge(flag.Arg(0), shelf, time.Duration(*seconds)*time.Second) && well
	}
	if !well {
		os.Exit(1)
	}
}

func judge(file string, shelf *Shelf, limit time.Duration) bool {
	begun := time.Now()
	model := shelf.Model()
	result, information := porcupine.CheckOperationsVerbose(model, shelf.Operations(), limit)
	verdict := map[porcupine.CheckResult]string{
		porcupine.Ok:      "linearizable",
		porcupine.Illegal: "NOT linearizable",
		porcupine.Unknown: "undecided",
	}[result]
	fmt.Printf("shelf %s: %d operations: %s (%v)\n", shelf.Name, len(shelf.Events), verdict,
		time.Since(begun).Round(time.Millisecond))
	if result == porcupine.Ok {
		return true
	}
	drawing := file + "." + shelf.Name + ".html"
	if err := porcupine.VisualizePath(model, information, drawing); err != nil {
		fmt.Println(err)
	} else {
		fmt.Println("drawn in", drawing)
	}
	return false
}
