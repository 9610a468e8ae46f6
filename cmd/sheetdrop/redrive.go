package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
)

type redriveCommand struct {
	IDs       []string `arg:"" optional:"" name:"id" help:"Messages that are FAILED; with --tasks, tasks."`
	AllFailed bool     `help:"All that are FAILED."`
	Event     string   `placeholder:"PARSE_TASK" help:"With --all-failed: only messages of this kind."`
	Tasks     bool     `help:"Tasks rather than messages: they wait for a worker again, as if they had never run."`
	server
}

// Validate is called by kong.
func (r *redriveCommand) Validate() error {
	switch {
	case r.AllFailed == (len(r.IDs) > 0):
		return errors.New("give ids, or --all-failed")
	case r.Event != "" && (r.Tasks || !r.AllFailed):
		return errors.New("--event goes with --all-failed, and not with --tasks")
	}
	return nil
}

func (r *redriveCommand) Run(ctx context.Context, c *console) error {
	a, err := r.api()
	if err != nil {
		return err
	}
	var count int
	switch {
	case r.Tasks && r.AllFailed:
		count, err = a.changeAll(ctx, "/tasks/retry", struct{}{})
	case r.Tasks:
		count, err = a.retryTasks(ctx, r.IDs)
	case r.AllFailed:
		count, err = a.changeAll(ctx, "/outbox/redrive", map[string]string{"event_type": r.Event})
	default:
		count, err = a.redriveEach(ctx, r.IDs)
	}
	c.printf("%d redriven\n", count)
	return err
}

// changed is the API's answer of how many things it has changed.
type changed struct {
	Count int
	More  bool
}

// changeAll posts the same filter until it finds no more.
func (a api) changeAll(ctx context.Context, path string, filter any) (count int, err error) {
	for more := true; more; {
		var now changed
		if err := a.post(ctx, path, filter, &now); err != nil {
			return count, err
		}
		count, more = count+now.Count, now.More
	}
	return count, nil
}

// retryTasks retries tasks by id. Those that are not FAILED are left alone, which is an error.
func (a api) retryTasks(ctx context.Context, ids []string) (int, error) {
	var now changed
	err := a.post(ctx, "/tasks/retry", map[string][]string{"ids": ids}, &now)
	if err == nil && now.Count < len(ids) {
		err = fmt.Errorf("%d of the tasks are not FAILED, or not there", len(ids)-now.Count)
	}
	return now.Count, err
}

func (a api) redriveEach(ctx context.Context, ids []string) (count int, err error) {
	for _, id := range ids {
		if refusal := a.do(ctx, http.MethodPost, "/outbox/"+url.PathEscape(id)+"/redrive", nil, 0, &changed{}); refusal != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", id, refusal))
			continue
		}
		count++
	}
	return count, err
}
