package upload

import (
	"github.com/google/uuid"

	"sheetdrop/internal/client"
)

// Outcome is what became of a file, for programs: the line that is printed for it as JSON.
type Outcome struct {
	Name   string           `json:"name"`
	Task   *client.Task     `json:"task,omitempty"`    // as the API returns it; not there if the file was not accepted
	SameAs *client.SameFile `json:"same_as,omitempty"` // the file with the same bytes, because of which this one was not uploaded
	SQL    []string         `json:"sql,omitempty"`     // statements that read the rows
	Error  string           `json:"error,omitempty"`   // why it was not accepted, or its outcome is unknown
}

// Loaded reports whether its rows are there.
func (o Outcome) Loaded() bool {
	return o.Error == "" && o.Task != nil && o.Task.Status == client.TaskStatusCOMPLETED
}

// Refused reports whether trying again would be refused again, because the file is the cause.
func (o Outcome) Refused() bool {
	return o.Error == "" && o.Task != nil && o.Task.Status == client.TaskStatusFAILED
}

func (d *delivery) outcome() Outcome {
	o := Outcome{Name: d.name, SameAs: d.same, SQL: d.sql}
	if d.task.ID != uuid.Nil {
		o.Task = &d.task
	}
	if d.err != nil {
		o.Error = d.err.Error()
	}
	return o
}
