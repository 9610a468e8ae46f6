package page_test

import (
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
	t   *testing.T
	app *e2e.App
	ctx context.Context

	mu       sync.Mutex
	faults   []string
	requests []string
}

// look is how a browser is set.
type look struct {
	language string // "" is English
	dark     bool
	width    int64 // 0 is 1280
}

// longest is how long any one action may take on a busy machine.
const longest = 60 * time.Second

func newBrowser(t *testing.T, app *e2e.App, l look) *browser {
	t.Helper()
	b := &browser{t: t, app: app}
	if l.language == "" {
		l.language = "en"
	}
	if l.width == 0 {
		l.width = 1280
	}
	scheme := "light"
	if l.dark {
		scheme = "dark"
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.Flag("no-sandbox", true), chromedp.Flag("lang", l.language))
	allocator, stop := chromedp.NewExecAllocator(context.WithoutCancel(t.Context()), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	b.ctx = ctx
	if err := chromedp.Do(ctx); err != nil { // starts it; without a timeout, which would be its own
		t.Fatal(err)
	}
	exceptions, console := chromedp.Events(ctx, runtime.ExceptionThrown), chromedp.Events(ctx, runtime.ConsoleAPICalled)
	requests, dialogues := chromedp.Events(ctx, network.RequestWillBeSent), chromedp.Events(ctx, page.JavascriptDialogOpening)
	var listening sync.WaitGroup
	listening.Go(func() {
		each(exceptions, func(e runtime.EventExceptionThrown) {
			b.fault(e.ExceptionDetails.Text + " " + e.ExceptionDetails.Exception.Description)
		})
	})
	listening.Go(func() { each(console, b.noteConsole) })
	listening.Go(func() { each(requests, b.noteRequest) })
	listening.Go(func() {
		each(dialogues, func(e page.EventJavascriptDialogOpening) { b.fault("a dialogue: " + e.Message) })
	})
	t.Cleanup(func() {
		cancel()
		stop()
		listening.Wait()
		b.check()
	})
	b.do(
		chromedp.EmulateViewport(l.width, 800),
		call(network.Enable, network.EnableParams{}),
		call(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}), // as a window that people look at
		call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}}),
		call(emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: "Mozilla/5.0 Chromium", AcceptLanguage: l.language}),
		call(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `addEventListener("securitypolicyviolation",
			(e) => console.error("policy: " + e.violatedDirective + " " + e.blockedURI))`}),
	)
	return b
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
		ours := err == nil && (u.Scheme+"://"+u.Host == b.app.Host.URL() || strings.Contains(b.app.Storage.ConnectionString, "://"+u.Host+"/"))
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
	b.do(chromedp.Navigate(b.app.Host.URL() + path))
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
