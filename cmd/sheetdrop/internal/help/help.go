// Package help prints what the command line can do: help with examples, the version, and completions for shells.
package help

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
)

// Widths in terminal cells.
const (
	usualWidth       = 80
	widest           = 110 // longer lines are hard to read
	leastExplanation = 30
	widestTerms      = 30 // of what is explained; a longer one has a line of its own
)

// page is a help text that is being written.
type page struct {
	strings.Builder
	width int
}

// Print is a kong.HelpPrinter. Unlike kong's own it knows the width of Japanese, and has examples.
func Print(_ kong.HelpOptions, ctx *kong.Context) error {
	p := &page{width: usualWidth}
	if file, ok := ctx.Stdout.(*os.File); ok {
		if width := terminal.Width(file); width > 0 {
			p.width = min(width, widest)
		}
	}
	node := ctx.Selected()
	if node == nil {
		node = ctx.Model.Node
	}
	p.command(ctx.Model.Name, node)
	_, err := io.WriteString(ctx.Stdout, p.String())
	return err
}

// Usage returns the line that shows how a command is called.
func Usage(app string, node *kong.Node) string {
	return words.Sprintf("Usage: %s", strings.Join(strings.Fields(app+" "+node.Summary()), " "))
}

func (p *page) command(app string, node *kong.Node) {
	for i, line := range terminal.Wrap(Usage(app, node), p.width-4) {
		fmt.Fprintf(p, "%s%s\n", strings.Repeat("    ", min(i, 1)), line)
	}
	p.paragraph(words.In(node.Help))
	var terms [][2]string
	for _, argument := range node.Positional {
		terms = append(terms, [2]string{argument.Summary(), explained(argument)})
	}
	p.terms(words.In("Arguments:"), terms)
	p.commands(node)
	terms = nil
	for _, group := range node.AllFlags(true) {
		for _, flag := range group {
			terms = append(terms, [2]string{flagTerm(flag), explained(flag.Value)})
		}
	}
	p.terms(words.In("Flags:"), terms)
	if examples := examples[node.Path()]; len(examples) > 0 {
		fmt.Fprintf(p, "\n%s\n", words.In("Examples:"))
		for _, example := range examples {
			fmt.Fprintf(p, "  %s\n", example)
		}
	}
	if len(node.Children) > 0 {
		p.paragraph(words.Sprintf("`%s COMMAND --help` explains a command.", strings.TrimSpace(app+" "+node.Path())))
	}
}

// commands lists those below a node, by their groups.
func (p *page) commands(node *kong.Node) {
	var titles []string
	groups := map[string][][2]string{}
	for _, child := range node.Children {
		if child.Hidden {
			continue
		}
		title := "Commands:"
		if group := child.ClosestGroup(); group != nil {
			title = group.Title
		}
		if groups[title] == nil {
			titles = append(titles, title)
		}
		groups[title] = append(groups[title], [2]string{child.Name, words.In(child.Help)})
	}
	for _, title := range titles {
		p.terms(words.In(title), groups[title])
	}
}

func (p *page) paragraph(text string) {
	if text == "" {
		return
	}
	p.WriteString("\n")
	for _, line := range terminal.Wrap(text, p.width) {
		fmt.Fprintf(p, "%s\n", line)
	}
}

// terms prints a list of what is explained, with the explanations in a column of their own.
func (p *page) terms(title string, terms [][2]string) {
	if len(terms) == 0 {
		return
	}
	fmt.Fprintf(p, "\n%s\n", title)
	width := 0
	for _, term := range terms {
		if w := terminal.CellsOf(term[0]); w <= widestTerms {
			width = max(width, w)
		}
	}
	if p.width-width-4 < leastExplanation {
		width = 4 // each of what is explained has a line of its own
	}
	for _, term := range terms {
		lines := terminal.Wrap(term[1], p.width-width-4)
		if terminal.CellsOf(term[0]) > width {
			fmt.Fprintf(p, "  %s\n", term[0])
			term[0] = ""
		}
		for i, line := range lines {
			if i > 0 {
				term[0] = ""
			}
			p.WriteString(strings.TrimRight("  "+terminal.Padded(term[0], width)+"  "+line, " ") + "\n")
		}
	}
}

func flagTerm(flag *kong.Flag) string {
	text := "    "
	if flag.Short != 0 {
		text = fmt.Sprintf("-%c, ", flag.Short)
	}
	name := flag.Name
	if flag.Tag.Negatable != "" {
		name = "[no-]" + name
	}
	text += "--" + name
	if !flag.IsBool() {
		text += "=" + strings.TrimSuffix(flag.FormatPlaceHolder(), ",...")
	}
	return text
}

// explained is the help of a flag or an argument, in the user's language, with its default where the help does not say it.
func explained(v *kong.Value) string {
	text := words.In(cmp.Or(v.OrigHelp, v.Help))
	for name, value := range map[string]string{"enum": strings.ReplaceAll(v.Enum, ",", ", "), "default": v.Default} {
		text = strings.ReplaceAll(text, "${"+name+"}", value)
	}
	text = strings.ReplaceAll(text, "$$", "$")
	for name, value := range variables {
		text = strings.ReplaceAll(text, "${"+name+"}", value)
	}
	if v.Flag != nil && len(v.Flag.Envs) > 0 {
		text += " ($" + strings.Join(v.Flag.Envs, ", $") + ")"
	}
	return text
}

// variables are what helps mention by a name.
var variables kong.Vars

// Variables returns the option that lets helps mention values by names.
func Variables(vars kong.Vars) kong.Option {
	variables = vars
	return vars
}
