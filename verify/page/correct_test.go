package page_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sheetdrop/verify/e2e"
)

const faulty = "id,name,amount\n1,Anna,10\n2,Bob,about 20\n3,Cem,30,x\n4,Dora\n5,Eve,about 50\n6,\"Fay\n7,Gus,70\n"

// openFaulty uploads orders of which some cannot be read, and opens them for correction.
func (b *browser) openFaulty(t *testing.T, app *e2e.App, text string) e2e.Task {
	t.Helper()
	task := uploadWith(t, app, "name=orders.csv&column=id:integer;required;unique&column=amount:integer", text)
	b.open("/files/" + task.FileID.String() + "/sheets/1/rejects")
	b.click("#correct", "Correct them here")
	b.sees(".correcting .cell.wrong", "")
	return task
}

// cell is the cell of a record that is being corrected: by its line, and its column behind the reason.
func cell(line, column int) string {
	return fmt.Sprintf(`[...document.querySelectorAll(".correcting .grid-row")].find((r) => r.firstElementChild.textContent === "%d")?.querySelector("[data-column='%d']")`, line, column)
}

// pick makes a cell the active one.
func (b *browser) pick(line, column int) {
	b.t.Helper()
	b.until(fmt.Sprintf("line %d is there", line), cell(line, column)+" !== undefined")
	b.run(`document.querySelector(".correcting .grid").focus()`)
	b.run(cell(line, column) + `.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, button: 0, pointerType: "pen" }))`)
	b.until("it is active", cell(line, column)+`?.classList.contains("active")`)
}

// write types a text into a cell.
func (b *browser) write(line, column int, text string) {
	b.t.Helper()
	b.pick(line, column)
	b.press(kb.Enter)
	b.until("it can be edited", `document.activeElement.matches(".cell-editor")`)
	b.run(fmt.Sprintf(`(() => { document.activeElement.value = %q; })()`, text))
	b.press(kb.Enter)
	b.until("it is written", cell(line, column)+`?.classList.contains("edited")`)
}

// rows are those of the sheet, as CSV.
func rows(t *testing.T, app *e2e.App, task e2e.Task) string {
	t.Helper()
	return string(app.Do(t, http.MethodGet, "/api/tasks/"+task.ID.String()+"/sheets/1/rows?format=csv&values=raw&formulas=keep", nil, nil).Text)
}

// Rejects are corrected where they are shown: what is right then joins the rows of the sheet, each once, although somebody clicks twice and
// reloads the page while it is sent; what is still wrong stays, with its new reasons.
func TestPageCorrectsRejectsInPlace(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{})
	task := b.openFaulty(t, app, faulty)
	if marked := value[string](b, cell(3, 3)+`.innerText`); marked != "about 20" {
		t.Errorf("the cell at fault shows %q", marked)
	}
	b.sees(".correct-detail", "")
	b.write(3, 3, "20")
	b.write(5, 3, "forty")
	b.sees("#send-corrected", "Send corrected rows (2)")
	b.picture("correcting")

	// Undone, and done again; nothing of it is lost by a reload or on the way back.
	b.write(3, 2, "Robert")
	b.click("#undo-edit", "Undo")
	b.until("the name is as it was", cell(3, 2)+`.innerText === "Bob"`)
	b.open(value[string](b, `location.pathname + location.search`))
	b.sees("#send-corrected", "Send corrected rows (2)")
	b.click(".parts a", "Rows")
	b.sees("#main .grid", "Anna")
	b.run(`history.back()`)
	b.sees("#send-corrected", "Send corrected rows (2)")
	b.until("what was typed is there", cell(5, 3)+`?.innerText === "forty"`)

	b.run(`(() => { const button = document.querySelector("#send-corrected"); button.click(); button.click(); setTimeout(() => location.reload()); })()`)
	b.sees(".corrected", "Corrected rows accepted: 1")
	b.sees(".corrected", "still rejected: 1")
	b.until("what is still wrong has what was typed", cell(5, 3)+`?.innerText === "forty"`)
	want := "id,name,amount\r\n1,Anna,10\r\n2,Bob,20\r\n7,Gus,70\r\n"
	if got := rows(t, app, task); got != want {
		t.Errorf("the rows are\n%s\nwant\n%s", got, want)
	}
	if files := value[int](b, `fetch("/api/files").then((a) => a.json()).then((l) => l.items.length)`); files != 2 {
		t.Errorf("there are %d files, want the orders and one of corrections", files)
	}
	b.sees(".head .facts", "Loaded")
	b.sees(".parts", "3")
	b.sees(".files", "3 rows · 4 rejected")
	b.sees(".files", "orders.corrections.csv")
	b.picture("corrected")
}

