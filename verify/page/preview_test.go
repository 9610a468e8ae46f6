package page_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"sheetdrop/verify/e2e"
)

// Who changes how a file is read sees its rows, with types, its rejects and what is skipped before anything is read again; and the file is read
// in exactly this way when they agree.
func TestPagePreviewsOtherOptions(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{})
	b.open("/")
	b.choose(b.file("pipes.csv", "Report of May\n\na|b,c|d\n1|2,3|4\n5|6,7,8|9\n"))
	b.sees("#decisions", "How it was read")
	b.sees(".grid, .rejects", "")
	b.click("#decisions", "How it was read")
	b.sees("dialog .preview .head", "Integer")
	b.sees("dialog .preview .cell", "6,7,8")
	b.sees("dialog .preview .skipped", "Skipped: above the table — Report of May")
	b.fill("dialog [name=delimiter]", ",")
	b.sees("dialog .preview [role=status]", "1 rejected")
	b.chooseOption("dialog [name=header-record]", "Report of May")
	b.sees("dialog .preview [role=status]", "3 rejected")
	b.chooseOption("dialog [name=header-record]", "a|b")
	b.sees("dialog .preview .head", "a|b")
	b.sees("dialog .preview .rejected", "One cell too many")
	b.sees("dialog .preview [role=status]", "1 rejected")
	b.fill("dialog [name=column]", "a|b:integer")
	b.sees("dialog .preview .rejected", "integer")
	b.fill("dialog [name=column]", "")
	b.until("the rules are gone", `document.querySelectorAll("dialog .preview .rejected").length === 1`)
	if tasks := value[int](b, `fetch("/api/tasks?readings=all").then((a) => a.json()).then((l) => l.items.length)`); tasks != 1 {
		t.Errorf("there are %d tasks before anybody has agreed", tasks)
	}

	// What was chosen can be used again: by the API, and by the command.
	b.run(`navigator.clipboard.writeText = async (text) => { window.copied = text; }`)
	b.click("dialog .copies button", "Copy as options")
	b.until("the options are copied", `new URLSearchParams(window.copied).get("delimiter") === ","`)
	b.click("dialog .copies button", "Copy for the command line")
	b.until("the flags are copied", `window.copied.includes("--delimiter")`)

	// A choice that cannot be is refused in the API's words, and the next one is shown.
	b.fill("dialog [name=sheet]", "x")
	b.sees("dialog .preview", "sheet")
	b.fill("dialog [name=sheet]", strings.Repeat("x", 2000))
	b.sees("dialog .preview .failed", "sheet: ")
	b.fill("dialog [name=sheet]", "")
	b.sees("dialog .preview .head", "a|b")

	// What was chosen is there after a reload.
	b.open(value[string](b, `location.pathname`))
	b.click("#decisions", "How it was read")
	b.until("the choice is kept", `document.querySelector("dialog [name=delimiter]").value === ","`)
	b.sees("dialog .preview .head", "a|b")
	b.click("dialog button[type=submit]", "Read again")
	b.sees("#main > .file .grid .head", "a|b")
	b.sees("#main > .file .grid .rejected", "One cell too many")
}

// A header that was not found is chosen from the records that could be it.
func TestPageChoosesTheHeader(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{language: "ja"})
	b.open("/")
	b.choose(b.file("注文.csv", "東京支店,2024年,五月,集計\n番号,氏名,金額,日付\n1,髙橋,100,2024-05-01\n2,田中,200,2024-05-02\n"))
	b.sees("#decisions", "読み取り方")
	b.click("#decisions", "")
	b.sees("dialog .preview", "髙橋")
	b.until("records may be chosen", `document.querySelector("dialog [name=header-record]")?.options.length >= 2`)
	b.chooseOption("dialog [name=header-record]", "東京支店")
	b.sees("dialog .preview .head", "東京支店")
	b.chooseOption("dialog [name=header-record]", "番号")
	b.sees("dialog .preview .head", "番号")
	b.sees("dialog .preview .skipped", "除外: 表より前")
	b.press(kb.Escape)
	b.until("the dialogue is closed", `document.querySelector("dialog") === null`)
}

