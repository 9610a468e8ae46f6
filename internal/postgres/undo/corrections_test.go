package undo_test

import (
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/fault"
	"sheetdrop/internal/postgres/undo"
)

// A load that is corrected while another one takes its place, as can happen in a target whose loads have no order, is looked at again: its
// corrections are not left behind.
func TestLoadThatIsCorrectedMeanwhile(t *testing.T) {
	t.Parallel()
	target := newTarget(t)
	first := of(1, "upsert", [4]string{"one", "x", "1", ""})
	first.sheet = 1
	target.load(first)
	correction := of(2, "upsert", [4]string{"two", "x", "2", ""})
	correction.sheet, correction.corrects = 1, 1
	place := undo.Place{Target: target.table.TargetID, File: uuid.Nil, Sheet: 1}

	tx := target.db.Begin(t)
	err := undo.SupersedeWhile(t.Context(), tx, target.table, place, 3, func() { target.load(correction) })
	if err == nil || fault.Of(err) != fault.Service {
		t.Errorf("the load was superseded without its correction: %v, want a transient error", err)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	tx = target.db.Begin(t)
	if err := undo.Supersede(t.Context(), tx, target.table, place, 3); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := target.tables().rows; len(left) > 0 {
		t.Errorf("the table has %v", left)
	}
}
