package page_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	downloads "github.com/chromedp/cdproto/browser"
	"github.com/xuri/excelize/v2"

	"sheetdrop/internal/devstack/await"
	"sheetdrop/verify/e2e"
)

// saved returns the content of a file that the browser has saved completely.
func saved(t *testing.T, folder, name string) (content []byte) {
	t.Helper()
	await.Until(t, name+" is saved", func() bool {
		text, err := os.ReadFile(filepath.Join(folder, name))
		content = text
		return err == nil && len(text) > 0
	})
	return content
}

// People take the rows along in the format that their program reads, under a name that says what they are; where a format cannot have a
// character, that is said, and no broken file is saved.
func TestPageExportsOpen(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	task := app.Upload(t, "注文.csv", []byte("番号,氏名\n1,髙橋\n2,𠮷田\n"))
	app.Await(t, task.ID)
	b := newBrowser(t, app, look{})
	folder := t.TempDir()
	b.do(call(downloads.SetDownloadBehavior, downloads.SetDownloadBehaviorParams{Behavior: downloads.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder}))
	b.open("/files/" + task.FileID.String())
	b.sees(".grid", "髙橋")
	save := func(label string) {
		t.Helper()
		b.run(`document.querySelector("#export").open = true`)
		b.until("the links lead somewhere", `[...document.querySelectorAll("#export .choices a")].every((a) => a.pathname.startsWith("/api/"))`)
		b.run(fmt.Sprintf(`[...document.querySelectorAll("#export a")].find((a) => a.innerText === %q).click()`, label))
	}
	const rows = "番号,氏名\r\n1,髙橋\r\n2,𠮷田\r\n"
	save("CSV")
	if got := string(saved(t, folder, "注文.sheet1.csv")); got != rows {
		t.Errorf("the CSV is %q", got)
	}
	if err := os.Remove(filepath.Join(folder, "注文.sheet1.csv")); err != nil {
		t.Fatal(err)
	}
	save("CSV with a byte order mark, for Excel")
	if got := string(saved(t, folder, "注文.sheet1.csv")); got != "\ufeff"+rows {
		t.Errorf("the CSV for Excel is %q", got)
	}
	if err := os.Remove(filepath.Join(folder, "注文.sheet1.csv")); err != nil {
		t.Fatal(err)
	}
	save("Excel workbook")
	book, err := excelize.OpenReader(bytes.NewReader(saved(t, folder, "注文.sheet1.xlsx")))
	if err != nil {
		t.Fatal(err)
	}
	if cell, err := book.GetCellValue(book.GetSheetName(0), "B3"); err != nil || cell != "𠮷田" {
		t.Errorf("the workbook has %q, %v", cell, err)
	}
	save("Parquet")
	if got := saved(t, folder, "注文.sheet1.parquet"); !bytes.HasPrefix(got, []byte("PAR1")) || !bytes.HasSuffix(got, []byte("PAR1")) {
		t.Errorf("the Parquet file is %.20q", got)
	}
	save("NDJSON (JSON lines)")
	if got := string(saved(t, folder, "注文.sheet1.ndjson")); got != `{"番号":1,"氏名":"髙橋"}`+"\n"+`{"番号":2,"氏名":"𠮷田"}`+"\n" {
		t.Errorf("the NDJSON is %q", got)
	}
	save("JSON (at most 10,000 rows)")
	var list struct{ Rows []map[string]any }
	if err := json.Unmarshal(saved(t, folder, "注文.sheet1.json"), &list); err != nil || len(list.Rows) != 2 || list.Rows[1]["氏名"] != "𠮷田" {
		t.Errorf("the JSON is %v, %v", list, err)
	}
	save("CSV in CP932 (Shift_JIS)")
	b.sees(".notice", "𠮷")
	if _, err := os.Stat(filepath.Join(folder, "注文.sheet1.csv")); err == nil {
		t.Error("a CSV that cannot be is saved")
	}
	b.click(".notice .link", "Write 〓 instead")
	if got := saved(t, folder, "注文.sheet1.csv"); !bytes.HasSuffix(got, []byte("2,\x81\xac\x93\x63\r\n")) {
		t.Errorf("the CSV in CP932 is %q", got)
	}
}

// A copied command does the same in a shell, whatever the file is called, and has no secret in it.
func TestPageCurlCommandsRun(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	task := app.Upload(t, "a'; touch owned; '.csv", []byte("n\n1\n2\n"))
	app.Await(t, task.ID)
	b := newBrowser(t, app, look{})
	b.open("/files/" + task.FileID.String())
	b.sees(".grid", "2")
	b.run(`navigator.clipboard.writeText = async (text) => { (window.copied ??= []).push(text); }`)
	b.run(`document.querySelector("#export").open = true`)
	b.run(`document.querySelectorAll("#export .choices button").forEach((button) => button.click())`)
	b.until("all are copied", `window.copied?.length === document.querySelectorAll("#export .choices button").length`)
	commands := value[[]string](b, `window.copied`)
	if len(commands) < 7 {
		t.Fatalf("the commands are %q", commands)
	}
	for _, command := range commands {
		folder := t.TempDir()
		run := exec.CommandContext(t.Context(), "sh", "-c", command)
		run.Dir = folder
		if out, err := run.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
			continue
		}
		files, err := os.ReadDir(folder)
		if err != nil || len(files) != 1 || slices.ContainsFunc(files, func(f os.DirEntry) bool { return f.Name() == "owned" }) {
			t.Errorf("%s leaves %v, %v", command, files, err)
		}
		if strings.Contains(command, "touch") || strings.Contains(command, "sig=") {
			t.Errorf("the command is %s", command)
		}
	}
}
