package crashpoint_test

import (
	"testing"

	"sheetdrop/internal/crashpoint"
)

// What only reads, or locks, leaves nothing behind; what changes something does so wherever that stands in the statement.
func TestChanges(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]bool{
		"begin": false,
		"select id from sheetdrop.task where id = $1 for no key update skip locked":                               false,
		"select deleted_at from sheetdrop.source_file":                                                            false,
		"with due as (select id from sheetdrop.outbox_message)\nupdate sheetdrop.outbox_message set attempts = 1": true,
		"with sent as (delete from sheetdrop.outbox_message returning id) select id from sent":                    true,
		"INSERT INTO sheetdrop.task values ($1)":                                                                  true,
		"select nextval('sheetdrop.sheet_id')":                                                                    true,
		"truncate sheetdrop.outbox_history_07":                                                                    true,
	} {
		if got := crashpoint.Changes(sql); got != want {
			t.Errorf("%s: %t, want %t", sql, got, want)
		}
	}
}
