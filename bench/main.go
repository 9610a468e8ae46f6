// Command bench measures sheetdrop beside the parts that it is made of, and beside what people would use instead, on this machine:
//
//	go run -C bench . [--only NAME]… [--rounds N] [--percent N] [--quick] [--huge] [--json] [--svg FILE] [--before HANDLER] [--list]
//
// It starts a PostgreSQL with stock settings and an Azurite of its own, both with their data on disk, and ends them again. What it
// measures, and what was measured, stands in docs/benchmarks.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"sheetdrop/bench/compare"
	"sheetdrop/bench/meter"
	"sheetdrop/bench/testbed"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == testbed.HostArgument {
		exit(testbed.RunHost())
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	exit(run(ctx))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// command is what the arguments say.
type command struct {
	only        names
	rounds      int
	percent     int
	quick, huge bool
	json, list  bool
	svg         string
	before      string
}

// names are those that an argument, given several times, has.
type names []string

func (n *names) String() string { return strings.Join(*n, ",") }

func (n *names) Set(name string) error {
	*n = append(*n, strings.Split(name, ",")...)
	return nil
}

func parse() (c command) {
	flag.Var(&c.only, "only", "run this comparison alone; may be repeated, and a name ending in * stands for all that begin so")
	flag.IntVar(&c.rounds, "rounds", 6, "how often each candidate runs")
	flag.IntVar(&c.percent, "percent", 100, "how much of the usual work each run does")
	flag.BoolVar(&c.quick, "quick", false, "little work, one round: whether all runs do what they should, and not how fast")
	flag.BoolVar(&c.huge, "huge", false, "also what takes an hour: 50 million rows")
	flag.BoolVar(&c.json, "json", false, "print results as JSON")
	flag.BoolVar(&c.list, "list", false, "print the comparisons' names")
	flag.StringVar(&c.svg, "svg", "", "write the picture of the bars to this file")
	flag.StringVar(&c.before, "before", "", "a handler of an older version, to compare what has come since")
	flag.Parse()
	if c.quick {
		c.rounds = 1
	}
	return c
}

func run(ctx context.Context) (err error) {
	c := parse()
	if c.list {
		for _, one := range comparisons(&testbed.Testbed{}) {
			fmt.Printf("%-18s %s\n", one.Name, one.Title)
		}
		return nil
	}
	log := func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
	s, err := testbed.Open(ctx, testbed.Options{Quick: c.quick, Huge: c.huge, Percent: c.percent, Before: c.before, Log: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	chosen, err := choose(comparisons(s), c.only)
	if err != nil {
		return err
	}
	machine := meter.Machine()
	runner := compare.Runner{Rounds: c.rounds, Meter: s.Meter, Log: log}
	var results []*compare.Result
	var failed []error
	for _, one := range chosen {
		if c.quick {
			one.Bars = nil // of little work they say nothing
		}
		result, err := runner.Run(ctx, one)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		results = append(results, result)
		if !c.json {
			failed = append(failed, result.WriteTable(os.Stdout))
		}
		for _, line := range result.Void() {
			failed = append(failed, errors.New("void: "+line))
		}
	}
	return errors.Join(append(failed, c.write(machine, results))...)
}

// write writes what comes at the end.
func (c command) write(machine string, results []*compare.Result) error {
	if c.svg != "" {
		err := writeFile(c.svg, func(w io.Writer) error { return compare.WritePicture(w, machine, results) })
		if err != nil {
			return err
		}
	}
	if c.json {
		return compare.NewReport(machine, results).WriteJSON(os.Stdout)
	}
	_, err := fmt.Println(machine)
	return err
}

func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// choose returns the comparisons of these names, all where there are none.
func choose(all []compare.Comparison, only names) (chosen []compare.Comparison, err error) {
	for _, c := range all {
		if err := c.Check(); err != nil {
			return nil, err
		}
		if len(only) == 0 || slices.ContainsFunc(only, func(name string) bool { return matches(c.Name, name) }) {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("no comparison is called %s; --list has the names", only.String())
	}
	return chosen, nil
}

func matches(name, pattern string) bool {
	prefix, open := strings.CutSuffix(pattern, "*")
	return name == pattern || open && strings.HasPrefix(name, prefix)
}