// What is typed while an answer is under way is what is shown at the end, whichever answer comes last.
func TestPageShowsTheLatestPreview(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{})
	b.open("/")
	b.choose(b.file("a.csv", "a;b,c\n1;2,3\n4;5,6\n"))
	b.sees("#decisions", "How")
	b.click("#decisions", "How it was read")
	b.sees("dialog .preview .head", "")
	b.run(`(() => {
		const original = fetch;
		let held = 0;
		globalThis.fetch = async (path, init) => {
			if (String(path).includes("delimiter=%7C") && held++ === 0) {
				globalThis.wasHeld = true;
				await new Promise((resolve) => (globalThis.release = resolve));
			}
			return original(path, { ...init, signal: undefined });
		};
	})()`)
	b.fill("dialog [name=delimiter]", "|")
	b.until("the first question is under way", `globalThis.wasHeld === true`)
	b.fill("dialog [name=delimiter]", ";")
	b.sees("dialog .preview .head", "b,c")
	b.run(`globalThis.release()`)
	b.until("the late answer is not shown", `fetch("/api/health").then(() => document.querySelector("dialog .preview .head").innerText.includes("b,c"))`)
}

// Whoever reads a file of a target again with other options does not take it out of the target by that.
func TestPageReadingAgainKeepsTheTarget(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	makeTarget(t, app, `{"name": "orders", "key": ["id"], "mode": "upsert", "columns": [{"name": "id", "type": "integer", "required": true}, {"name": "name", "type": "text"}]}`)
	uploadInto(t, app, "orders", "a.csv", "id,name\n1,Anna\n")
	b := newBrowser(t, app, look{})
	b.open("/")
	b.click(".files a", "a.csv")
	b.sees(".head .facts", "Loaded")
	b.click("#decisions", "How it was read")
	b.sees("dialog .preview", "Anna")
	b.fill("dialog [name=header]", "1")
	b.click("dialog button[type=submit]", "Read again")
	b.until("the new task has the target", `fetch("/api/tasks?readings=all").then((a) => a.json())
		.then((l) => l.items.length === 2 && l.items.every((t) => t.options.target?.name === "orders") && l.items[0].options.header === 1)`)
	b.sees(".head .facts", "Loaded")
}

// A column that can be read in two ways, such as by its decimal mark or the order of day and month, is shown as such; who says which is meant
// sees its values at once, and may take that back.
func TestPageChoosesHowAColumnIsRead(t *testing.T) {
	app := e2e.Start(t, e2e.Options{})
	b := newBrowser(t, app, look{})
	b.open("/")
	b.choose(b.file("amounts.csv", "amount;day;fee\n1,234;01/02/2024;DKK 1.125\n2,345;03/04/2024;DKK 2.250\n"))
	b.click("#decisions", "How it was read")
	b.sees("dialog .preview .doubtful", "amount can be read in several ways")
	b.sees("dialog .preview .cell", "1.234")
	b.chooseOption("dialog [name=column-type]", "#,##0")
	b.sees("dialog .preview .cell", "1234")
	b.until("it stands among the options", `document.querySelector("dialog [name=column]").value === "amount:integer;format=#,##0"`)
	b.run(`[...document.querySelectorAll("dialog .preview .head .cell")][1].dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }))`)
	b.sees("dialog .preview .doubtful", "day can be read in several ways")
	b.picture("doubtful")
	b.chooseOption("dialog [name=column-type]", "DD/MM/YYYY")
	b.sees("dialog .preview .cell", "2024-02-01")
	b.run(`[...document.querySelectorAll("dialog .preview .head .cell")][0].dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }))`)
	b.sees("dialog .preview-choices", "amount")
	b.chooseOption("dialog [name=column-type]", "Detect")
	b.sees("dialog .preview .cell", "1.234")
	b.run(`[...document.querySelectorAll("dialog .preview .head .cell")][2].dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }))`)
	b.sees("dialog .preview .doubtful", "fee can be read in several ways")
	b.chooseOption("dialog [name=column-type]", "DKK #.##0")
	b.sees("dialog .preview .cell", "1125")
	b.click("dialog button[type=submit]", "Read again")
	b.sees("#main > .file .grid .cell", "2024-02-01")
}
