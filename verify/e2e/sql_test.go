package e2e_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"golang.org/x/text/encoding/japanese"

	"sheetdrop/internal/devstack/devtest"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/samples"
	"sheetdrop/verify/e2e"
)

// withSQL is a task as far as it says how its sheets are read.
type withSQL struct {
	Summary struct {
		Sheets []struct {
			SQL        string
			MakeView   string `json:"make_view"`
			RowsLoaded int    `json:"rows_loaded"`
		}
	}
}

// views uploads a file, follows what its task says until each loaded sheet has its statement, and returns these.
func views(t *testing.T, app *e2e.App, name string, content []byte) (statements []string) {
	t.Helper()
	task := app.Await(t, app.Upload(t, name, content).ID)
	if task.Status != "COMPLETED" {
		t.Fatalf("%s: %+v", name, task.Error)
	}
	var said withSQL
	app.Get(t, "/api/tasks/"+task.ID.String(), &said)
	for _, sheet := range said.Summary.Sheets {
		if sheet.RowsLoaded == 0 {
			continue
		}
		if made := app.Do(t, http.MethodPost, sheet.MakeView, nil, nil); made.StatusCode != http.StatusCreated {
			t.Fatalf("%s: %s %s", sheet.MakeView, made.Status, made.Text)
		}
	}
	said = withSQL{}
	app.Get(t, "/api/tasks/"+task.ID.String(), &said)
	for _, sheet := range said.Summary.Sheets {
		if sheet.SQL != "" {
			statements = append(statements, sheet.SQL)
		}
	}
	return statements
}

// priceList is as a German office writes it: notes above and below, semicolons, decimal commas, days first; one record is broken.
const priceList = "Preisliste Stand: 1. März 2024;;;\r\n;;;\r\nArtikel-Nr.;Bezeichnung;Preis netto;gültig ab\r\n" +
	"0007;Schlüssel \"groß\";1.200,50 €;31.01.2024\r\n0008;Bügel;-0,25 €;1.2.2024\r\n0009;zu;viele;Zellen;hier\r\n0010;Griff;99,99 €;29.02.2024\r\n" +
	"\r\nAlle Preise zzgl. MwSt.;;;\r\n"

// The way of a new user: a messy file goes in, and the statement that comes back reads a sum out of it, whatever the language of the file. Of a file
// that is parsed again in another way the statement reads the new reading, and of a deleted one nothing.
func TestFromAFileToASumInSQL(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{})
	german := views(t, app, "Preisliste (März).csv", []byte(priceList))
	if len(german) != 1 || german[0] != `select * from data."preisliste_märz"` {
		t.Fatalf("statements %q", german)
	}
	wantSQL(t, app, `select concat_ws(' ', count(*), sum("Preis netto"), max("gültig ab"), min("Artikel-Nr.")) from (`+german[0]+`) rows`, "3 1300.24 2024-02-29 0007")

	cp932, err := japanese.ShiftJIS.NewEncoder().String(orders)
	if err != nil {
		t.Fatal(err)
	}
	kanji := views(t, app, "受注一覧.csv", []byte(cp932))
	if len(kanji) != 1 || kanji[0] != `select * from data."受注一覧"` {
		t.Fatalf("statements %q", kanji)
	}
	wantSQL(t, app, `select concat_ws(' ', sum("金額"), sum("数量"), count(*) filter (where "在庫")) from (`+kanji[0]+`) rows`, "720 22 3")

	file := pgtest.Query[string](t, app.Database, `select id::text from sheetdrop.source_file where name = '受注一覧.csv'`)
	if again := app.Do(t, http.MethodPost, "/api/files/"+file+"/tasks?column=%E6%95%B0%E9%87%8F:integer;min=4", nil, nil); again.StatusCode != http.StatusAccepted {
		t.Fatalf("%s %s", again.Status, again.Text)
	}
	app.Database.Await(t, `select sum("数量") = 16 from data."受注一覧"`)
	if gone := app.Do(t, http.MethodDelete, "/api/files/"+file, nil, nil); gone.StatusCode != http.StatusNoContent {
		t.Fatalf("%s %s", gone.Status, gone.Text)
	}
	app.Database.Await(t, `select not exists (select from pg_views where schemaname = 'data' and viewname = '受注一覧') and count(*) = 1 from sheetdrop.sheet_view`)
}

func wantSQL(t *testing.T, app *e2e.App, sql, want string) {
	t.Helper()
	if got := pgtest.Query[string](t, app.Database, sql); got != want {
		t.Errorf("%s\nis %s, want %s", sql, got, want)
	}
}

// Every statement of the page about SQL does something as it stands there, and each that reads finds rows. On a server of the test's own,
// because roles belong to the whole server.
func TestStatementsOfTheSQLPage(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{Database: pgtest.NewOn(t, devtest.Private(t))})
	files, err := samples.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := samples.Files.ReadFile(file.Name())
		if err != nil {
			t.Fatal(err)
		}
		views(t, app, file.Name(), content)
	}
	makeTarget(t, app, strings.Replace(stock, "stock", "price_list", 1))
	loaded := sendInto(t, app, "price_list", "list.csv", "id,Tag,net\n1,2024-01-31,1.5\n2,soon,2.5\n")
	rejects := download(t, app, "/api/tasks/"+loaded.ID.String()+"/sheets/1/rejects?format=csv&layout=records", nil)
	wantCounts(t, correct(t, app, loaded, "fixed.csv", bytes.ReplaceAll(rejects, []byte(",soon,"), []byte(",2024-02-01,"))), 1, 0, 0)
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "sql.md"))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), app.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	ran := 0
	for _, block := range strings.Split(string(page), "```sql\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		for statement := range strings.SplitSeq(strings.TrimSpace(block), ";\n") {
			results, err := conn.PgConn().Exec(t.Context(), statement).ReadAll()
			if ran++; err != nil {
				t.Errorf("%s\n%v", statement, err)
			} else if strings.HasPrefix(statement, "select") && len(results[0].Rows) == 0 {
				t.Errorf("%s\nfinds nothing", statement)
			}
		}
	}
	if ran != 32 {
		t.Errorf("the page has %d statements, want 32", ran)
	}
}
