package page_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/verify/e2e"
)

// product is another product: its server asks sheetdrop for tokens, and its page is that of docs/embedding.md, under a policy as strict as may be.
type product struct {
	*httptest.Server
	t    *testing.T
	app  *e2e.App
	lang string
}

// examples are the blocks of docs/embedding.md in a language, in their order.
func examples(t *testing.T, language string) (blocks []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/embedding.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, match[1])
	}
	if len(blocks) == 0 {
		t.Fatalf("docs/embedding.md has no %s", language)
	}
	return blocks
}

// startProduct starts the product, and sheetdrop, which lets its pages upload.
func startProduct(t *testing.T) *product {
	t.Helper()
	p := &product{t: t, lang: "en"}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	p.app = e2e.Start(t, e2e.Options{Settings: map[string]string{"CORS_ORIGINS": "https://app.example.com," + p.URL}})
	if err := azure.AllowPages(t.Context(), azure.Settings{Connection: p.app.Storage.ConnectionString}, p.app.Host.URL(), p.URL); err != nil {
		t.Fatal(err)
	}
	return p
}

// uploadToken is what the product's server hands to its page.
type uploadToken struct {
	Token string `json:"token"`
}

// token asks for a token for the pages of an origin.
func (p *product) token(origin string) (made uploadToken) {
	p.t.Helper()
	answer := p.app.Do(p.t, http.MethodPost, "/api/upload-tokens", http.Header{"Content-Type": {"application/json"}},
		strings.NewReader(fmt.Sprintf(`{"origin":%q,"max_files":10,"max_bytes":100000000}`, origin)))
	if err := json.Unmarshal(answer.Text, &made); err != nil || answer.StatusCode != http.StatusCreated {
		p.t.Errorf("%s %s", answer.Status, answer.Text)
	}
	return made
}

// store is the origin of the blob store.
func (p *product) store() string {
	return regexp.MustCompile(`BlobEndpoint=(https?://[^/]+)/`).FindStringSubmatch(p.app.Storage.ConnectionString)[1]
}

// ServeHTTP is the product's server.
func (p *product) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	sheetdrop := p.app.Host.URL()
	switch r.URL.Path {
	case "/":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self' "+sheetdrop+"; connect-src 'self' "+sheetdrop+" "+p.store()+
			"; require-trusted-types-for 'script'; trusted-types 'none'")
		page := strings.ReplaceAll(examples(p.t, "html")[0], "https://sheetdrop.example.com", sheetdrop)
		_, _ = io.WriteString(w, strings.Replace(page, `lang="en"`, `lang="`+p.lang+`"`, 1))
	case "/page.js":
		w.Header().Set("Content-Type", "text/javascript")
		blocks := examples(p.t, "js")
		_, _ = io.WriteString(w, blocks[len(blocks)-1]+`
window.told = [];
for (const name of ["progress", "uploaded", "completed", "failed", "cancelled"])
  addEventListener("sheetdrop-" + name, (event) => told.push({ ...event.detail, event: name }));`)
	case "/upload-token":
		_ = json.NewEncoder(w).Encode(p.token(p.URL))
	default:
		http.NotFound(w, r)
	}
}

// give gives the drop zone a file, as its picker does.
func (b *browser) give(name, script string) {
	b.t.Helper()
	b.run(fmt.Sprintf(`(() => { const input = document.querySelector("sheetdrop-upload").shadowRoot.querySelector("input"), given = new DataTransfer();
		given.items.add(new File([%s], %q)); input.files = given.files; input.dispatchEvent(new Event("change")); })()`, script, name))
}

// zone is the text of the drop zone in a page.
const zone = `document.querySelector("sheetdrop-upload").shadowRoot`

func (b *browser) zoneSays(text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("the drop zone says %q", text), fmt.Sprintf(`[...%s.children].some((e) => e.innerText.includes(%q))`, zone, text))
}

