package page_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"sheetdrop/verify/e2e"
)

// figures are those of one round, by name.
type figures map[string]float64

// BenchmarkPage measures the page over a task of a million rows, each round in a new browser, and reports the median of each figure: when
// something is painted, when the table is, frames while it is scrolled to its end, and the memory of the tab.
func BenchmarkPage(b *testing.B) {
	app := e2e.Start(b, e2e.Options{})
	var text strings.Builder
	text.WriteString("id,day,customer,amount,note\n")
	for n := range 1_000_000 {
		fmt.Fprintf(&text, "%d,2024-%02d-%02d,customer %d,%d.%02d,row %d of many\n", n, 1+n%12, 1+n%28, n%5000, n%9973, n%100, n)
	}
	task := app.Upload(b, "million.csv", []byte(text.String()))
	app.Await(b, task.ID)
	all := map[string][]float64{}
	b.Log("load average at the beginning: " + load(b))
	for b.Loop() {
		measured := round(b, app, "/files/"+task.FileID.String())
		b.Logf("%v", measured)
		for name, figure := range measured {
			all[name] = append(all[name], figure)
		}
	}
	b.Log("load average at the end: " + load(b))
	b.ReportMetric(0, "ns/op") // how long a round takes says nothing
	for name, rounds := range all {
		slices.Sort(rounds)
		b.Logf("%-24s median %8.1f of %.1f", name, rounds[len(rounds)/2], rounds)
		b.ReportMetric(rounds[len(rounds)/2], name)
	}
}

func load(tb testing.TB) string {
	tb.Helper()
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(text))
}

// stamps notes when the list and the table are first painted: in the frame after the one that has their entries and cells.
const stamps = `for (const [name, selector] of [["listed", ".files li"], ["painted", ".grid-body .cell:not(.coming)"]])
	new MutationObserver((_, observer) => {
		if (!document.querySelector(selector)) return;
		observer.disconnect();
		requestAnimationFrame(() => setTimeout(() => (window[name] = performance.now())));
	}).observe(document, { childList: true, subtree: true });`

// round measures once.
func round(tb testing.TB, app *e2e.App, path string) figures {
	tb.Helper()
	b := newBrowser(tb, app, look{bars: true})
	defer b.close()
	got := figures{}
	b.do(
		call(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: stamps}),
		call(performance.Enable, performance.EnableParams{TimeDomain: "threadTicks"}), // what the thread did, however busy the machine is
	)
	b.open("/") // from nothing: no file of the page is in the cache
	b.sees(".files", "million.csv")
	got["first-paint-ms"], got["list-ms"] = b.firstPaint(), value[float64](b, `window.listed`)
	b.open("/")
	b.sees(".files", "million.csv")
	got["first-paint-again-ms"], got["list-again-ms"] = b.firstPaint(), value[float64](b, `window.listed`)
	b.run(`(window.began = performance.now(), ` + found(".files a", "million.csv") + `.click())`) // the list has the task
	b.until("the table is painted", `window.painted > 0`)
	got["table-ms"] = value[float64](b, `window.painted - window.began`)
	b.open(path)
	b.until("the table is painted", `window.painted > 0`)
	got["table-by-link-ms"] = value[float64](b, `window.painted`)

	got["heap-before-MB"] = b.heap()
	b.scroll(got, "wheel", b.wheel)
	b.scroll(got, "wheel-to-middle", func() { b.wheelTo(500_000) })
	got["heap-middle-MB"] = b.heap()
	b.scroll(got, "wheel-to-end", func() { b.wheelTo(1_000_001) })
	got["heap-end-MB"] = b.heap()
	b.run(`document.querySelector(".grid").scrollTop = 0`)
	b.sees(".grid .row-no", "2")
	b.scroll(got, "bar", b.drag)
	got["heap-after-MB"] = b.heap()
	got["elements"] = value[float64](b, `document.querySelectorAll("*").length`)
	return got
}

func (b *browser) firstPaint() float64 {
	b.t.Helper()
	b.until("something is painted", `performance.getEntriesByName("first-contentful-paint").length > 0`)
	return value[float64](b, `performance.getEntriesByName("first-contentful-paint")[0].startTime`)
}

// heap returns what the tab's scripts hold, in MB, without what nobody needs any more.
func (b *browser) heap() float64 {
	b.t.Helper()
	b.do(call(heapprofiler.CollectGarbage, cdp.Empty{}))
	return b.metrics()["JSHeapUsedSize"] / 1e6
}

