// Command check-history reads the requests and responses of a store's clients and checks whether the
// history is linearizable: whether a store that executes one request at a time could have given the
// same responses.
//
//	check-history [-seconds N] FILE
//
// FILE contains one JSON object per line, see [Event]. Each shelf is checked separately: no order
// contains toys of two shelves. Exit code 0: all shelves are linearizable. 1: a shelf is not, or its
// check took longer than N seconds and is undecided; FILE.SHELF.html shows the result. 2: the file
// is not a valid history.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

func main() {
	seconds := flag.Int("seconds", 60, "time limit of the check of one shelf")
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
		fmt.Println("visualization:", drawing)
	}
	return false
}
