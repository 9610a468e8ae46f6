package house

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// What the documentation says of a number that callers run into is what the program does.
func TestNumbersOfTheDocumentationAreTrue(t *testing.T) {
	t.Parallel()
	settings := handlerSettings(t)
	bytes, err := strconv.Atoi(settings["UPLOAD_MAX_BYTES"].byDefault)
	if err != nil {
		t.Fatal(err)
	}
	uploads := settings["UPLOAD_CONCURRENCY"].byDefault
	longAnswers := number(t, `^const maxStreams = (\d+)`, read(t, "upload-api/places.go"))
	waits := number(t, `^const maxWaits = (\d+)`, read(t, "upload-api/get_task.go"))
	watched := number(t, `^const MaxTasks = (\d+)`, read(t, "upload-api/internal/watch/stream.go"))
	searched := number(t, `^const searchedFiles = (\d+)`, read(t, "internal/postgres/file_search.go"))
	bulk := number(t, `^const bulkItems = (\d+)`, read(t, "upload-api/bulk.go"))
	for page, sentences := range map[string][]string{
		"docs/api.md": {
			fmt.Sprintf("- Beyond %s uploads at once (`UPLOAD_CONCURRENCY`, of one server process)", uploads),
			fmt.Sprintf("- A body may have %d MiB (`UPLOAD_MAX_BYTES`)", bytes>>20),
			fmt.Sprintf("A server process serves %s uploads, %d long answers and %d requests with `wait` at once", uploads, longAnswers, waits),
			fmt.Sprintf("A server process gives %d answers with sheets, rows, rejects or content at", longAnswers),
			fmt.Sprintf("for all tasks of a page (`task=A,B,C`, %d at most)", watched),
			fmt.Sprintf("a request looks at %s files", thousands(searched)),
			fmt.Sprintf("parses up to %s files again", thousands(bulk)),
			fmt.Sprintf("for `RECORD_DAYS`, which is %s unless set", settings["RECORD_DAYS"].byDefault),
		},
		"ARCHITECTURE.md": {
			fmt.Sprintf("so it does beyond %d long answers and %d requests", longAnswers, waits),
			fmt.Sprintf("dead letters for `RECORD_DAYS`\n(%s; 0 is for ever)", settings["RECORD_DAYS"].byDefault),
			fmt.Sprintf("sent messages for `OUTBOX_HISTORY_DAYS` (%s)", settings["OUTBOX_HISTORY_DAYS"].byDefault),
		},
	} {
		for _, sentence := range sentences {
			if !strings.Contains(read(t, page), sentence) {
				t.Errorf("%s does not say %q", page, sentence)
			}
		}
	}
}

// thousands formats a number below a million with a comma before its last three digits.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}
