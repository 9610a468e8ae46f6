package terminal

import (
	"os"
	"strings"
)

// Colours of texts, as parameters of SGR.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
)

const dumb = "dumb" // the TERM of a terminal without any control sequences

// hasColours reports whether colours are shown on a file: on a terminal, unless the user has said otherwise. NO_COLOR is that of
// https://no-color.org, CLICOLOR and CLICOLOR_FORCE those of https://bixense.com/clicolors.
func hasColours(file *os.File) bool {
	switch {
	case os.Getenv("NO_COLOR") != "":
		return false
	case os.Getenv("CLICOLOR_FORCE") != "" && os.Getenv("CLICOLOR_FORCE") != "0":
		return true
	}
	return IsTerminal(file) && os.Getenv("TERM") != dumb && os.Getenv("CLICOLOR") != "0"
}

// paint returns a text in a colour, if colours are shown.
func paint(shown bool, colour, text string) string {
	if !shown || colour == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// statusColour returns the colour of a cell that is a status, "" for others.
func statusColour(cell string) string {
	switch strings.TrimSpace(cell) {
	case "COMPLETED", "DELIVERED":
		return green
	case "FAILED", "DEAD":
		return red
	case "CANCELLED", "PENDING", "PROCESSING":
		return yellow
	}
	return ""
}

// Status returns the status of a task in its colour.
func (c *Console) Status(status string) string { return paint(c.colours, statusColour(status), status) }

// Alarm returns a word that says that something is wrong, in the colour of a failure or of a warning.
func (c *Console) Alarm(word string, failure bool) string {
	if failure {
		return paint(c.colours, red, word)
	}
	return paint(c.colours, yellow, word)
}
