package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

const pricesTarget = `{"name": "prices", "key": ["article"], "mode": "upsert", "columns": [
  {"name": "article", "label": "商品コード", "type": "text", "required": true, "synonyms": ["Artikelnummer", "SKU"]},
  {"name": "net", "label": "税抜価格", "type": "decimal", "digits": 12, "scale": 2, "min": "0", "required": true},
  {"name": "valid_from", "type": "date"}]}`

// People make a table, see which of their file's columns goes where, upload into it, and undo that, by commands alone.
func TestTargetsByCommands(t *testing.T) {
	t.Parallel()
	running, query := runLocal(t)
	folder := t.TempDir()
	in := func(name, content string) string {
		path := filepath.Join(folder, name)
		write(t, path, content)
		return path
	}
	target := func(succeeds bool, prints, warns string, args ...string) {
		t.Helper()
		status, p := run(t, append(args, "--url", running.APIURL)...)
		if (status == 0) != succeeds {
			t.Errorf("%q: exit status %d", args, status)
		}
		want(t, p.out.String(), prints)
		want(t, p.progress.String(), warns)
	}
	file := in("prices.csv", "Artikelnummer;Nettopreis;Valid\n1;2,50;31.1.2026\n")

	target(false, "", "/columns/0/type  \"money\" is none of", "target", "create", in("wrong.json", `{"name": "t", "columns": [{"name": "a", "type": "money"}]}`))
	target(true, "prices: the table data.prices is there\n", "", "target", "create", in("prices.json", pricesTarget))
	target(true, "  prices  1        own  data.prices\n", "", "target", "list")
	target(true, `"label": "商品コード"`, "", "target", "show", "prices")
	target(false, `  Artikelnummer  → article     synonym
  Nettopreis     → ?           not matched
  Valid          → ?           not matched; like valid_from? set it with --map Valid=valid_from
  ?              → net         no header
  ?              → valid_from  no header
`, "No header matches the column \"net\", which is required. (mapping_needed)\n  next: name its header, here and for upload: --map HEADER=net\n", "target", "match", "prices", file)
	target(true, `  Artikelnummer  → article     synonym
  Nettopreis     → net         request
  Valid          → valid_from  request
`, "", "target", "match", "prices", file, "--map", "Nettopreis=net", "--map", "Valid=valid_from;format=DD.MM.YYYY")
	target(false, "No header matches the column \"net\", which is required. (mapping_needed)\n  next: name its header by --map HEADER=net; `sheetdrop target match` shows what matches\n", "",
		"upload", in("open.csv", "Artikelnummer;Nettopreis\n7;1,50\n"), "--target", "prices")
	query(`insert into sheetdrop.header_choice (owner, target_id, header, column_name, used_at) select 'local', id, 'nettopreis', 'net', '2026-11-20 12:00+00' from sheetdrop.target returning ''`)
	target(true, "Nettopreis     → net         remembered, you chose it on 2026-11-2", "", "target", "match", "prices", file)
	target(false, "", "there is no target \"other\"", "target", "match", "other", file)
	target(false, "", "--mode, --series and --map go with --target only", "upload", file, "--map", "a=b")

	target(true, "prices.csv: 1 row into prices: 1 new, 0 changed, 0 as they were, 0 deleted; 0 rejected\n  next: select * from data.prices;\n", "",
		"upload", file, "--target", "prices", "--mode", "insert", "--map", "Nettopreis=net", "--map", "Valid=valid_from;format=DD.MM.YYYY")
	table := func() string {
		return query(`select coalesce(string_agg(concat_ws(' ', article, net, valid_from), ', ' order by article), '') from data.prices`)
	}
	target(true, "next      sheetdrop rows --target prices\n", "", "status", "prices.csv")
	before := table()
	changed := in("changed.csv", "SKU,Nettopreis,Valid\n1,3.00,31.01.2026\n2,4.00,28.02.2026\n")
	_, p := run(t, "upload", changed, "--target", "prices", "--url", running.APIURL)
	if want := "changed.csv: 2 rows into prices: 1 new, 1 changed, 0 as they were, 0 deleted; 0 rejected\n  next: select * from data.prices;\n\n"; p.out.String() != want {
		t.Errorf("an upload prints %q, want %q", p.out, want)
	}
	if got := table(); got != "1 3.00 2026-01-31, 2 4.00 2026-02-28" {
		t.Errorf("the table is %s", got)
	}
	target(true, "2 rows into prices: 0 new, 0 changed, 2 as they were, 0 deleted; 0 rejected", "", "upload", changed, "--target", "prices", "--again")
	target(true, "article,_load,_row,_file,_edited\r\n2,2,3,changed.csv,false\r\n", "", "rows", "--target", "prices", "--filter", "net.gt.3.5", "--filter", "article.in.1,2",
		"--columns", "article", "--provenance")
	target(true, `"net":4.00`, "", "rows", "--target", "prices", "--format", "json")
	target(false, "", "query.filter", "rows", "--target", "prices", "--filter", "net.gt.much")
	target(false, "", "there is no target \"other\"", "rows", "--target", "other")
	target(false, "", "a target has neither files", "rows", "prices.csv", "--target", "prices")
	target(false, "", "go with --target only", "rows", "prices.csv", "--provenance")
	target(false, "", "name a file, or a target", "rows")
	target(true, "load 3 of prices is undone: 0 rows taken out, 0 set back\n", "", "undo", "changed.csv", "--target", "prices")
	target(true, "load 2 of prices is undone: 1 row taken out, 1 set back\n", "", "undo", "changed.csv", "--target", "prices")
	if got := table(); got != before || got != "1 2.50 2026-01-31" {
		t.Errorf("the table is %s, want %s", got, before)
	}
	target(true, "load 1 of prices is undone: 1 row taken out, 0 set back\nprices.csv is deleted\n", "", "undo", "prices.csv", "--target", "prices", "--delete-file")
	if got := table() + query(`select count(*)::text from sheetdrop.source_file where name = 'prices.csv' and deleted_at is null`); got != "0" {
		t.Errorf("rows, and files of the name that are there: %s, want none and 0", got)
	}
	target(false, "", "no load of changed.csv is in the target, or it was undone", "undo", "changed.csv", "--target", "prices")
	target(false, "", "already_undone", "undo", "--load", "2", "--target", "prices")
	target(false, "", "name a file, or a load with --load", "undo", "--target", "prices")

	target(true, "2 new, 0 changed, 0 as they were, 0 deleted; 0 rejected\n", "", "upload", in("jan.csv", "SKU,Nettopreis\n7,1\n8,1\n"), "--target", "prices", "--series", "東京")
	target(true, "1 new, 0 changed, 0 as they were, 0 deleted; 0 rejected; in place of load 4, of which 2 rows taken out\n", "",
		"upload", in("feb.csv", "SKU,Nettopreis\n8,1\n"), "--target", "prices", "--series", "東京")
	target(true, "load 5 of prices is undone: 1 row taken out, 2 set back; what counts again: load 4\n", "", "undo", "feb.csv", "--target", "prices")
	target(true, "load 4 of prices is undone: 2 rows taken out, 0 set back\n", "", "undo", "jan.csv", "--target", "prices")
	target(false, "", "--series goes with one file", "upload", file, changed, "--target", "prices", "--series", "a")

	target(true, "1 row into prices: 1 new, 0 changed, 0 as they were, 0 deleted; 1 rejected\n", "", "upload", in("broken.csv", "SKU,Nettopreis\n7,1\n8,\n"), "--target", "prices")
	corrects := query(`select task_id || '/1' from sheetdrop.target_load order by id desc limit 1`)
	rejects := filepath.Join(t.TempDir(), "rejects.csv")
	target(true, "", "", "rejects", "broken.csv", "--layout", "records", "-o", rejects)
	text, err := os.ReadFile(rejects)
	if err != nil {
		t.Fatal(err)
	}
	fixed := in("fixed.csv", strings.NewReplacer(`,8,""`, ",8,2", ",8,\r", ",8,2\r").Replace(string(text)))
	target(true, "1 row into prices: 1 new, 0 changed, 0 as they were, 0 deleted; 0 rejected\n", "", "upload", fixed, "--corrects", corrects)
	target(false, "name no target", "", "upload", fixed, "--corrects", corrects, "--target", "prices")
	target(true, "load 6 of prices is undone: 2 rows taken out, 0 set back; with its corrections: load 7\n", "", "undo", "broken.csv", "--target", "prices")
	target(false, "has been undone. Parse its file again", "", "upload", fixed, "--corrects", corrects, "--again")

	target(true, "prices: version 2\n", "", "target", "change", "prices", in("change.json", `{"extra": "refuse"}`))
	db, err := pgx.Connect(t.Context(), running.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(t.Context())
	execute := func(sql string) {
		t.Helper()
		if _, err := db.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	execute(`create view data.totals as select sum(net) from data.prices`)
	target(false, "", "view data.totals depends on table data.prices", "target", "drop", "prices", "--table")
	execute(`drop view data.totals`)
	target(true, "prices and its table are dropped\n", "", "target", "drop", "prices", "--table")

	status, p := run(t, "target", "propose", file)
	want(t, p.out.String(), `"name": "prices"`, `"name": "Nettopreis",`, `"type": "decimal"`)
	if status != 0 || strings.Contains(p.out.String(), "format") {
		t.Errorf("exit status %d, %s", status, p.out)
	}
	target(true, "prices: the table data.prices is there\n", "", "target", "create", in("proposed.json", p.out.String()))

	execute(`create table public.stock (id serial, article text primary key, net numeric, tag uuid)`)
	target(true, "public.stock is a target; loads write article, net\n  id is left to the table: its default nextval('public.stock_id_seq'::regclass)\n  tag is left to the table: its type uuid\n", "",
		"target", "adopt", "public.stock", "--database", running.DatabaseURL, "--owner", "local")
	target(true, "prices.csv: 1 row into stock: 1 new", "", "upload", file, "--target", "stock", "--map", "Artikelnummer=article", "--map", "Nettopreis=net")
	target(true, "public.stock is no target any more, and as it was\n", "", "target", "release", "public.stock", "--database", running.DatabaseURL)
	if got := query(`select s::text from public.stock s`); got != "(1,1,2.50,)" {
		t.Errorf("the table has %s", got)
	}
	target(false, "", "cannot be a target: no unique index", "target", "adopt", "public.stock", "--key", "net", "--database", running.DatabaseURL, "--owner", "local")
	target(true, "select sheetdrop.target_adopt('public.stock', 'it''s', key => array['article', 'a,b'], leave_out => array['net']);\n", "the role sheetdrop_adopter",
		"target", "adopt", "public.stock", "--owner", "it's", "--key", `article,a\,b`, "--leave-out", "net")
	target(true, "select sheetdrop.target_release('public.stock');\n", "", "target", "release", "public.stock")
	target(false, "", "say with --owner whose target it becomes", "target", "adopt", "public.stock")
}
