package taskhistory_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/postgres/taskhistory"
)

// Whoever asks what became of a task that there never was is told so.
func TestReadOfNoTask(t *testing.T) {
	t.Parallel()
	if _, err := taskhistory.Read(t.Context(), pgtest.New(t).DB, uuid.New()); !errors.Is(err, postgres.ErrNotFound) {
		t.Errorf("%v, want ErrNotFound", err)
	}
}

// node is a part of the server's plan.
type node struct {
	Type     string `json:"Node Type"`
	Relation string `json:"Relation Name"`
	Index    string `json:"Index Name"`
	Cond     string `json:"Index Cond"`
	Plans    []node
}

// Asking for one task does not cost more with all that ever happened: each table is read by an index, with what to look for in it.
func TestReadGoesByIndexes(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	u := db.AddUpload(t)
	tx := db.Begin(t)
	if _, err := tx.Exec(t.Context(), `set local enable_seqscan = off; set local enable_bitmapscan = off`); err != nil {
		t.Fatal(err)
	}
	var (
		text  []byte
		plans []struct{ Plan node }
	)
	if err := tx.QueryRow(context.WithoutCancel(t.Context()), `explain (format json) `+taskhistory.SnapshotSQL, u.TaskID, 2).Scan(&text); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &plans); err != nil {
		t.Fatal(err)
	}
	read := map[string]bool{}
	plans[0].Plan.each(func(n node) {
		if n.Relation == "" || n.Relation == "reconciler" { // which has one row
			return
		}
		read[n.Relation] = true
		if n.Index == "" || n.Cond == "" {
			t.Errorf("%s is read by a %s (%s) with the condition %q", n.Relation, n.Type, n.Index, n.Cond)
		}
	})
	for _, table := range []string{
		"task", "source_file", "task_history", "outbox_message", "outbox_history_00", "dead_letter", "operator_action", "target_load",
		"webhook", "webhook_delivery", "upload",
	} {
		if !read[table] {
			t.Errorf("%s is not read: %v", table, read)
		}
	}
}

func (n node) each(do func(node)) {
	do(n)
	for _, p := range n.Plans {
		p.each(do)
	}
}
