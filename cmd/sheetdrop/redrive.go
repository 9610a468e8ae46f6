package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"sheetdrop/internal/task"
)

type redriveCommand struct {
	IDs       []string `arg:"" optional:"" name:"id" help:"Messages that are FAILED; with --tasks, tasks."`
	AllFailed bool     `help:"All that are FAILED."`
	Event     string   `placeholder:"PARSE_TASK" help:"With --all-failed: only messages of this kind."`
	Tasks     bool     `help:"Tasks rather than messages: they wait for a worker again, as if they had never run."`
	ErrorCode []string `placeholder:"CODE" help:"With --tasks --all-failed: tasks that FAILED with one of these codes. If none is given: those that no file is to blame for."`
	server
}

// Validate is called by kong.
func (r *redriveCommand) Validate() error {
	switch {
	case r.AllFailed == (len(r.IDs) > 0):
		return errors.New("give ids, or --all-failed")
	case r.Event != "" && (r.Tasks || !r.AllFailed):
		return errors.New("--event goes with --all-failed, and not with --tasks")
	case len(r.ErrorCode) > 0 && !(r.Tasks && r.AllFailed):
		return errors.New("--error-code goes with --tasks --all-failed")
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
		count, err = a.retryFailed(ctx, r.ErrorCode)
	case r.Tasks:
		count, err = a.retryTasks(ctx, r.IDs)
	case r.AllFailed:
		count, err = a.changeAll(ctx, "/outbox/redrive", map[string]string{"event_type": r.Event})
	default:
		count, err = a.redriveEach(ctx, r.IDs)
	}
	if r.Tasks {
		c.printf("%d %s queued again\n", count, plural(count, "task"))
	} else {
		c.printf("%d %s queued again\n", count, plural(count, "message"))
	}
	return err
}

// notTheFiles are the codes of tasks that may succeed if they run again: not the file was at fault.
var notTheFiles = []string{
	string(task.WorkerDied), string(task.InternalError), string(task.TookTooLong), string(task.DatabaseFull), string(task.ContentMissing),
}

// retryFailed retries all tasks that have FAILED with one of the codes; without any, those of which no file was at fault.
func (a api) retryFailed(ctx context.Context, codes []string) (count int, err error) {
	if len(codes) == 0 {
		codes = notTheFiles
	}
	for _, code := range codes {
		n, err := a.changeAll(ctx, "/tasks/retry", map[string]string{"error_code": code})
		if count += n; err != nil {
			return count, err
		}
	}
	return count, nil
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
