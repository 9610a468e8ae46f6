package page_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"

	"sheetdrop/internal/azure"
	"sheetdrop/verify/e2e"
)

// link sets how fast the browser sends, in bytes a second (-1 for as fast as it can), and whether it is connected at all.
func (b *browser) link(bytesPerSecond float64, offline bool) {
	b.t.Helper()
	conditions := &network.Conditions{UploadThroughput: bytesPerSecond, DownloadThroughput: -1, Offline: offline}
	b.do(
		call(network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{conditions},
		}),
		call(network.OverrideNetworkState, network.OverrideNetworkStateParams{
			Offline: offline, UploadThroughput: bytesPerSecond, DownloadThroughput: -1,
		}),
	)
}

// openForLargeFiles opens the page of an app, which may write into the store, as pages of a deployed one may.
func openForLargeFiles(t *testing.T) *browser {
	t.Helper()
	app := e2e.Start(t, e2e.Options{})
	if err := azure.AllowPages(t.Context(), azure.Settings{Connection: app.Storage.ConnectionString}, app.Host.URL()); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, app, look{})
	b.open("/")
	b.sees(".files", "No files yet")
	return b
}

// largeFile is a table of 20 MB, which is three blocks.
func largeFile() string {
	var text strings.Builder
	text.WriteString("id,text\n")
	for n := range 20_000 {
		fmt.Fprintf(&text, "%d,%s\n", n, strings.Repeat("lorem ipsum ", 83))
	}
	return text.String()
}

// arrived waits for the one file, and holds that its bytes are those that were chosen.
func (b *browser) arrived(content string) {
	b.t.Helper()
	sum := sha256.Sum256([]byte(content))
	b.until("the file is there with its bytes", fmt.Sprintf(`fetch("/api/files").then((a) => a.json())
		.then((l) => l.items.length === 1 && l.items[0].sha256 === %q && l.items[0].task.status === "COMPLETED")`, hex.EncodeToString(sum[:])))
}

// A connection that breaks costs nothing but the time: the upload waits, says so, and goes on by itself.
func TestPageUploadGoesOnAfterOffline(t *testing.T) {
	b := openForLargeFiles(t)
	content := largeFile()
	b.link(1<<20, false)
	b.choose(b.file("large.csv", content))
	b.until("some of it is sent", `document.querySelector(".upload progress")?.value > 500000`)
	b.link(0, true)
	b.sees(".upload.paused", "No connection")
	b.sees(".connection.offline", "No connection")
	b.picture("offline")
	b.link(-1, false)
	b.until("the banner has gone", `document.querySelector(".connection").hidden`)
	b.arrived(content)
	b.sees(".grid", "lorem ipsum")
}

// After a reload, or in another tab when the first one was closed, what was stored is not sent again: the same file, added once more, goes on
// where it stopped.
func TestPageUploadGoesOnAfterReload(t *testing.T) {
	for name, leave := range map[string]func(*browser){
		"reload":     (*browser).reload,
		"closed tab": (*browser).closeTab,
	} {
		t.Run(name, func(t *testing.T) {
			b := openForLargeFiles(t)
			content := largeFile()
			file := b.file("large.csv", content)
			b.link(1<<20, false)
			b.choose(file)
			b.until("a block is stored", `(async () => {
				const [upload] = JSON.parse(localStorage.getItem("sheetdrop.uploads") ?? "[]");
				return upload && (await (await fetch("/api/uploads/" + upload.id)).json()).stored_bytes > 0;
			})()`)
			leave(b)
			b.link(-1, false)
			b.open("/")
			b.sees(".upload.interrupted", "Add the same file again")
			b.picture("interrupted")
			b.choose(file)
			b.arrived(content)
			if kept := value[string](b, `localStorage.getItem("sheetdrop.uploads")`); kept != "[]" {
				t.Errorf("the completed upload is still remembered: %s", kept)
			}
		})
	}
}

// An upload that another tab has completed is not sent again by the tab in which the file is added once more.
func TestPageUploadThatAnotherTabCompletes(t *testing.T) {
	b := openForLargeFiles(t)
	content := largeFile()
	file := b.file("large.csv", content)
	b.run(`{
		const fetched = window.fetch;
		window.fetch = (url, ...rest) => String(url).endsWith("/complete") ? new Promise(() => {}) : fetched(url, ...rest);
	}`)
	b.choose(file)
	b.until("all of it is stored", `(async () => {
		const [upload] = JSON.parse(localStorage.getItem("sheetdrop.uploads") ?? "[]");
		const stored = upload && await (await fetch("/api/uploads/" + upload.id)).json();
		return stored && stored.stored_bytes === stored.size_bytes;
	})()`)
	b.reload()
	b.until("the tab shows how far it came", `document.querySelector(".upload.interrupted progress")?.value > 0`)
	b.run(`(async () => {
		const [upload] = JSON.parse(localStorage.getItem("sheetdrop.uploads"));
		await fetch("/api/uploads/" + upload.id + "/complete", { method: "POST" });
		window.completed = true;
	})()`)
	b.until("another tab has completed it", `window.completed`)
	b.choose(file)
	b.until("the upload is gone", `!document.querySelector(".upload")`)
	b.until("and forgotten", `localStorage.getItem("sheetdrop.uploads") === "[]"`)
	b.arrived(content)
}

// A file waits in sight of its owner, is cancelled, read again, and seen on its way.
func TestPageWatchesAndCancels(t *testing.T) {
	app := e2e.Start(t, e2e.Options{Functions: []string{"upload-api", "web-page"}}) // nobody reads files yet
	b := newBrowser(t, app, look{})
	b.open("/")
	b.choose(b.file("orders.csv", orders))
	b.sees(".state.progress", "Its turn comes soon")
	b.sees(".files", "Waiting")
	b.picture("pending")
	b.click("#cancel", "Cancel")
	b.sees(".state", "Reading was cancelled")
	b.sees(".files", "Cancelled")
	b.click(".state button", "Read it again")
	b.click("dialog button[type=submit]", "Read again")
	b.sees(".state.progress", "Its turn comes soon")
	app.StartHost(t, e2e.Options{Functions: []string{"outbox-relay", "parse-worker"}})
	b.sees(".grid", "Anna")
}

// What is clicked or focused stays under the pointer and the focus while figures around it change: an upload is cancelled by its own button.
func TestPageCancelsAnUpload(t *testing.T) {
	b := openForLargeFiles(t)
	b.link(1<<20, false)
	b.choose(b.file("large.csv", largeFile()))
	b.until("some of it is sent", `document.querySelector(".upload progress")?.value > 300000`)
	b.run(`(window.button = document.querySelector(".upload button")).focus()`)
	b.until("more of it is sent", `document.querySelector(".upload progress").value > 900000`)
	if !value[bool](b, `document.activeElement === window.button`) {
		t.Error("the button has lost the focus")
	}
	b.run(`window.button.click()`)
	b.until("the upload is gone", `!document.querySelector(".upload")`)
	b.link(-1, false)
	b.until("and forgotten", `localStorage.getItem("sheetdrop.uploads") === "[]"`)
	b.sees(".files", "No files yet")
}
