package metrics

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

var update = flag.Bool("update", false, "write the table of the documentation")

// docs/metrics.md has the table of the code: every metric with its two names, its unit, its labels and what it means.
func TestMetricsAreDocumented(t *testing.T) {
	t.Parallel()
	page := filepath.Join("..", "..", "docs", "metrics.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- metrics -->\n", "<!-- end -->\n"
	before, rest, found := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no %s or no %s", page, begin, end)
	}
	want := before + begin + table(t) + end + after
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(text) != want {
		t.Error("docs/metrics.md has another table: go test ./internal/metrics -run TestMetricsAreDocumented -update")
	}
}

// table has a row for each metric, as an OTLP receiver and as Prometheus get it.
func table(t *testing.T) string {
	r, pushed := recording(t)
	recordEverything(r)
	names := prometheusNames(scrape(t, r))
	rows := []string{}
	for _, scope := range collect(t, pushed).ScopeMetrics {
		for _, m := range scope.Metrics {
			if strings.HasPrefix(m.Name, "go.") { // whatever the runtime has, by the library
				continue
			}
			short := strings.NewReplacer(".", "_").Replace(m.Name)
			name := longestOf(names, short)
			if name == "" {
				t.Errorf("%s is not scraped: %q", m.Name, names)
			}
			rows = append(rows, fmt.Sprintf("| %#q | %#q | %s | %s | %s |\n", m.Name, name, m.Unit, strings.Join(labels(t, m), " "), m.Description))
		}
	}
	if len(rows) < 30 {
		t.Errorf("only %d metrics", len(rows))
	}
	slices.Sort(rows)
	return "| metric | in Prometheus | unit | labels | what it is |\n|---|---|---|---|---|\n" + strings.Join(rows, "")
}

// prometheusNames are the names by the lines of their types; a histogram has series with _bucket, _sum and _count behind it.
func prometheusNames(page string) (names []string) {
	for line := range strings.Lines(page) {
		if words := strings.Fields(line); len(words) == 4 && words[1] == "TYPE" {
			names = append(names, words[2])
		}
	}
	return names
}

// longestOf is the name that belongs to a metric: with its unit and _total behind it, where it has these.
func longestOf(names []string, short string) (found string) {
	for _, name := range names {
		suffix, begins := strings.CutPrefix(name, short)
		if begins && slices.Contains([]string{"", "_total", "_seconds", "_seconds_total", "_bytes", "_bytes_total"}, suffix) {
			found = name
		}
	}
	return found
}

// labels are the keys of all points of a metric.
func labels(t *testing.T, m metricdata.Metrics) []string {
	keys := map[string]bool{}
	add := func(set attribute.Set) {
		for _, label := range set.ToSlice() {
			keys["`"+string(label.Key)+"`"] = true
		}
	}
	switch data := m.Data.(type) {
	case metricdata.Sum[int64]:
		each(data.DataPoints, add)
	case metricdata.Sum[float64]:
		each(data.DataPoints, add)
	case metricdata.Gauge[int64]:
		each(data.DataPoints, add)
	case metricdata.Gauge[float64]:
		each(data.DataPoints, add)
	case metricdata.Histogram[float64]:
		for _, point := range data.DataPoints {
			add(point.Attributes)
		}
	default:
		t.Errorf("%s is a %T", m.Name, data)
	}
	return slices.Sorted(maps.Keys(keys))
}

func each[N int64 | float64](points []metricdata.DataPoint[N], add func(attribute.Set)) {
	for _, point := range points {
		add(point.Attributes)
	}
}
