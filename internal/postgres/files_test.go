package postgres_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
)

// P9: a page of files whose tasks are big, as those with many declared columns are, is shorter; the next one goes on where it ended.
func TestFilesComeInPagesThatFitIntoMemory(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	const files = 5
	for range files {
		db.AddSentUpload(t, func(u *postgres.Upload) { u.Options = fmt.Appendf(nil, `{"x": %q}`, strings.Repeat("x", 5<<20)) })
	}
	seen, pages := 0, 0
	for before, more := uuid.Max, true; more; pages++ {
		var (
			page []postgres.FileAndTask
			err  error
		)
		page, more, err = db.Files(t.Context(), postgres.FileFilter{Owner: "local"}, before, files)
		if err != nil {
			t.Fatal(err)
		}
		seen += len(page)
		before = page[len(page)-1].File.ID
	}
	if seen != files || pages < 2 {
		t.Errorf("%d files in %d pages, want %d in more than one", seen, pages, files)
	}
}