// Another product's page has the drop zone: its people upload files, small and large, and see how many rows were loaded and why others were not,
// under the strictest policy, in their language; and the product's script is told.
func TestPageEmbedded(t *testing.T) {
	p := startProduct(t)
	b := newBrowser(t, p.app, look{})
	b.product = p.URL
	b.openProduct(p)
	b.zoneSays("Drop CSV or Excel files here")
	b.give("orders.csv", fmt.Sprintf("%q", orders))
	b.zoneSays("rows loaded")
	b.zoneSays("rejected")
	b.zoneSays("line ")
	b.sees("#done", "orders.csv: ")
	if told := value[string](b, `told.map((e) => e.event).filter((e) => e !== "progress").join(" ")`); told != "uploaded completed" {
		t.Errorf("the page is told %q", told)
	}
	b.picture("embedded-light")
	b.axe("embedded")

	b.give("large.csv", `"id;text\n" + Array.from({ length: 120000 }, (_, i) => i + ";" + "x".repeat(40)).join("\n")`)
	b.zoneSays("120,000 rows loaded")
	if direct := pgtest.Query[int](t, p.app.Database, `select count(*)::int from sheetdrop.upload where status = 'COMPLETED'`); direct != 1 {
		t.Errorf("%d uploads went to the store, want 1", direct)
	}

	p.lang = "ja" // of the page, whose people are told so what is refused, whatever the browser's is
	b.openProduct(p)
	b.give("empty.csv", `""`)
	b.zoneSays("ファイルが空です")
	b.zoneSays("別のファイルを選んでください")
	if again := value[bool](b, zone+`.querySelector(".files").innerText.includes("もう一度")`); again {
		t.Error("an empty file can be tried again")
	}
	b.set(look{language: "ja", dark: true, width: 390})
	b.openProduct(p)
	b.zoneSays("ファイルをここにドロップ")
	path := b.file("drop.csv", "a,b\n1,2\n3,4,5\n")
	at := value[[]float64](b, `(() => { const r = `+zone+`.querySelector(".zone").getBoundingClientRect(); return [r.x + 10, r.y + 10]; })()`)
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: []string{path}, DragOperationsMask: 1}
	for _, kind := range []input.DispatchDragEventType{"dragEnter", "dragOver", "drop"} {
		b.do(call(input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: at[0], Y: at[1], Data: data}))
	}
	b.zoneSays("1行を取り込みました")
	b.zoneSays("1件は取り込めませんでした")
	b.picture("embedded-ja-dark")
	b.axe("embedded, in the dark")
	b.give("picture.csv", `new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 1, 0])`)
	b.zoneSays("ファイルを取り込めませんでした")
	b.zoneSays("新しいファイルをアップロードしてください")
	if wide := value[bool](b, "document.documentElement.scrollWidth > innerWidth"); wide {
		t.Error("the drop zone is wider than a phone")
	}
}

// openProduct opens the product's page, and waits until it has the drop zone.
func (b *browser) openProduct(p *product) {
	b.t.Helper()
	b.openURL(p.URL + "/")
	b.until("the drop zone is there", `customElements.get("sheetdrop-upload") !== undefined && document.querySelector("sheetdrop-upload").getToken !== undefined`)
}

