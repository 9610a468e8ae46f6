package doctor

import (
	"slices"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
)

// reportWidth is how wide sentences become, in terminal cells.
const reportWidth = 78

// leastWidth is that of a text on a terminal that is very narrow.
const leastWidth = 20

// Report prints the findings: with JSON each as a line, otherwise problems and warnings with what to do and, if verbose is set, a line for
// each check. It returns an error if there are problems.
func Report(c *terminal.Console, findings []Finding, verbose bool) error {
	if c.JSON {
		for _, f := range findings {
			c.Value(f)
		}
	} else if verbose {
		showAll(c, findings)
	}
	if !c.JSON {
		showWrong(c, findings)
	}
	if first := of(findings, Problem); len(first) > 0 {
		return words.Errorf("the first problem is %s", first[0].ID)
	}
	return nil
}

// of returns the findings of a state.
func of(findings []Finding, state State) []Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f Finding) bool { return f.State != state })
}

// showAll prints a line for each check.
func showAll(c *terminal.Console, findings []Finding) {
	table := terminal.Table{UncutLast: true}
	for _, f := range findings {
		table.Add(word(f.State), f.ID, f.Found)
	}
	c.Table(&table)
	c.Printf("\n")
}

// word is a state in the user's language.
func word(s State) string {
	switch s {
	case Problem:
		return words.In("problem")
	case Warning:
		return words.In("warning")
	case Skipped:
		return words.In("skipped")
	}
	return words.In("ok")
}

// showWrong prints problems and warnings, or that there are none.
func showWrong(c *terminal.Console, findings []Finding) {
	for _, state := range []State{Problem, Warning} {
		for _, f := range of(findings, state) {
			c.Printf("%s  %s\n", c.Alarm(word(state), state == Problem), f.ID)
			paragraph(c, "  ", f.Found)
			paragraph(c, "  ", f.Means)
			if f.Next != "" {
				paragraph(c, "  ", words.In("Next: ")+f.Next)
			}
			c.Printf("\n")
		}
	}
	left := len(of(findings, Skipped))
	switch wrong := len(findings) - left - len(of(findings, OK)); {
	case wrong == 0 && left == 0:
		c.Printf("All is well.\n")
	case wrong == 0:
		paragraph(c, "", words.Sprintf("All is well, as far as it could be checked: %d of %d checks were skipped; --verbose says why.", left, len(findings)))
	case left > 0:
		paragraph(c, "", words.Sprintf("%d of %d checks were skipped; --verbose says why.", left, len(findings)))
	}
}

// paragraph prints a text, if there is one, in lines that begin with an indentation.
func paragraph(c *terminal.Console, indentation, text string) {
	if text == "" {
		return
	}
	width := reportWidth
	if shown := c.Width(); shown > 0 {
		width = min(width, shown)
	}
	for _, line := range terminal.Wrap(terminal.Printable(text), max(width-len(indentation), leastWidth)) {
		c.Printf("%s%s\n", indentation, line)
	}
}
