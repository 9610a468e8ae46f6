package e2e_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"sheetdrop/verify/e2e"
)

// Two tables below one another in one file are two sheets with tables=all, with their rows in the first and the second. Without it the second
// is no part of the first.
func TestTablesOfAFileAreSheets(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{})
	const file = "Orders\nid,amount\n1,2\n2,3\n3,5\n4,8\n5,13\n6,21\n\nStock\nsku,name,qty\na,anvil,1\nb,bolt,2\nc,cog,3\n"
	for query, want := range map[string]string{
		"&tables=all": `[["1","2"],["2","3"],["3","5"],["4","8"],["5","13"],["6","21"]] [["a","anvil","1"],["b","bolt","2"],["c","cog","3"]]`,
		"":            `[["1","2"],["2","3"],["3","5"],["4","8"],["5","13"],["6","21"]]`,
	} {
		answer := app.Do(t, http.MethodPost, "/api/files?name=two.csv"+query, http.Header{"Content-Type": {"text/csv"}}, strings.NewReader(file))
		if answer.StatusCode != http.StatusAccepted {
			t.Fatalf("%s %s", answer.Status, answer.Text)
		}
		task := app.Await(t, taskIn(t, answer).ID)
		if task.Status != "COMPLETED" {
			t.Fatalf("%+v", task)
		}
		var sheets struct{ Items []struct{ Name string } }
		app.Get(t, "/api/tasks/"+task.ID.String()+"/sheets", &sheets)
		var got []string
		for i := range sheets.Items {
			rows, err := json.Marshal(app.Rows(t, task.ID, int64(i+1)))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(rows))
		}
		if rows := strings.Join(got, " "); rows != want {
			t.Errorf("tables%s: %s of %+v, want %s", query, rows, sheets.Items, want)
		}
	}
}
