package postgres_test

import (
	"context"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/bulkparse"
	"sheetdrop/internal/postgres/pgtest"
)

// P7: which of a file's tasks was the first and which is the newest, the database's clock says, and not the ids: a process whose clock is wrong
// made one that sorts before.
func TestClocksOfProcessesDoNotOrderTasks(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	const key = "key"
	first := db.AddUpload(t, func(u *postgres.Upload) { u.File.IdempotencyKey = key })
	file, newest := first.File.ID, uuid.MustParse("01000000-0000-7000-8000-000000000000")
	err := db.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		return tx.InsertTasks(ctx, []postgres.NewTask{{FileID: file, Message: postgres.NewParseMessage(uuid.New(), newest)}})
	})
	if err != nil {
		t.Fatal(err)
	}
	want := func(what string, got, want uuid.UUID, err error) {
		t.Helper()
		if err != nil || got != want {
			t.Errorf("%s: task %s, %v, want %s", what, got, err, want)
		}
	}
	if found, err := db.UploadsByID(t.Context(), []uuid.UUID{file}); err != nil || len(found) != 1 {
		t.Errorf("%d uploads of the id, %v, want 1", len(found), err)
	} else {
		want("the upload", found[0].Task.ID, first.TaskID, err)
	}
	shown, err := db.File(t.Context(), "local", file)
	want("the file", shown.Task.ID, newest, err)
	if listed, _, err := db.Files(t.Context(), postgres.FileFilter{Owner: "local"}, uuid.Max, 1); err != nil || len(listed) != 1 {
		t.Errorf("%d files, %v, want 1", len(listed), err)
	} else {
		want("the list of files", listed[0].Task.ID, newest, err)
	}
	err = db.InTx(t.Context(), nil, func(ctx context.Context, tx postgres.Tx) error {
		if repeated, err := tx.UploadsByKey(ctx, "local", key); err != nil || len(repeated) != 1 {
			t.Errorf("%d uploads under the key, %v, want 1", len(repeated), err)
		} else {
			want("the upload's repetition", repeated[0].Task.ID, first.TaskID, err)
		}
		if candidates, err := bulkparse.Candidates(ctx, tx, "local", bulkparse.Filter{}, 1); err != nil || len(candidates) != 1 {
			t.Errorf("%d candidates, %v, want 1", len(candidates), err)
		} else {
			want("the filter", candidates[0].TaskID, newest, err)
		}
		locked, err := bulkparse.Lock(ctx, tx, "local", []uuid.UUID{file})
		want("the bulk operation", locked[file].NewestID, newest, err)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