// One change corrects all cells with the same fault, however many there are, and can be taken back.
func TestPageCorrectsAllOfAFaultAtOnce(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{})
	var text strings.Builder
	text.WriteString("id,name,amount\n0,first,1\n")
	for n := range 250 { // more than are read at first
		fmt.Fprintf(&text, "%d,name,about %d\n", n+1, n)
	}
	text.WriteString("300,too,many,cells\n301,too,many\n")
	task := b.openFaulty(t, app, text.String())
	b.sees("#fault", "All faults")
	b.chooseOption("#fault", "type_mismatch")
	b.fill("#find", "about ")
	b.sees("#apply", "Apply to 252")
	b.click("#apply", "Apply")
	b.sees("#send-corrected", "(250)") // "many" has nothing to replace
	b.click("#undo-edit", "Undo")
	b.sees("#send-corrected", "Send corrected rows")
	b.until("nothing is changed", `document.querySelector("#send-corrected").disabled`)
	b.click("#apply", "Apply")
	b.sees("#send-corrected", "(250)")
	b.chooseOption("#fault", "extra_cell")
	b.chooseOption("#action", "Empty")
	b.click("#apply", "Apply to 1")
	b.sees("#send-corrected", "(251)")
	b.click("#send-corrected", "Send")
	b.sees(".corrected", "Corrected rows accepted: 250")
	if got := strings.Count(rows(t, app, task), "\r\n"); got != 1+1+250 {
		t.Errorf("the sheet has %d lines", got)
	}
}

// Whatever stands in a rejected record is shown and sent back as text: markup, marks that turn the direction of writing, quotes, line ends, a
// formula, a cell of a megabyte.
func TestPageCorrectsHostileCells(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{})
	const name = `<img src=x onerror=alert(1)><script>alert(2)</script>, "=1+1" \` + "\u202etxt.exe"
	quoted := `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	long := strings.Repeat("x", 900_000)
	task := b.openFaulty(t, app, "id,name,amount\n1,Anna,10\n2,"+quoted+",nothing\n3,"+long+",nothing\n4,\"two\nlines\",nothing\n")
	b.sees(".correcting .cell", "<script>alert(2)</script>")
	harmless := func() {
		t.Helper()
		if found := value[int](b, `document.querySelectorAll("body img:not(.brand img), body script, [onerror]").length`); found > 0 {
			t.Errorf("%d elements were made from what stands in the file", found)
		}
		if turned := value[bool](b, `/[\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText)`); turned {
			t.Error("a mark that turns the direction of writing is on the page")
		}
		if length := value[int](b, `document.body.textContent.length`); length > 100_000 {
			t.Errorf("the page has %d characters", length)
		}
	}
	harmless()
	b.click("#decisions", "How it was read")
	b.sees("dialog .preview .rejected", "<script>alert(2)</script>")
	harmless()
	b.click("dialog button", "Close")
	for line, amount := range map[int]string{3: "20", 4: "30", 5: "40"} {
		b.write(line, 3, amount)
	}
	harmless()
	b.click("#send-corrected", "(3)")
	b.sees(".corrected", "Corrected rows accepted: 3")
	want := "1,Anna,10\r\n2," + quoted + ",20\r\n3," + long + ",30\r\n4,\"two\nlines\",40\r\n"
	if got := rows(t, app, task); !strings.HasSuffix(got, want) {
		t.Errorf("the rows are %.300s…", got)
	}
}

// Rejects are corrected by keyboard alone: typing begins in the cell, Enter goes down, Escape leaves it as it was, Delete empties it.
func TestPageCorrectsByKeyboard(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{language: "ja"})
	task := app.Upload(t, "a.csv", []byte("id,name\n1,Anna\n2,Bob,x\n3,Cem,y\n"))
	app.Await(t, task.ID)
	b.open("/files/" + task.FileID.String() + "/sheets/1/rejects?correct")
	b.until("the first cell at fault has the focus", `document.activeElement.matches(".correcting .grid") && `+cell(3, 3)+`?.classList.contains("active")`)
	b.press(kb.Delete)
	b.until("it is empty", cell(3, 3)+`?.classList.contains("edited")`)
	b.press(kb.ArrowDown, "z", "z", kb.Escape)
	b.until("it is as it was", cell(4, 3)+`?.innerText === "y" && document.activeElement.matches(".correcting .grid")`)
	b.press(kb.Delete, kb.ArrowLeft, "D", "o", "r", "a", kb.Enter)
	b.until("it is written", cell(4, 2)+`?.innerText === "Dora"`)
	b.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(kb.ModifierCtrl)))
	b.until("it is undone", cell(4, 2)+`?.innerText === "Cem"`)
	b.click("#send-corrected", "修正した 2 行を送信")
	b.sees(".corrected", "修正した 2 行を取り込みました")
	if got := rows(t, app, task); got != "id,name\r\n1,Anna\r\n2,Bob\r\n3,Cem\r\n" {
		t.Errorf("the rows are\n%s", got)
	}
}

// Where corrected rows cannot be taken any more, people are told why, and what they typed is still there.
func TestPageKeepsWhatCannotBeSent(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{})
	task := b.openFaulty(t, app, faulty)
	b.write(3, 3, "20")
	if answer := app.Do(t, http.MethodDelete, "/api/tasks/"+task.ID.String(), nil, nil); answer.StatusCode >= 300 {
		t.Fatalf("delete the rows: %s", answer.Status)
	}
	b.click("#send-corrected", "(1)")
	b.sees(".correct .problem", "There is no sheet")
	b.sees("#send-corrected", "(1)")
	b.until("what was typed is there", cell(3, 3)+`?.innerText === "20"`)
}
