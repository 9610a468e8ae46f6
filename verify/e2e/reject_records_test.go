package e2e_test

import (
	"net/http"
	"strings"
	"testing"

	"sheetdrop/verify/e2e"
)

// A program corrects rejects by their JSON alone: key and cells are those of the file that people download.
func TestRejectsAsRecordsInJSON(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{})
	first := app.Await(t, uploadDeclared(t, app, "id,day\r\n1,soon\r\n2\r\n\"3,2024-01-31\r\n4,2024-01-31\r\n", "id:integer", "day:date").ID)
	wantCounts(t, first, 1, 3, 0)
	path := "/api/tasks/" + first.ID.String() + "/sheets/1/rejects?layout=records"
	var page struct {
		Items []struct {
			Key   string
			Cells []*string
		}
	}
	app.Get(t, path, &page)
	if len(page.Items) != 3 || len(page.Items[0].Cells) != 2 || *page.Items[0].Cells[1] != "soon" || len(page.Items[2].Cells) != 2 {
		t.Fatalf("the rejects are %+v", page.Items)
	}
	if cells := page.Items[1].Cells; len(cells) != 1 {
		t.Errorf("a record of one cell has %d", len(cells))
	}
	csv := string(download(t, app, path+"&format=csv", nil))
	for _, item := range page.Items {
		if !strings.Contains(csv, "\r\n"+item.Key+",") {
			t.Errorf("the key %q is not in\n%s", item.Key, csv)
		}
	}
	fixed := "sheetdrop_key,id,day\r\n" + page.Items[0].Key + ",1,2024-01-30\r\n" + page.Items[2].Key + ",3,2024-01-31\r\n"
	wantCounts(t, correct(t, app, first, "fixed.csv", []byte(fixed)), 2, 0, 0)
	var without struct{ Items []map[string]any }
	app.Get(t, strings.TrimSuffix(path, "?layout=records"), &without)
	if _, found := without.Items[0]["key"]; found {
		t.Error("whoever does not ask for the key gets it")
	}
	if answer := app.Do(t, http.MethodGet, path+"&format=parquet", nil, nil); answer.StatusCode != http.StatusBadRequest {
		t.Errorf("Parquet has a layout: %s", answer.Status)
	}
}
