//go:build linux

package soak

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sheetdrop/internal/task"
)

// garbageReceived is how a worker refuses a message that was put into the queue here: the only thing besides alerts that is logged as an error,
// for services that are away are warnings.
const garbageReceived = `"error":"not a parse message`

// said is a line of a handler's log that is about a task, or an alert.
type said struct {
	Msg, Alert, Code string
	TaskID           *uuid.UUID `json:"task_id"`
	FileID           *uuid.UUID `json:"file_id"`
	OwnerHash        string     `json:"owner_hash"`
	Attempt          *int
	QueueMessageID   string `json:"queue_message_id"`

	line string
}

func readSaid(line []byte) (s said, ok bool) {
	if json.Unmarshal(line, &s) != nil {
		return s, false
	}
	s.line = string(line)
	return s, s.TaskID != nil || s.Alert != ""
}

// logged is a task as lines of the log must name it.
type logged struct {
	ID, SourceFileID uuid.UUID
	Owner, Status    string
	Code             string
	Attempt          int
}

// checkLog holds each line about a task against the task, and each alert against its cause; and wants no more than one end of an attempt, and
// of a calm run exactly one.
func (s *soak) checkLog(t *testing.T) {
	t.Helper()
	rows, err := s.sql.Query(t.Context(), `select t.id, t.source_file_id, f.owner, t.status, coalesce(t.error_code, '') as code, t.attempt
from sheetdrop.task t join sheetdrop.source_file f on f.id = t.source_file_id`)
	if err != nil {
		t.Fatal(err)
	}
	tasks, err := pgx.CollectRows(rows, pgx.RowToStructByName[logged])
	if err != nil {
		t.Fatal(err)
	}
	byID := map[uuid.UUID]logged{}
	for _, job := range tasks {
		byID[job.ID] = job
	}
	type attempt struct {
		task   uuid.UUID
		number int
		msg    string
	}
	ends, lines := map[attempt]int{}, 0
	for _, i := range s.instances {
		for _, l := range i.output.all() {
			lines++
			if why := l.wrong(byID, s.garbage); why != "" {
				t.Errorf("seed %d: %s: %s", s.seed, why, l.line)
				continue
			}
			switch l.Msg {
			case "task completed", "run ended":
				ends[attempt{*l.TaskID, *l.Attempt, "worker"}]++
			case "worker died":
				ends[attempt{*l.TaskID, *l.Attempt, "maintenance"}]++
			}
		}
	}
	for end, n := range ends {
		if n > 1 {
			t.Errorf("seed %d: the %s logs %d ends of attempt %d of task %s", s.seed, end.msg, n, end.number, end.task)
		}
	}
	if *calm {
		for _, job := range tasks {
			for n := range job.Attempt {
				if ends[attempt{job.ID, n + 1, "worker"}]+ends[attempt{job.ID, n + 1, "maintenance"}] != 1 {
					t.Errorf("seed %d: nothing broke, and the end of attempt %d of task %s is not in the log once", s.seed, n+1, job.ID)
				}
			}
		}
	}
	t.Logf("%d lines of the log are about tasks, %d of them ends of attempts", lines, len(ends))
}

// wrong says what is wrong with a line, or "".
func (l said) wrong(tasks map[uuid.UUID]logged, garbage []string) string {
	if l.TaskID == nil {
		if l.Alert == "dead_letter" && len(garbage) > 0 {
			return ""
		}
		return "an alert without a cause"
	}
	job, ok := tasks[*l.TaskID]
	switch {
	case !ok:
		return "no such task"
	case l.FileID == nil || *l.FileID != job.SourceFileID || l.OwnerHash != task.OwnerHash(job.Owner) || l.Attempt == nil || *l.Attempt > job.Attempt:
		return "not the task's file, owner and attempt"
	case l.Alert == "task_failed" && (job.Status != "FAILED" || job.Code != l.Code):
		return "an alert for a task that is " + job.Status + " " + job.Code
	case l.Alert != "" && !slices.Contains([]string{"task_failed", "dead_letter"}, l.Alert):
		return "an alert that nothing here can bring about"
	}
	return ""
}

// all are the lines about tasks, and the alerts.
func (o *output) all() []said {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.said)
}
