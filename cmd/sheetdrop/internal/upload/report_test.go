package upload

import (
	"slices"
	"testing"

	"sheetdrop/cmd/sheetdrop/internal/report"
	"sheetdrop/internal/client"
)

// A record is one line however many reasons it was rejected for, and whether its task has them as one reject or, as older ones, each by itself.
func TestRejectedRecordIsOneLine(t *testing.T) {
	t.Parallel()
	got := byRecord([]client.Reject{
		{RowNo: 3, Line: new(int64(4)), Code: "a", Errors: make([]client.RejectError, 3)},
		{RowNo: 5, CellRef: new("A5"), ColumnName: new("b"), Code: "c"},
		{RowNo: 5, CellRef: new("A5"), Code: "d"},
		{RowNo: 6, Code: "e"},
	})
	want := []report.Reject{
		{Where: "line 4", Code: "a", More: 2}, {Where: "cell A5", Column: "b", Code: "c", More: 1}, {Where: "row 6", Code: "e"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}
