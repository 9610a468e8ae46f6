package e2e_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// panel is one of the dashboard for Grafana.
type panel struct {
	Title   string
	Type    string
	Targets []struct{ Expr string }
}

func readDashboard(t *testing.T) (panels []panel) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "infra", "grafana", "sheetdrop.json"))
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct{ Panels []panel }
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	for _, p := range dashboard.Panels {
		if p.Type != "row" {
			panels = append(panels, p)
		}
	}
	return panels
}

// wantPanels has each query of the dashboard answered by Prometheus' own engine, over pages that were scraped: none is misspelled, and none is
// of what nobody tells.
func wantPanels(t *testing.T, pages []string) {
	t.Helper()
	var asked struct {
		Pages   []string `json:"pages"`
		Queries []string `json:"queries"`
	}
	asked.Pages = pages
	titles := map[string]string{}
	for _, p := range readDashboard(t) {
		for _, target := range p.Targets {
			query := strings.ReplaceAll(target.Expr, "$__rate_interval", "5m")
			titles[query] = p.Title
			asked.Queries = append(asked.Queries, query)
		}
	}
	if len(asked.Queries) < 30 {
		t.Errorf("the dashboard has only %d queries", len(asked.Queries))
	}
	asked.Queries = append(asked.Queries, `rate(nobody_tells_this[5m])`, `sum(`)
	var answers []struct {
		Query, Error string
		Series       []string
	}
	if err := json.Unmarshal(promql(t, asked), &answers); err != nil || len(answers) != len(asked.Queries) {
		t.Fatalf("%d answers, %v", len(answers), err)
	}
	for _, a := range answers {
		switch title, ofDashboard := titles[a.Query]; {
		case !ofDashboard:
			if a.Error == "" && len(a.Series) > 0 {
				t.Errorf("the engine answers %s with %q", a.Query, a.Series)
			}
		case a.Error != "":
			t.Errorf("%s: %s: %s", title, a.Query, a.Error)
		case len(a.Series) == 0:
			t.Errorf("%s shows nothing: %s", title, a.Query)
		}
	}
}

// promql asks the engine, which is in a module of its own.
func promql(t *testing.T, asked any) []byte {
	t.Helper()
	input, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	engine := exec.CommandContext(t.Context(), "go", "run", ".")
	engine.Dir, engine.Stdin, engine.Stderr = filepath.Join("..", "..", "tools", "promql"), bytes.NewReader(input), &said
	answers, err := engine.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	return answers
}
