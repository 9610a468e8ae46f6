package upload

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

// found returns the names of the files that a query finds, over all pages.
func (d *testAPI) found(t *testing.T, query string) string {
	t.Helper()
	var names []string
	for cursor := ""; ; {
		var page export.List[FileDetail]
		d.get("/api/files?"+query+"&cursor="+cursor).into(http.StatusOK, &page)
		for _, file := range page.Items {
			names = append(names, file.Name)
		}
		if page.Next == nil {
			return strings.Join(names, " ")
		}
		cursor = *page.Next
	}
}

// Who has many files finds some of them by a part of their names and by what has become of them, each once and in order.
func TestFilesAreFound(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	upload := func(name string, status task.Status) FileAndTask {
		taken := d.upload(url.QueryEscape(name), "a\n")
		if status != task.Pending {
			setStatus(d, taken.Task.ID, status)
		}
		return taken
	}
	upload("Orders_1.csv", task.Pending)
	upload("100%.csv", task.Failed)
	upload("注文 orders.csv", task.Failed)
	upload("prices.csv", task.Cancelled)
	rejected := upload("orders 2.csv", task.Processing)
	d.exec(`update sheetdrop.task set progress = '{"rows_rejected":3}' where id = $1`, rejected.Task.ID)
	for query, want := range map[string]string{
		"name=ORDERS":                    "orders 2.csv 注文 orders.csv Orders_1.csv",
		"name=%E6%B3%A8":                 "注文 orders.csv",
		"name=%25":                       "100%.csv", // neither % nor _ stands for other characters
		"name=s_":                        "Orders_1.csv",
		"name=nothing":                   "",
		"status=FAILED":                  "注文 orders.csv 100%.csv",
		"status=FAILED,CANCELLED":        "prices.csv 注文 orders.csv 100%.csv",
		"status=PENDING&name=orders":     "Orders_1.csv",
		"rejects=true":                   "orders 2.csv",
		"rejects=true&status=CANCELLED":  "",
		"name=.csv&status=FAILED,FAILED": "注文 orders.csv 100%.csv",
	} {
		for _, limit := range []int{1, 2, 100} {
			if got := d.found(t, fmt.Sprintf("%s&limit=%d", query, limit)); got != want {
				t.Errorf("%s by %d finds %q, want %q", query, limit, got, want)
			}
		}
	}
	for _, query := range []string{"status=DONE", "status=FAILED,", "name=%00", "name=" + strings.Repeat("x", 256)} {
		d.get("/api/files?" + query).problem(problem.InvalidParameter)
	}
}

// A search that finds nothing among very many files is answered after a part of them, and goes on from there; the file at the very end of a part is found, too.
func TestSearchOfFilesIsBounded(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	d.upload("wanted.csv", "a\n")
	d.exec(`with f as (
  insert into sheetdrop.source_file (id, owner, name, media_type, size_bytes, sha256, blob_name, part_no)
  select (lpad(to_hex((extract(epoch from now() + interval '1 h') * 1000)::bigint + i), 12, '0') || '70008000' || repeat('0', 12))::uuid, 'local', 'other.csv', '', 1,
    sha256(i::text::bytea), 'none/' || i, 1
  from generate_series(1, 9999) i returning id
)
insert into sheetdrop.task (id, source_file_id, owner, options) select id, id, 'local', '{}' from f`)
	var page export.List[FileDetail]
	d.get("/api/files?name=wanted").into(http.StatusOK, &page)
	if len(page.Items) != 0 || page.Next == nil {
		t.Errorf("the first page has %d files, next %v", len(page.Items), page.Next)
	}
	if got := d.found(t, "name=wanted"); got != "wanted.csv" {
		t.Errorf("all pages find %q", got)
	}
}
