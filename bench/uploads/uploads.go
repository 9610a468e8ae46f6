// Package uploads measures how fast files come in: requests, the transaction of a request, and what waits behind them.
package uploads

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"sheetdrop/bench/compare"
	"sheetdrop/bench/testbed"
	"sheetdrop/internal/azure"
)

const (
	raw   = "raw Put Blob"
	alone = "API alone"
	whole = "whole system"

	fileBytes = 10_000
	many      = 16 // requests at once
)

// Comparisons returns the comparisons of uploads.
func Comparisons(s *testbed.Testbed) []compare.Comparison {
	throughput := &fixture{Testbed: s}
	single := &fixture{Testbed: s}
	return []compare.Comparison{
		{
			Name: "uploads", Title: "POST of a 10 kB file, 16 at once; the whole system until all are COMPLETED", Work: s.Size(1000, 48),
			Setup: throughput.open, Measures: []compare.Measure{{Name: "rate", Unit: "1/s"}},
			Candidates: []compare.Candidate{
				{Name: raw, Run: throughput.rate(s.Size(1000, 48), throughput.putBlob, nil)},
				{Name: alone, Run: throughput.rate(s.Size(1000, 48), throughput.post(&throughput.alone), nil)},
				{Name: whole, Run: throughput.rate(s.Size(1000, 48), throughput.post(&throughput.whole), throughput.awaitCompleted)},
			},
			Bars: []compare.Bar{
				{Measure: "rate", Candidate: alone, Against: raw, Kind: compare.AtLeast, Limit: 0.60},
				{Measure: "rate", Candidate: whole, Against: raw, Kind: compare.AtLeast, Limit: 0.35},
			},
		},
		{
			Name: "upload", Title: "POST of a 10 kB file, one at a time, to the answer; the whole system parses meanwhile", Work: s.Size(300, 20),
			Setup: single.open, Measures: testbed.QuantileMeasures,
			Candidates: []compare.Candidate{
				{Name: raw, Run: single.latency(s.Size(300, 20), single.putBlob)},
				{Name: alone, Run: single.latency(s.Size(300, 20), single.post(&single.alone))},
				{Name: whole, Run: single.latency(s.Size(300, 20), single.post(&single.whole))},
			},
			Bars: []compare.Bar{
				{Measure: "p50", Candidate: alone, Against: raw, Kind: compare.AtMost, Limit: 2.2},
				{Measure: "p50", Candidate: whole, Against: raw, Kind: compare.AtMost, Limit: 3},
			},
		},
		transactions(s),
	}
}

// fixture is what the candidates of uploads use: a container, a handler whose files nobody parses, and a host.
type fixture struct {
	*testbed.Testbed
	raw                azure.Settings
	blobs              *container.Client
	aloneApp, wholeApp *testbed.App
	alone, whole       *testbed.Program
	completed          int // tasks of the whole system before this run
	sent               atomic.Int64
}

func (f *fixture) open(ctx context.Context) (func(), error) {
	var err error
	if f.aloneApp, err = f.NewApp(ctx); err != nil {
		return nil, err
	}
	if f.wholeApp, err = f.NewApp(ctx); err != nil {
		return nil, err
	}
	if f.raw, err = f.NewStorage(ctx); err != nil {
		return nil, err
	}
	options := &container.ClientOptions{}
	options.Transport = testbed.Client // with as many connections as there are calls at once
	if f.blobs, err = container.NewClientFromConnectionString(f.raw.Connection, f.raw.Container, options); err != nil {
		return nil, err
	}
	if f.alone, err = f.aloneApp.StartHandler(ctx, "handler", nil); err != nil {
		return nil, err
	}
	if f.whole, err = f.wholeApp.StartHost(ctx, "hosted handler", nil); err != nil {
		return nil, err
	}
	for _, work := range []func(context.Context, int) error{f.putBlob, f.post(&f.alone), f.post(&f.whole)} {
		if _, _, err := testbed.Each(ctx, f.Size(300, 10), many, work); err != nil {
			return nil, err
		}
	}
	if err := f.awaitCompleted(ctx, f.Size(300, 10)); err != nil {
		return nil, err
	}
	if err := f.emptyStores(ctx); err != nil {
		return nil, err
	}
	return func() {
		f.alone.Stop(f.Log)
		f.whole.Stop(f.Log)
		f.aloneApp.Drop()
		f.wholeApp.Drop()
	}, nil
}

// content is a file of 10 kB that no other one equals.
func (f *fixture) content() []byte {
	n := f.sent.Add(1)
	var b bytes.Buffer
	fmt.Fprintf(&b, "number,text\n")
	for row := 0; b.Len() < fileBytes; row++ {
		fmt.Fprintf(&b, "%d,%s %d\n", n, strings.Repeat("text ", 8), row)
	}
	return b.Bytes()
}

func (f *fixture) putBlob(ctx context.Context, _ int) error {
	client := f.blobs.NewBlockBlobClient(fmt.Sprintf("blob-%d", f.sent.Add(1)))
	_, err := client.UploadBuffer(ctx, f.content(), nil)
	return err
}

func (f *fixture) post(to **testbed.Program) func(context.Context, int) error {
	return func(ctx context.Context, _ int) error {
		_, err := (*to).Upload(ctx, "list.csv", bytes.NewReader(f.content()))
		return err
	}
}

// awaitCompleted waits until n more tasks of the whole system are COMPLETED.
func (f *fixture) awaitCompleted(ctx context.Context, n int) error {
	f.completed += n
	return f.wholeApp.AwaitCount(ctx, f.completed, `select count(*) from sheetdrop.task where status = 'COMPLETED'`)
}

// emptied returns a run behind which the stores are empty again, as every run finds them.
func (f *fixture) emptied(run func(context.Context) (compare.Outcome, error)) func(context.Context) (compare.Outcome, error) {
	return func(ctx context.Context) (compare.Outcome, error) {
		outcome, err := run(ctx)
		return outcome, errors.Join(err, f.emptyStores(ctx))
	}
}

func (f *fixture) emptyStores(ctx context.Context) (err error) {
	for _, s := range []azure.Settings{f.raw, f.aloneApp.Storage, f.wholeApp.Storage} {
		err = errors.Join(err, testbed.EmptyStorage(ctx, s))
	}
	return err
}

func (f *fixture) rate(n int, work, then func(context.Context, int) error) func(context.Context) (compare.Outcome, error) {
	return f.emptied(func(ctx context.Context) (compare.Outcome, error) {
		elapsed := testbed.Start()
		if _, _, err := testbed.Each(ctx, n, many, work); err != nil {
			return compare.Outcome{}, err
		}
		if then != nil {
			if err := then(ctx, n); err != nil {
				return compare.Outcome{}, err
			}
		}
		return compare.Outcome{Done: n, Figures: compare.Figures{"rate": float64(n) / elapsed().Seconds()}}, nil
	})
}

func (f *fixture) latency(n int, work func(context.Context, int) error) func(context.Context) (compare.Outcome, error) {
	return f.emptied(func(ctx context.Context) (compare.Outcome, error) {
		took, _, err := testbed.Each(ctx, n, 1, work)
		return compare.Outcome{Done: len(took), Figures: testbed.Quantiles(took)}, err
	})
}
