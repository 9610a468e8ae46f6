package runbooks

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// folder has the pages, seen from this one.
var folder = filepath.Join("..", "..", "docs", "runbooks")

// headings are those of each page, in their order.
var headings = []string{"What it means", "What users see", "Confirm", "Do", "Do not", "Over when"}

// page is a runbook.
type page struct {
	title    string
	headings []string
	blocks   []block
	text     string
}

// block is a block of code.
type block struct {
	heading  string // below which it stands
	language string // "sh", "sh azure", which acts on Azure, or "kusto"
	code     string
}

var fence = regexp.MustCompile("^```(.*)$")

// readPage reads a page by its name, that of the alert.
func readPage(t *testing.T, name string) page {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name+".md"))
	if err != nil {
		t.Fatal(err)
	}
	p := page{text: string(text)}
	var heading string
	var inside *block
	for line := range strings.Lines(string(text)) {
		trimmed := strings.TrimSuffix(line, "\n")
		fenced := fence.FindStringSubmatch(trimmed)
		switch {
		case inside != nil && fenced != nil:
			p.blocks, inside = append(p.blocks, *inside), nil
		case inside != nil:
			inside.code += line
		case fenced != nil:
			inside = &block{heading: heading, language: fenced[1]}
		case strings.HasPrefix(line, "# "):
			p.title = trimmed[2:]
		case strings.HasPrefix(line, "## "):
			heading = trimmed[3:]
			p.headings = append(p.headings, heading)
		}
	}
	if inside != nil {
		t.Fatalf("%s: a block has no end", name)
	}
	return p
}

// below are the blocks of a language below a heading.
func (p page) below(heading, language string) (code []string) {
	for _, b := range p.blocks {
		if b.heading == heading && b.language == language {
			code = append(code, b.code)
		}
	}
	return code
}

// pageNames are all pages but the index.
func pageNames(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".md"); name != "README" {
			names = append(names, name)
		}
	}
	return names
}

// Each page has the same headings, one command by which its reader confirms, one by which it is over, and is in the index.
func TestPagesHaveOneForm(t *testing.T) {
	t.Parallel()
	index := readPage(t, "README")
	for _, name := range pageNames(t) {
		p := readPage(t, name)
		if !slices.Equal(p.headings, headings) || p.title == "" {
			t.Errorf("%s has the headings %q", name, p.headings)
		}
		for _, heading := range []string{"Confirm", "Over when"} {
			if commands := p.below(heading, "sh"); len(commands) != 1 || strings.Count(commands[0], "\n") != 1 {
				t.Errorf("%s: below %q are the commands %q, want one", name, heading, commands)
			}
		}
		for _, b := range p.blocks {
			if !slices.Contains([]string{"sh", "sh azure", "kusto"}, b.language) {
				t.Errorf("%s: a block is of %q", name, b.language)
			}
			if acts := regexp.MustCompile(`(?m)\baz |\bgh |infra/`).MatchString(b.code); acts && b.language == "sh" {
				t.Errorf("%s: this acts on Azure, and is not marked so: %s", name, b.code)
			}
		}
		if strings.Count(index.text, "[`"+name+"`]("+name+".md)") != 1 {
			t.Errorf("%s is not in the index once", name)
		}
	}
}

// alertName is an alert in Bicep, with its severity: names of rules begin in their own line.
var alertName = regexp.MustCompile(`(?m)^ +name: '([a-z-]+)'(?: //.*)?$(?s:.*?)severity: (\d)`)

// alertsOfBicep are the names of all alerts, with their severities.
func alertsOfBicep(t *testing.T) map[string]string {
	t.Helper()
	severities := map[string]string{}
	for _, module := range []string{"log-alerts", "metric-alerts"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "infra", "bicep", "modules", module+".bicep"))
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range alertName.FindAllStringSubmatch(string(text), -1) {
			severities[found[1]] = found[2]
		}
		if !strings.Contains(string(text), "docs/runbooks/${alert.name}.md'") {
			t.Errorf("the alerts of %s do not name their pages", module)
		}
		if n := strings.Count(string(text), "severity: ") - 1; n != len(alertName.FindAllString(string(text), -1)) {
			t.Errorf("%s has %d alerts, read were %d", module, n, len(alertName.FindAllString(string(text), -1)))
		}
	}
	return severities
}

// Each alert has its page, and each line of the index's table of alerts its alert, with its severity.
func TestAlertsHavePages(t *testing.T) {
	t.Parallel()
	alerts, names := alertsOfBicep(t), pageNames(t)
	listed := map[string]string{}
	for _, row := range regexp.MustCompile(`(?m)^\| \[.([a-z-]+).\]\(.*?\) \| (\d) \|`).FindAllStringSubmatch(readPage(t, "README").text, -1) {
		listed[row[1]] = row[2]
	}
	for alert, severity := range alerts {
		if !slices.Contains(names, alert) {
			t.Errorf("the alert %s has no page", alert)
		}
		if listed[alert] != severity {
			t.Errorf("the index has the alert %s with the severity %q, Bicep with %q", alert, listed[alert], severity)
		}
		if title := readPage(t, alert).title; title != alert {
			t.Errorf("the page of %s has the title %q", alert, title)
		}
	}
	for name := range listed {
		if alerts[name] == "" {
			t.Errorf("the page %s is of no alert", name)
		}
	}
	if len(alerts) != 19 {
		t.Errorf("%d alerts, want 19", len(alerts))
	}
}

// onAzure is a command that acts on Azure: az with its group and verb, a script of infra, or gh.
var onAzure = regexp.MustCompile(`\baz(?: [a-z][a-z-]*)+|\bgh(?: [a-z]+)+|infra/[a-z]+\.sh`)

// What acts on Azure cannot be run here. The deployment's pages use the same commands, which other tests and people have looked at.
func TestCommandsOnAzureAreThoseOfTheDeployment(t *testing.T) {
	t.Parallel()
	var known string
	for _, name := range []string{"deploy.md", "doctor.md"} {
		text, err := os.ReadFile(filepath.Join(folder, "..", name))
		if err != nil {
			t.Fatal(err)
		}
		known += string(text)
	}
	seen := 0
	for _, name := range append(pageNames(t), "README") {
		for _, b := range readPage(t, name).blocks {
			if b.language != "sh azure" {
				continue
			}
			for _, command := range onAzure.FindAllString(b.code, -1) {
				seen++
				if !strings.Contains(known, command) {
					t.Errorf("%s: %q is nowhere in the pages about the deployment", name, command)
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d commands were found", seen)
	}
}
