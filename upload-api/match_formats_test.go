package upload

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"sheetdrop/internal/sheet"
	"sheetdrop/internal/sheet/types"
	"sheetdrop/upload-api/internal/targets"
)

// Who matches a sheet learns before the load which columns can be read in several ways, with the formats that the load would ask for.
func TestMatchListsFormatsToChooseFrom(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	made := d.target(pricesTarget)
	taken := d.upload("a.csv", "a\n")
	id := sheetOf(d, taken.Task.ID, "sku", "net", "valid_from")
	d.exec(`update sheetdrop.sheet set columns = $2 where id = $1`, id, jsonOf([]sheet.Column{
		{Name: "sku", Label: "sku", Report: types.Report{Type: types.Text}},
		{Name: "net", Label: "net", Report: types.Report{Type: types.Integer, Format: "#,##0", Ambiguous: []string{"0.0"}}},
		{Name: "valid_from", Label: "valid_from", Report: types.Report{Type: types.Date, Format: "DD/MM/YYYY", Ambiguous: []string{"MM/DD/YYYY"}}},
	}))
	var got targets.Matching
	d.send(http.MethodPost, pathOf(made)+"/match?task="+taken.Task.ID.String(), nil).into(http.StatusOK, &got)
	var formats []string
	for _, c := range got.Columns {
		formats = append(formats, fmt.Sprint(c.Formats))
	}
	if want := []string{"[]", "[#,##0.0 0.0]", "[DD/MM/YYYY MM/DD/YYYY]"}; !slices.Equal(formats, want) {
		t.Errorf("%q, want %q", formats, want)
	}
}

// Who matches headers learns how far each match can be trusted: less where the name had to be folded, little where the values of the sheet are
// of another kind than the column, and wholly what somebody has asked for.
func TestMatchTellsItsConfidence(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	made := d.target(pricesTarget)
	taken := d.upload("a.csv", "a\n")
	id := sheetOf(d, taken.Task.ID, "SKU", "net", "valid")
	d.exec(`update sheetdrop.sheet set rows_read = 10, rows_loaded = 10, columns = $2 where id = $1`, id, jsonOf([]sheet.Column{
		{Name: "SKU", Label: "SKU", Report: types.Report{Type: types.Text}},
		{Name: "net", Label: "net", Report: types.Report{Type: types.Text, Examples: []string{"red", "1.5"}}},
		{Name: "valid", Label: "valid", Report: types.Report{Type: types.Date}},
	}))
	match := func(body string) (told string) {
		t.Helper()
		var got targets.Matching
		d.sendJSON(http.MethodPost, pathOf(made)+"/match?task="+taken.Task.ID.String(), body).into(http.StatusOK, &got)
		for _, c := range got.Columns {
			if c.Confidence != nil {
				told += fmt.Sprintf("%s %v; ", *c.Column, *c.Confidence)
			}
			for _, candidate := range c.Candidates {
				told += fmt.Sprintf("%s? %v; ", candidate.Column, candidate.Confidence)
			}
		}
		return told
	}
	if got, want := match(`{}`), "article 0.9; net 0.5; valid_from? 0.6; "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := match(`{"mapping": {"net": "net"}}`), "article 0.9; net 1; valid_from? 0.6; "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
