package relay

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"

	"sheetdrop/bench/compare"
	"sheetdrop/bench/testbed"
	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
)

// untilVisible is how long a message takes from its COMMIT until Azurite has confirmed it, and so anybody can receive it, where so many
// come a second and each is nudged.
func untilVisible(s *testbed.Testbed, perSecond int) compare.Comparison {
	n := perSecond * s.Size(20, 2)
	sink := &azurite{testbed: s, warmUp: s.Size(3000, 50)}
	v := &visible{fixture: &fixture{Testbed: s, sink: sink, n: n}, every: time.Second / time.Duration(perSecond)}
	return compare.Comparison{
		Name:  fmt.Sprintf("relay-visible-%d", perSecond),
		Title: fmt.Sprintf("COMMIT to visible in the queue, %d messages a second, nudged", perSecond),
		Work:  n, Setup: v.open, Measures: testbed.QuantileMeasures, Candidates: []compare.Candidate{{Name: ours, Run: v.run}},
		Bars: []compare.Bar{
			{Measure: "p50", Candidate: ours, Kind: compare.AtMost, Limit: 5},
			{Measure: "p99", Candidate: ours, Kind: compare.AtMost, Limit: 40},
		},
	}
}

type visible struct {
	*fixture
	every time.Duration
}

func (v *visible) open(ctx context.Context) (teardown func(), err error) {
	if v.app, err = v.NewApp(ctx); err != nil {
		return nil, err
	}
	return v.app.Drop, v.sink.open(ctx)
}

func (v *visible) run(ctx context.Context) (compare.Outcome, error) {
	w := &watch{since: map[uuid.UUID]func() time.Duration{}, all: make(chan struct{}), want: v.n}
	storage := v.sink.(*azurite).storage
	storage.Transport = func(next http.RoundTripper) http.RoundTripper { w.next = next; return w }
	_, queue, err := azure.Open(storage)
	if err != nil {
		return compare.Outcome{}, err
	}
	p, err := newOurRelay(ctx, v.fixture, queue)
	if err != nil {
		return compare.Outcome{}, err
	}
	defer p.close()
	ticker := time.NewTicker(v.every)
	defer ticker.Stop()
	for range v.n {
		select {
		case <-ctx.Done():
			return compare.Outcome{}, ctx.Err()
		case <-ticker.C:
		}
		m := postgres.NewParseMessage(task.NewID(), task.NewID())
		err := p.db.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) error {
			return tx.InsertMessages(ctx, []postgres.OutboxMessage{m})
		})
		if err != nil {
			return compare.Outcome{}, err
		}
		w.committed(m.ID)
		p.relay.Nudge(m.ID)
	}
	if err := w.await(ctx); err != nil {
		return compare.Outcome{}, err
	}
	return compare.Outcome{Done: len(w.took), Figures: testbed.Quantiles(w.took)}, nil
}

// watch notes when the queue confirms messages.
type watch struct {
	next http.RoundTripper

	mu    sync.Mutex
	since map[uuid.UUID]func() time.Duration // their COMMIT
	took  []float64
	want  int
	all   chan struct{}
}

func (w *watch) committed(id uuid.UUID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.since[id] = testbed.Start()
}

func (w *watch) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	select {
	case <-w.all:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("messages that were nudged have not come: %w", ctx.Err())
	}
}

// RoundTrip implements http.RoundTripper.
func (w *watch) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	response, err := w.next.RoundTrip(r)
	if err == nil && response.StatusCode == http.StatusCreated {
		err = w.confirmed(body)
	}
	return response, err
}

func (w *watch) confirmed(body []byte) error {
	var put struct{ MessageText string }
	if err := xml.Unmarshal(body, &put); err != nil {
		return err
	}
	text, err := base64.StdEncoding.DecodeString(put.MessageText)
	if err != nil {
		return err
	}
	m, err := task.DecodeParseMessage(text)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if since := w.since[m.MessageID]; since != nil {
		w.took = append(w.took, testbed.Milliseconds(since()))
		if len(w.took) == w.want {
			close(w.all)
		}
	}
	return nil
}
