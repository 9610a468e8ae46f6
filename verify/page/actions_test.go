package page_test

import (
	"fmt"

	"github.com/chromedp/chromedp/kb"
)

// fill sets a form's field as a person does who leaves it afterwards.
func (b *browser) fill(selector, text string) {
	b.t.Helper()
	b.until(selector+" is there", fmt.Sprintf("document.querySelector(%q) !== null", selector))
	b.run(fmt.Sprintf(`(() => {
		const field = document.querySelector(%q);
		if (document.activeElement === field) field.blur();
		field.focus();
		field.value = %q;
		for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
	})()`, selector, text))
}

// chooseOption chooses the option of a list that shows a text.
func (b *browser) chooseOption(selector, label string) {
	b.t.Helper()
	options := fmt.Sprintf("[...document.querySelector(%q)?.options ?? []]", selector)
	b.until("it can be chosen", fmt.Sprintf("%s.some((o) => o.label.includes(%q))", options, label))
	b.run(fmt.Sprintf(`(() => { const s = document.querySelector(%q); s.value = %s.find((o) => o.label.includes(%q)).value;
		for (const type of ["input", "change"]) s.dispatchEvent(new Event(type, { bubbles: true })); })()`, selector, options, label))
}

// tabTo goes to an element by the tabulator key.
func (b *browser) tabTo(selector string) {
	b.t.Helper()
	b.until(selector+" is there", fmt.Sprintf("document.querySelector(%q) !== null", selector))
	for range 200 {
		if value[bool](b, fmt.Sprintf("document.activeElement === document.querySelector(%q)", selector)) {
			return
		}
		b.press(kb.Tab)
	}
	b.fatal("the tabulator key does not lead to " + selector)
}

// reload loads the page anew, and returns when the old one has gone.
func (b *browser) reload() {
	b.t.Helper()
	b.run(`window.old = true; location.reload()`)
	b.until("the page is loaded anew", `!window.old && document.readyState === "complete"`)
}
