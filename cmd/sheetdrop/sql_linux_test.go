package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/japanese"
)

// next is the statement that is printed behind an upload.
var next = regexp.MustCompile(`(?m)^  next: (.*);$`)

// statements uploads a file and returns the statements that are printed for it.
func statements(t *testing.T, args ...string) (all []string) {
	t.Helper()
	status, p := run(t, append([]string{"upload"}, args...)...)
	if status != 0 {
		t.Errorf("exit status %d", status)
	}
	for _, found := range next.FindAllStringSubmatch(p.out.String(), -1) {
		all = append(all, found[1])
	}
	return all
}

// From a file as people have it to a sum in SQL it is one command and the statement that this prints. What SQL has of it can be printed again, as
// rows, and is found where psql is opened.
func TestFromAFileToSQL(t *testing.T) {
	t.Parallel()
	running, query := runLocal(t)
	folder, at := t.TempDir(), "--url="+running.APIURL
	prices, orders := filepath.Join(folder, "Preisliste 2024.csv"), filepath.Join(folder, "受注.csv")
	write(t, prices, "Preisliste Stand März 2024;;\n\nArtikel;Nettopreis;Gültig ab\n007;1.200,50;31.01.2024\n008;0,25;01.02.2024\n")
	text, err := japanese.ShiftJIS.NewEncoder().String("受注番号,金額,納期\r\nA-1,\"￥1,200\",令和6年1月31日\r\nA-2,△500,R6.2.29\r\n")
	if err != nil {
		t.Fatal(err)
	}
	write(t, orders, text)

	german := statements(t, at, prices)
	if !slices.Equal(german, []string{"select * from data.preisliste_2024"}) {
		t.Fatalf("printed %q", german)
	}
	if sum := query(`select sum("Nettopreis") || ' ' || max("Gültig ab") from (` + german[0] + `) rows`); sum != "1200.75 2024-02-01" {
		t.Errorf("the sum is %s", sum)
	}
	japanese := statements(t, at, orders)
	if !slices.Equal(japanese, []string{`select * from data."受注"`}) {
		t.Fatalf("printed %q", japanese)
	}
	if sum := query(`select sum("金額") || ' ' || max("納期") from (` + japanese[0] + `) rows`); sum != "700 2024-02-29" {
		t.Errorf("the sum is %s", sum)
	}
	stock := filepath.Join("samples", "stock.xlsx")
	if book := statements(t, at, stock); !slices.Equal(book, []string{"select * from data.stock_stock", "select * from data.stock_movements"}) {
		t.Errorf("a workbook: %q", book)
	}
	if book := statements(t, at, "--again", "--view=book", "--replace", stock); !slices.Equal(book, []string{"select * from data.book_1", "select * from data.book_2"}) {
		t.Errorf("a workbook under a name: %q", book)
	}

	if again := statements(t, at, "--again", prices); !slices.Equal(again, []string{"select * from data.preisliste_2024_2"}) {
		t.Errorf("another file of the name: %q", again)
	}
	write(t, prices, "Artikel;Nettopreis;Gültig ab\n007;1.000,00;31.03.2024\n")
	if again := statements(t, at, "--replace", prices); !slices.Equal(again, german) || query(`select sum("Nettopreis")::text from data.preisliste_2024`) != "1000.00" {
		t.Errorf("in place of the first: %q", again)
	}
	if named := statements(t, at, "--again", "--view=prices", prices); !slices.Equal(named, []string{"select * from data.prices"}) {
		t.Errorf("under a name: %q", named)
	}
	if none := statements(t, at, "--again", "--no-view", prices); len(none) > 0 {
		t.Errorf("without a view: %q", none)
	}
	if status, _ := run(t, "upload", at, "--view=x", prices, orders); status != 2 {
		t.Errorf("one view of two files: exit status %d", status)
	}
	rowsOf(t, at, query)
	opensPsql(t, at, running.DatabaseURL)
}

// rowsOf prints the rows of the file that was uploaded last, by its task, by its id and by its name.
func rowsOf(t *testing.T, at string, query func(string, ...any) string) {
	t.Helper()
	task, file := query(`select id::text from sheetdrop.task order by created_at desc limit 1`), query(`select id::text from sheetdrop.source_file order by created_at desc limit 1`)
	for _, what := range []string{task, file, "Preisliste 2024.csv"} {
		status, p := run(t, "rows", at, what)
		if got := p.out.String(); status != 0 || got != "Artikel,Nettopreis,Gültig ab\r\n007,1000.00,2024-03-31\r\n" {
			t.Errorf("rows of %s: %q, exit status %d", what, got, status)
		}
	}
	if _, p := run(t, "rows", at, "--format=ndjson", "--values=raw", task); p.out.String() != `["007","1.000,00","31.03.2024"]`+"\n" {
		t.Errorf("rows: %q", p.out.String())
	}
	for what, says := range map[string]string{"none.csv": "no file of the name none.csv", "0197c7ba-0000-7000-8000-000000000000": "Not found"} {
		status, p := run(t, "rows", at, what)
		if status == 0 || p.out.String() != "" {
			t.Errorf("rows of %s: exit status %d", what, status)
		}
		want(t, p.progress.String(), says)
	}
	if status, p := run(t, "rows", at, "--sheet=2", task); status == 0 || p.out.String() != "" {
		t.Errorf("rows of a sheet that is not there: exit status %d", status)
	}
}

// opensPsql has sql print the address where nobody sits at a terminal, and open psql where somebody does.
func opensPsql(t *testing.T, at, database string) {
	t.Helper()
	bin, data := t.TempDir(), t.TempDir()
	write(t, filepath.Join(bin, "psql"), "#!/bin/sh\necho \"psql got $*\"\n")
	if err := os.Chmod(filepath.Join(bin, "psql"), 0o700); err != nil {
		t.Fatal(err)
	}
	addresses, err := json.Marshal(map[string]string{"api_url": strings.TrimPrefix(at, "--url="), "database_url": database})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(data, "local.json"), string(addresses))
	p := startCommand(t, exec.Command(os.Args[0], "sql", "--data", data), bin)
	if p.end() != 0 || p.out.String() != database+"\n" {
		t.Errorf("printed %q", p.out.String())
	}
	want(t, p.progress.String(), `select * from data."受注";  -- 受注.csv`+"\n")
	p = startCommand(t, exec.Command(os.Args[0], "sql", at), bin)
	if p.end() != 0 || p.out.String() != "" {
		t.Errorf("of a server whose database is not known: %q", p.out.String())
	}
	want(t, p.progress.String(), "--database")
	for flags, says := range map[string]string{"": "psql got " + database, "--print": "\n" + database} {
		p := startCommand(t, exec.Command("script", "-qec", os.Args[0]+" sql --data "+data+" "+flags, "/dev/null"), bin)
		p.end()
		said := strings.ReplaceAll(p.out.String(), "\r\n", "\n")
		if want(t, said, says); strings.Contains(said, "psql got") != (flags == "") {
			t.Errorf("with %q at a terminal: %q", flags, said)
		}
	}
}
