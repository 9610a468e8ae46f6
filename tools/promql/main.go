// Command promql answers queries over pages that Prometheus would have scraped: what a dashboard shows of them. It reads {"pages": […],
// "queries": […]} and writes how many series each query has. The pages are taken to be a minute apart, and the last one to be of now.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/util/annotations"
)

// asked is what comes in.
type asked struct {
	Pages   []string `json:"pages"`
	Queries []string `json:"queries"`
}

// answered is what goes out for a query.
type answered struct {
	Query  string   `json:"query"`
	Error  string   `json:"error,omitempty"`
	Series []string `json:"series"` // with their values
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		slog.Error("no answers", "error", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	var a asked
	if err := json.NewDecoder(in).Decode(&a); err != nil {
		return err
	}
	now := time.Unix(1_700_000_000, 0)
	data := &scraped{samples: map[string][]chunks.Sample{}, names: map[string]labels.Labels{}}
	for i, page := range a.Pages {
		at := now.Add(-time.Duration(len(a.Pages)-1-i) * time.Minute)
		if err := data.add([]byte(page), at.UnixMilli()); err != nil {
			return fmt.Errorf("page %d: %w", i+1, err)
		}
	}
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 1_000_000, Timeout: time.Minute})
	answers := make([]answered, len(a.Queries))
	for i, query := range a.Queries {
		series, err := answer(engine, data, query, now)
		answers[i] = answered{Query: query, Series: series}
		if err != nil {
			answers[i].Error = err.Error()
		}
	}
	return json.NewEncoder(out).Encode(answers)
}

func answer(engine *promql.Engine, data storage.Queryable, text string, now time.Time) (series []string, err error) {
	query, err := engine.NewInstantQuery(context.Background(), data, nil, text, now)
	if err != nil {
		return nil, err
	}
	defer query.Close()
	result := query.Exec(context.Background())
	if result.Err != nil {
		return nil, result.Err
	}
	vector, err := result.Vector()
	for _, sample := range vector {
		series = append(series, fmt.Sprintf("%s %v", sample.Metric, sample.F))
	}
	return series, err
}

// scraped are the series of all pages, by their labels.
type scraped struct {
	samples map[string][]chunks.Sample
	names   map[string]labels.Labels
}

func (s *scraped) add(page []byte, at int64) error {
	reader := textparse.NewPromParser(page, labels.NewSymbolTable(), false)
	for {
		entry, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if entry != textparse.EntrySeries {
			continue
		}
		_, _, value := reader.Series()
		var name labels.Labels
		reader.Labels(&name)
		s.names[name.String()] = name
		s.samples[name.String()] = append(s.samples[name.String()], sample{at, value})
	}
}

// Querier implements storage.Queryable.
func (s *scraped) Querier(int64, int64) (storage.Querier, error) {
	return &storage.MockQuerier{SelectMockFunction: s.choose}, nil
}

func (s *scraped) choose(_ bool, _ *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	var found []storage.Series
	for key, name := range s.names {
		fits := true
		for _, m := range matchers {
			fits = fits && m.Matches(name.Get(m.Name))
		}
		if fits {
			found = append(found, storage.NewListSeries(name, s.samples[key]))
		}
	}
	return &set{series: found}
}

// set implements storage.SeriesSet.
type set struct {
	series []storage.Series
	next   int
}

func (s *set) Next() bool                        { s.next++; return s.next <= len(s.series) }
func (s *set) At() storage.Series                { return s.series[s.next-1] }
func (s *set) Err() error                        { return nil }
func (s *set) Warnings() annotations.Annotations { return nil }

// sample implements chunks.Sample.
type sample struct {
	at    int64
	value float64
}

func (s sample) T() int64                      { return s.at }
func (s sample) ST() int64                     { return 0 }
func (s sample) F() float64                    { return s.value }
func (s sample) H() *histogram.Histogram       { return nil }
func (s sample) FH() *histogram.FloatHistogram { return nil }
func (s sample) Type() chunkenc.ValueType      { return chunkenc.ValFloat }
func (s sample) Copy() chunks.Sample           { return s }
