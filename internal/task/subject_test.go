package task_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/task"
)

// A line about a task names it, its file and its attempt, and its owner only by a hash that a shell can make, too.
func TestFieldsOfASubject(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := task.Subject{TaskID: uuid.Max, FileID: uuid.Nil, Owner: "aad:tenant/ann", Attempt: 3}
	slog.New(slog.NewJSONHandler(&log, nil)).With(s.Fields()).Info("x")
	const want = `"task_id":"ffffffff-ffff-ffff-ffff-ffffffffffff","file_id":"00000000-0000-0000-0000-000000000000","owner_hash":"4ad700a0c194","attempt":3}`
	if !strings.HasSuffix(strings.TrimSpace(log.String()), want) {
		t.Errorf("%s, want the end %s", log.String(), want)
	}
}
