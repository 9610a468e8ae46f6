package page_test

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"sheetdrop/verify/e2e"
)

// browser is a tab of a real Chromium on the page of an app. When the test ends it holds that nothing went wrong beside what the test looked
// at: no error in the console, nothing that the Content-Security-Policy had to stop, and no request to anybody but the app and its store.
type browser struct {
	t       testing.TB
	app     *e2e.App
	l       look
	ctx     context.Context
	product string // another origin whose pages the test opens; "" if it opens none
	close   func() // ends it before the test does

	listening sync.WaitGroup

	mu       sync.Mutex
	faults   []string
	requests []string
}

// look is how a browser is set.
type look struct {
	language string // "" is English
	dark     bool
	width    int64  // 0 is 1280
	bars     bool   // with scroll bars, which pictures do without
	host     string // the name by which the app is addressed; "" is its address
}

// longest is how long any one action may take on a busy machine.
const longest = 60 * time.Second

func newBrowser(t testing.TB, app *e2e.App, l look) *browser {
	t.Helper()
	if l.language == "" {
		l.language = "en"
	}
	if l.width == 0 {
		l.width = 1280
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.Flag("no-sandbox", true), chromedp.Flag("lang", l.language), chromedp.Flag("hide-scrollbars", !l.bars),
		chromedp.Flag("host-resolver-rules", "MAP "+cmp.Or(l.host, "none.invalid")+" 127.0.0.1"))
	allocator, stop := chromedp.NewExecAllocator(context.WithoutCancel(t.Context()), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	b := &browser{t: t, app: app, l: l, ctx: ctx}
	if err := chromedp.Do(ctx); err != nil { // starts it; without a timeout, which would be its own
		t.Fatal(err)
	}
	b.close = sync.OnceFunc(func() {
		cancel()
		stop()
		b.listening.Wait()
		b.check()
	})
	t.Cleanup(b.close)
	b.start()
	return b
}

// start listens to the tab, and sets it.
func (b *browser) start() {
	b.t.Helper()
	exceptions, console := chromedp.Events(b.ctx, runtime.ExceptionThrown), chromedp.Events(b.ctx, runtime.ConsoleAPICalled)
	requests, dialogues := chromedp.Events(b.ctx, network.RequestWillBeSent), chromedp.Events(b.ctx, page.JavascriptDialogOpening)
	b.listening.Go(func() {
		each(exceptions, func(e runtime.EventExceptionThrown) {
			b.fault(e.ExceptionDetails.Text + " " + e.ExceptionDetails.Exception.Description)
		})
	})
	b.listening.Go(func() { each(console, b.noteConsole) })
	b.listening.Go(func() { each(requests, b.noteRequest) })
	b.listening.Go(func() {
		each(dialogues, func(e page.EventJavascriptDialogOpening) { b.fault("a dialogue: " + e.Message) })
	})
	b.set(b.l)
	b.do(
		call(network.Enable, network.EnableParams{}),
		call(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}), // as a window that people look at
		call(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `addEventListener("securitypolicyviolation",
			(e) => console.error("policy: " + e.violatedDirective + " " + e.blockedURI))`}),
	)
}

// closeTab closes the tab, and goes on in a new one of the same browser.
func (b *browser) closeTab() {
	b.t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx)
	if err := chromedp.Do(ctx); err != nil {
		b.fatal(err)
	}
	b.do(call(page.Close, cdp.Empty{}))
	b.ctx = ctx
	b.t.Cleanup(cancel)
	b.start()
}

func each[E any](events func(func(E, error) bool), do func(E)) {
	for event, err := range events {
		if err != nil {
			return
		}
		do(event)
	}
}

// call makes an action of a command whose answer does not matter.
func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, params)
		return err
	})
}

func (b *browser) fault(told string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.faults = append(b.faults, told)
}

func (b *browser) noteConsole(e runtime.EventConsoleAPICalled) {
	if e.Type != "error" && e.Type != "warning" {
		return
	}
	var told []string
	for _, argument := range e.Args {
		told = append(told, string(argument.Value)+argument.Description)
	}
	b.fault(fmt.Sprintf("%s: %s", e.Type, strings.Join(told, " ")))
}