// A page of an origin that is not named gets nothing, even with a token of a product's; nor does a token that has expired. And with a token a
// page reads its own task and nobody else's.
func TestPageEmbeddedElsewhere(t *testing.T) {
	p := startProduct(t)
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><title>foreign</title>")
	}))
	t.Cleanup(foreign.Close)
	made := p.token(p.URL)
	other := p.app.Upload(t, "secret.csv", []byte("a\n1\n"))
	p.app.Await(t, other.ID)
	// try returns the status of a page's request, or that the browser did not let it be sent or read.
	try := func(b *browser, method, path, headers string) string {
		return value[string](b, fmt.Sprintf(`fetch(%q, { method: %q, headers: %s, body: %q === "POST" ? "a\n1\n" : undefined }).then((a) => String(a.status), () => "refused")`,
			p.app.Host.URL()+path, method, headers, method))
	}
	withToken := fmt.Sprintf(`{ "Upload-Token": %q, "Content-Type": "text/csv" }`, made.Token)

	b := newBrowser(t, p.app, look{})
	b.product = foreign.URL
	b.openURL(foreign.URL)
	for path, headers := range map[string]string{
		"/api/embed/files?name=a.csv": withToken, "/api/files?name=a.csv": "{}", "/api/upload-tokens": `{ "Content-Type": "application/json" }`,
	} {
		if got := try(b, http.MethodPost, path, headers); got != "refused" {
			t.Errorf("a foreign page posts to %s: %s", path, got)
		}
	}
	if got := try(b, http.MethodGet, "/api/tasks/"+other.ID.String(), "{}"); got != "refused" {
		t.Errorf("a foreign page reads a task: %s", got)
	}

	b = newBrowser(t, p.app, look{})
	b.product = p.URL
	b.openProduct(p)
	for path, want := range map[string]string{
		"/api/embed/tasks/" + other.ID.String(): "404", "/api/embed/tasks/" + other.ID.String() + "/sheets/1/rows": "404", "/api/tasks/" + other.ID.String(): "refused", "/api/files": "refused",
	} {
		if got := try(b, http.MethodGet, path, withToken); got != want {
			t.Errorf("with a token, %s: %s, want %s", path, got, want)
		}
	}
	if got := try(b, http.MethodPost, "/api/embed/files?name=a.csv", withToken); got != "202" {
		t.Errorf("with a token the product's page uploads: %s", got)
	}
	p.app.Exec(t, `update sheetdrop.upload_token set expires_at = now()`)
	if got := try(b, http.MethodPost, "/api/embed/files?name=b.csv", withToken); got != "401" {
		t.Errorf("with an expired token: %s", got)
	}
	b.run(fmt.Sprintf(`document.querySelector("sheetdrop-upload").getToken = () => %q`, made.Token))
	b.give("late.csv", `"a\n1\n"`)
	b.zoneSays("This page may not upload any more")
	if told := value[string](b, `told.at(-1).event + " " + told.at(-1).code`); told != "failed invalid_upload_token" {
		t.Errorf("the page is told %q", told)
	}
	if files := pgtest.Query[int](t, p.app.Database, `select count(*)::int from sheetdrop.source_file`); files != 2 {
		t.Errorf("%d files, want the owner's and the product's", files)
	}
}

// The programs of docs/embedding.md get a token, as they stand there.
func TestPageEmbeddedServers(t *testing.T) {
	t.Parallel()
	p := startProduct(t)
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	shell := examples(t, "sh")
	for name, command := range map[string]*exec.Cmd{
		"Node": exec.CommandContext(t.Context(), "node", write("token.mjs", examples(t, "js")[0])),
		"Go":   exec.CommandContext(t.Context(), "go", "run", write("token.go", examples(t, "go")[0])),
		"curl": exec.CommandContext(t.Context(), "bash", "-c", strings.ReplaceAll(shell[len(shell)-1], "http://localhost:7071", p.app.Host.URL())),
	} {
		command.Env = append(os.Environ(), "SHEETDROP_URL="+p.app.Host.URL()+"/api", "GOFLAGS=-mod=mod")
		command.Dir = folder
		out, err := command.CombinedOutput()
		token := regexp.MustCompile(`sdu_[A-Za-z0-9_-]{43}`).FindString(string(out))
		if err != nil || token == "" {
			t.Errorf("%s: %v\n%s", name, err, out)
			continue
		}
		header := http.Header{"Origin": {"https://app.example.com"}, "Authorization": {"Bearer " + token}, "Content-Type": {"text/csv"}}
		if answer := p.app.Do(t, http.MethodPost, "/api/embed/files?name="+name+".csv", header, strings.NewReader("a\n1\n")); answer.StatusCode != http.StatusAccepted {
			t.Errorf("with the token of %s: %s %s", name, answer.Status, answer.Text)
		}
	}
}