// metrics returns what the browser counts of the tab.
func (b *browser) metrics() figures {
	b.t.Helper()
	counted := figures{}
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		got, err := cdp.Call(ctx, t, performance.GetMetrics, cdp.Empty{})
		for _, m := range got.Metrics {
			counted[m.Name] = m.Value
		}
		return err
	}))
	return counted
}

// scroll counts the frames while something scrolls, the slowest one in a hundred, and the processor time of the tab's main thread for each.
func (b *browser) scroll(got figures, name string, do func()) {
	b.t.Helper()
	b.run(`(() => { const frames = (window.stamped = []); const stamp = (now) => { if (window.stamped === frames) { frames.push(now); requestAnimationFrame(stamp); } };
		requestAnimationFrame(stamp); })()`)
	before := b.metrics()
	do()
	after := b.metrics()
	frames := value[[]float64](b, `(() => { const frames = window.stamped; window.stamped = undefined; return frames; })()`)
	if len(frames) < 10 {
		b.t.Fatalf("%s: %d frames", name, len(frames))
	}
	var gaps []float64
	for i := range frames[1:] {
		gaps = append(gaps, frames[i+1]-frames[i])
	}
	slices.SortFunc(gaps, func(a, b float64) int { return cmp.Compare(b, a) })
	count := float64(len(gaps))
	got[name+"-fps"] = count / (frames[len(frames)-1] - frames[0]) * 1000
	got[name+"-slowest-1%-ms"] = gaps[len(gaps)/100]
	for of, metric := range map[string]string{"script": "ScriptDuration", "layout": "LayoutDuration", "style": "RecalcStyleDuration", "cpu": "TaskDuration"} {
		got[name+"-"+of+"-ms/frame"] = 1000 * (after[metric] - before[metric]) / count
	}
}

// wheel turns the wheel as a hand does, for three seconds.
func (b *browser) wheel() { b.turn(9_000, 3_000) }

// turn has the browser turn the wheel: an event each frame, so many pixels in all.
func (b *browser) turn(pixels, perSecond int64) {
	b.t.Helper()
	b.do(call(input.SynthesizeScrollGesture, input.SynthesizeScrollGestureParams{
		X: 700, Y: 500, YDistance: -float64(pixels), Speed: perSecond, GestureSourceType: "mouse",
	}))
}

// wheelTo turns the wheel very fast until a row is seen: each frame has other rows than the one before.
func (b *browser) wheelTo(row int) {
	b.t.Helper()
	const rowHeight, perSecond = 28, 2_000_000
	for !value[bool](b, fmt.Sprintf(`[...document.querySelectorAll(".grid-body .row-no")].some((e) => Number(e.innerText) >= %d)`, row)) {
		at := value[int](b, `Number(document.querySelector(".grid-body .row-no").innerText)`)
		b.turn(int64(min(max(row-at, 100)*rowHeight, 2*perSecond)), perSecond)
	}
}

// drag takes the scroll bar from the beginning to the end.
func (b *browser) drag() {
	b.t.Helper()
	box := value[[]float64](b, `(() => { const g = document.querySelector(".grid"), r = g.getBoundingClientRect();
		return [r.left + g.clientWidth, r.right, r.top, r.top + g.clientHeight]; })()`)
	x, top, bottom := (box[0]+box[1])/2, box[2], box[3]
	if box[1]-box[0] < 5 {
		b.t.Fatal("there is no scroll bar")
	}
	mouse := func(kind input.DispatchMouseEventType, y float64, buttons int64) {
		b.do(call(input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: "left", Buttons: buttons, ClickCount: 1}))
	}
	grip := 8.0
	for ; ; grip += 8 { // below the button that some bars begin with
		mouse("mouseMoved", top+grip, 0)
		mouse("mousePressed", top+grip, 1)
		mouse("mouseMoved", top+grip+40, 1)
		if value[float64](b, `new Promise(requestAnimationFrame).then(() => document.querySelector(".grid").scrollTop)`) > 100_000 {
			break
		}
		mouse("mouseReleased", top+grip+40, 0)
		if grip > 60 {
			b.t.Fatal("the scroll bar cannot be dragged")
		}
	}
	for y := top + grip + 40; y < bottom; y += 2 {
		mouse("mouseMoved", y, 1)
	}
	mouse("mouseMoved", bottom+60, 1)
	mouse("mouseReleased", bottom+60, 0)
	b.until("the last row is seen", `[...document.querySelectorAll(".grid-body .row-no")].some((e) => e.innerText === "1000001")`)
}
