package e2e_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"sheetdrop/verify/e2e"
)

// Files for one target are loaded one right after the other, in their order, and none waits for the timer.
func TestFilesOfATargetDoNotWaitForTheTimer(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{Settings: map[string]string{"RELAY_SCHEDULE": "0 0 0 1 1 *"}})
	makeTarget(t, app, `{"name":"stock","mode":"upsert","key":["id"],"columns":[{"name":"id","type":"integer","required":true},{"name":"n","type":"integer"}]}`)
	var last e2e.Task
	for n := range 10 {
		answer := app.Do(t, http.MethodPost, "/api/files?target=stock&name=stock.csv", http.Header{"Content-Type": {"text/csv"}},
			strings.NewReader(fmt.Sprintf("id,n\n1,%d\n", n)))
		if answer.StatusCode != http.StatusAccepted {
			t.Fatalf("%s %s", answer.Status, answer.Text)
		}
		last = taskIn(t, answer)
	}
	if ended := app.Await(t, last.ID); ended.Status != "COMPLETED" {
		t.Fatalf("%+v", ended)
	}
}
