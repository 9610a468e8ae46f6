package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/task"
)

type redriveCommand struct {
	IDs       []string `arg:"" optional:"" name:"id" help:"Messages that are FAILED; with --tasks, tasks."`
	AllFailed bool     `help:"All that are FAILED."`
	Event     string   `placeholder:"PARSE_TASK" help:"With --all-failed: only messages of this kind."`
	Tasks     bool     `help:"Tasks rather than messages: they wait for a worker again, as if they had never run."`
	ErrorCode []string `placeholder:"CODE" help:"With --tasks --all-failed: tasks that FAILED with one of these codes. If none is given: those that no file is to blame for."`
	serverFlags
}

// Validate is called by kong: its errors are bad usage.
func (r *redriveCommand) Validate() error {
	switch {
	case r.AllFailed == (len(r.IDs) > 0):
		return words.New("name ids, or use --all-failed")
	case r.Event != "" && (r.Tasks || !r.AllFailed):
		return words.New("--event goes with --all-failed, and not with --tasks")
	case len(r.ErrorCode) > 0 && !(r.Tasks && r.AllFailed):
		return words.New("--error-code goes with --tasks --all-failed")
	}
	return nil
}

func (r *redriveCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, err := r.server()
	if err != nil {
		return err
	}
	what, redrive := "message", r.messages
	if r.Tasks {
		what, redrive = "task", r.tasks
	}
	count, err := redrive(ctx, s)
	c.Result(map[string]int64{"queued_again": count}, "%d %s queued again\n", count, terminal.Plural(count, words.In(what)))
	return err
}

func (r *redriveCommand) messages(ctx context.Context, s *server.Server) (count int64, err error) {
	if r.AllFailed {
		return s.RedriveMessages(ctx, r.Event)
	}
	for _, text := range r.IDs {
		id, refusal := idOf(text, "sheetdrop outbox")
		if refusal == nil {
			if refusal = s.RedriveMessage(ctx, id); refusal == nil {
				count++
				continue
			}
			refusal = fmt.Errorf("%s: %w", text, refusal)
		}
		err = errors.Join(err, refusal)
	}
	return count, err
}

// isRetryable reports whether a task that failed with this code may succeed if it runs again.
func isRetryable(code string) bool { return slices.Contains(task.NotOfTheFile, task.FailureCode(code)) }

func (r *redriveCommand) tasks(ctx context.Context, s *server.Server) (count int64, err error) {
	if !r.AllFailed {
		return retryTasks(ctx, s, r.IDs)
	}
	codes := r.ErrorCode
	if len(codes) == 0 {
		for _, code := range task.NotOfTheFile {
			codes = append(codes, string(code))
		}
	}
	for _, code := range codes {
		n, err := s.RetryFailedTasks(ctx, code)
		if count += n; err != nil {
			return count, err
		}
	}
	return count, nil
}

// retryTasks retries tasks by id. Those that have not FAILED are left alone, which is an error.
func retryTasks(ctx context.Context, s *server.Server, texts []string) (count int64, err error) {
	ids := make([]uuid.UUID, len(texts))
	for i, text := range texts {
		if ids[i], err = idOf(text, "sheetdrop tasks"); err != nil {
			return 0, err
		}
	}
	count, err = s.RetryTasks(ctx, ids)
	if left := int64(len(ids)) - count; err == nil && left > 0 {
		err = words.Errorf("%d of %d tasks left alone: not there, or not FAILED", left, len(ids))
	}
	return count, err
}
