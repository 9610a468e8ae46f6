package e2e_test

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/text/encoding/japanese"

	"sheetdrop/verify/e2e"
)

// orders are as people write them: CP932, full-width digits, eras, yen; two rows break what is declared.
const orders = "注文番号,納期,金額,数量,在庫\r\n" +
	"００７,令和6年1月31日,\"￥1,200\",１２,あり\r\n" +
	"A12,R6.2.29,△500,3,なし\r\n" +
	"A13,2024/2/30,10,3,あり\r\n" +
	"A12,2024/3/1,10,0,あり\r\n" +
	"A15,,,4,\r\n"

// A file with declared columns goes in through a form, and its rows come out in their types as well as in the file's own words; those
// that break the rules come out with the reason in two languages.
func TestDeclaredAndTyped(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{})
	task := app.Await(t, uploadOrders(t, app, "column=注文番号:text;required;unique", "column=納期:date", "column=数量:integer;min=1").ID)
	if task.Status != "COMPLETED" || task.Summary.RowsRead != 5 || task.Summary.RowsLoaded != 3 || task.Summary.RowsRejected != 2 {
		t.Fatalf("%+v %+v, want COMPLETED with 3 of 5 rows", task, task.Summary)
	}
	path := "/api/tasks/" + task.ID.String() + "/sheets/1/"
	for query, want := range map[string]string{
		"": `{"columns":[{"name":"注文番号","label":"注文番号","type":"text"},{"name":"納期","label":"納期","type":"date"},` +
			`{"name":"金額","label":"金額","type":"integer","format":"¥#,##0"},{"name":"数量","label":"数量","type":"integer"},` +
			`{"name":"在庫","label":"在庫","type":"boolean","format":"あり/なし"}],"rows":[` +
			`["００７","2024-01-31",1200,12,true],["A12","2024-02-29",-500,3,false],["A15",null,null,4,null]],"next":null}`,
		"?values=raw&shape=objects&format=ndjson&limit=1": `{"注文番号":"００７","納期":"令和6年1月31日","金額":"￥1,200","数量":"１２","在庫":"あり"}`,
	} {
		if got := compact(app.Do(t, http.MethodGet, path+"rows"+query, nil, nil).Text); got != want {
			t.Errorf("rows%s:\n%s\nwant\n%s", query, got, want)
		}
	}
	var rejects struct {
		Items []struct {
			Errors []struct {
				ColumnName string `json:"column_name"`
				Code       string
				Message    string
				MessageJA  string `json:"message_ja"`
			}
		}
	}
	app.Get(t, path+"rejects", &rejects)
	codes := ""
	for _, r := range rejects.Items {
		for _, e := range r.Errors {
			codes += e.ColumnName + " " + e.Code + ", "
			if e.Message == "" || e.MessageJA == "" || e.Message == e.MessageJA {
				t.Errorf("the reason in two languages: %+v", e)
			}
		}
		codes += "; "
	}
	if want := "納期 type_mismatch, ; 注文番号 not_unique, 数量 out_of_range, ; "; codes != want {
		t.Errorf("rejects: %s, want %s", codes, want)
	}
}

// uploadOrders sends the orders in a form, below options that are written name=value.
func uploadOrders(t *testing.T, app *e2e.App, options ...string) e2e.Task {
	t.Helper()
	content, err := japanese.ShiftJIS.NewEncoder().String(orders)
	if err != nil {
		t.Fatal(err)
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, option := range options {
		name, value, _ := strings.Cut(option, "=")
		if err := form.WriteField(name, value); err != nil {
			t.Fatal(err)
		}
	}
	part, err := form.CreateFormFile("file", "orders.csv")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(part, content); err != nil {
		t.Fatal(err)
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	answer := app.Do(t, http.MethodPost, "/api/files", http.Header{"Content-Type": {form.FormDataContentType()}}, &body)
	var accepted struct{ Items []struct{ Task e2e.Task } }
	if err := json.Unmarshal(answer.Text, &accepted); err != nil || answer.StatusCode != http.StatusAccepted || len(accepted.Items) != 1 {
		t.Fatalf("upload: %s %s", answer.Status, answer.Text)
	}
	return accepted.Items[0].Task
}

// compact is JSON without the line ends that lists have.
func compact(text []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return string(text)
	}
	return b.String()
}