func (b *browser) noteRequest(e network.EventRequestWillBeSent) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.requests = append(b.requests, e.Request.URL)
}

func (b *browser) check() {
	b.t.Helper()
	for _, fault := range b.faults {
		b.t.Errorf("the browser says: %s", fault)
	}
	if len(b.requests) == 0 {
		b.t.Error("no request was seen")
	}
	for _, request := range b.requests {
		u, err := url.Parse(request)
		origin := u.Scheme + "://" + u.Host
		ours := err == nil && (origin == b.origin() || origin == b.product || strings.Contains(b.app.Storage.ConnectionString, "://"+u.Host+"/"))
		if !ours {
			b.t.Errorf("a request to somebody else: %s", request)
		}
	}
}

func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, longest)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.fatal(err)
	}
}

// fatal ends the test with what the page shows.
func (b *browser) fatal(reason any) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	shown, _ := chromedp.Run(ctx, chromedp.Evaluate[string](`location.href + "\n" + document.body.innerText.slice(0, 1500)`))
	if picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot()); err == nil {
		b.save("failed", picture)
	}
	b.t.Fatalf("%v; the page shows:\n%s\n%q", reason, shown, b.faults)
}

// open goes to an address of the page.
func (b *browser) open(path string) {
	b.t.Helper()
	b.openURL(b.origin() + path)
}

func (b *browser) openURL(address string) {
	b.t.Helper()
	b.do(chromedp.Navigate(address))
}

func (b *browser) origin() string {
	return strings.Replace(b.app.Host.URL(), "127.0.0.1", cmp.Or(b.l.host, "127.0.0.1"), 1)
}

// until waits for a JavaScript condition, which may be a promise. While the page is being loaded it is not met.
func (b *browser) until(what, condition string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, longest)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		met, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("Promise.resolve("+condition+").then(Boolean)", chromedp.EvalAwaitPromise))
		if err == nil && met {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			b.fatal("never came true: " + what)
		}
	}
}

// sees waits until one of a selector's elements shows a text.
func (b *browser) sees(selector, text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("%s shows %q", selector, text), found(selector, text)+" !== undefined")
}

func found(selector, text string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%q)].find((e) => e.innerText.includes(%q))`, selector, text)
}

// click clicks the element of a selector that shows a text.
func (b *browser) click(selector, text string) {
	b.t.Helper()
	b.sees(selector, text)
	b.run(found(selector, text) + ".click()")
}

// run runs JavaScript.
func (b *browser) run(script string) {
	b.t.Helper()
	value[chromedp.Void](b, script)
}

// value evaluates JavaScript, which may be a promise.
func value[T any](b *browser, script string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, longest)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		b.fatal(fmt.Sprintf("%s: %v", script, err))
	}
	return v
}

func (b *browser) press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		b.do(chromedp.KeyEvent(key))
	}
}

// choose gives files to the picker, as people do.
func (b *browser) choose(files ...string) {
	b.t.Helper()
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#choose-files"), files))
}

// drop drops a file or a folder on the page, as the system does for people.
func (b *browser) drop(path string) {
	b.t.Helper()
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: []string{path}, DragOperationsMask: 1}
	for _, kind := range []input.DispatchDragEventType{"dragEnter", "dragOver", "drop"} {
		b.do(call(input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: 600, Y: 400, Data: data}))
	}
}

// file writes a file for the picker.
func (b *browser) file(name, content string) string {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		b.t.Fatal(err)
	}
	return path
}

// picture saves a screenshot among the test's artifacts.
func (b *browser) picture(name string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, longest)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.fatal(err)
	}
	b.save(name, picture)
}

func (b *browser) save(name string, picture []byte) {
	if err := os.WriteFile(filepath.Join(b.t.ArtifactDir(), name+".png"), picture, 0o644); err != nil {
		b.t.Error(err)
	}
}
