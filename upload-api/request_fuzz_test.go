package upload

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	_ "sheetdrop/internal/rapidseed"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/watch"
)

var fuzzRequests = flag.Int("requests", 1500, "how many requests TestFuzzedRequests makes")

var fuzzSeed = flag.Uint64("seed", 1, "of what TestFuzzedRequests makes")

// Whatever a program sends, right or wrong, the service answers as its document says, and never fails: requests are made of
// the document itself, most of them with something wrong. -args -requests 20000 makes more, -seed others.
func TestFuzzedRequests(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withSettings(func(s *Settings) { s.MaxBytes, s.Direct.MaxOpen = 64<<10, 100_000 }))
	f := newFuzzer(t, d)
	for n := 0; n < *fuzzRequests && f.failures < 10; n++ {
		if n%300 == 0 { // requests delete, too
			f.seed(n)
		}
		f.request(n)
	}
	f.report()
}

// fuzzer makes requests out of the document.
type fuzzer struct {
	t          *testing.T
	d          *testAPI
	random     *rand.Rand
	document   map[string]any
	schemas    map[string]any
	operations []fuzzed
	ids        map[string][]string // that the service has answered with, by the first part of their paths
	succeeded  map[string]int      // by operation
	statuses   map[int]int
	failures   int
}

// fuzzed is an operation of the document.
type fuzzed struct {
	id, method, path string
	node             map[string]any
}

func newFuzzer(t *testing.T, d *testAPI) *fuzzer {
	t.Helper()
	f := &fuzzer{t: t, d: d, random: rand.New(rand.NewPCG(*fuzzSeed, 0)), ids: map[string][]string{}, succeeded: map[string]int{}, statuses: map[int]int{}}
	text, err := d.OpenAPI()
	if err == nil {
		err = json.Unmarshal(text, &f.document)
	}
	if err != nil {
		t.Fatal(err)
	}
	f.schemas = f.document["components"].(map[string]any)["schemas"].(map[string]any)
	paths := f.document["paths"].(map[string]any)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		methods := paths[path].(map[string]any)
		for _, method := range slices.Sorted(maps.Keys(methods)) {
			node := methods[method].(map[string]any)
			f.operations = append(f.operations, fuzzed{node["operationId"].(string), strings.ToUpper(method), path, node})
		}
	}
	return f
}

// seed makes something of every kind, so that requests find what they are about.
func (f *fuzzer) seed(n int) {
	d := f.d
	f.ids["files"], f.ids["tasks"] = nil, nil
	for i := range 6 {
		taken := d.upload(fmt.Sprintf("f%d.csv", i), fmt.Sprintf("a,b\n%d,%d\n", n, i))
		f.ids["files"], f.ids["tasks"] = append(f.ids["files"], taken.File.ID.String()), append(f.ids["tasks"], taken.Task.ID.String())
		if i < 3 {
			id := sheetOf(d, taken.Task.ID, "a", "b")
			d.exec(`insert into sheetdrop.sheet_row (sheet_id, row_no, line, cells) select $1, n, n, array['1', 'x'] from generate_series(2, 40) n`, id)
			d.exec(`insert into sheetdrop.row_reject (sheet_id, row_no, error_no, line, code, message, raw) values ($1, 50, 1, 50, 'missing_cell', 'x', 'a')`, id)
		}
	}
	f.ids["targets"] = []string{d.target(strings.Replace(pricesTarget, `"prices"`, fmt.Sprintf(`"prices_%d"`, n), 1)).ID.String()}
	f.ids["uploads"] = []string{d.begin("large.csv", 100).ID.String()}
	f.ids["views"] = []string{d.view(mustID(f.ids["tasks"][0]), `{}`).ID.String()}
	f.ids["outbox"] = []string{failMessage(d, mustID(f.ids["tasks"][5])).String()}
}

// request makes a request and holds the answer against the document.
func (f *fuzzer) request(n int) {
	o := f.operations[f.random.IntN(len(f.operations))]
	wrong := []int{0, 0, 1, 2}[f.random.IntN(4)] // how many things may be wrong with it
	r, described := f.build(o, wrong)
	if r == nil {
		return
	}
	a, err := f.exchange(r)
	if err != nil {
		f.fail(n, described, "%v", err)
		return
	}
	f.statuses[a.status]++
	if a.status < 300 {
		f.succeeded[o.id]++
		f.keep(o.path, a.body)
	}
	if a.status >= 500 {
		f.fail(n, described, "%d %s", a.status, a.body)
	}
	if err := f.d.contract.errorOf(r, a); err != nil {
		f.fail(n, described, "%d is not as documented: %v\n%s", a.status, err, clipped(a.body))
	}
}

func (f *fuzzer) fail(n int, described, format string, args ...any) {
	f.failures++
	f.t.Errorf("request %d: %s\n%s", n, described, fmt.Sprintf(format, args...))
}

// exchange sends a request and reads the answer, of a stream of events only its beginning.
func (f *fuzzer) exchange(r *http.Request) (answer, error) {
	response, err := f.d.server.Client().Do(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	a := answer{f.t, response.StatusCode, response.Header, nil}
	if strings.HasPrefix(response.Header.Get("Content-Type"), watch.MediaType) {
		return a, nil
	}
	a.body, err = io.ReadAll(response.Body)
	return a, err
}

// build returns a request with up to so many wrong things in it, and how it reads in a message.
func (f *fuzzer) build(o fuzzed, wrong int) (*http.Request, string) {
	path, query, header := o.path, url.Values{}, http.Header{}
	parameters, _ := o.node["parameters"].([]any)
	for _, p := range parameters {
		p := p.(map[string]any)
		name, in := p["name"].(string), p["in"].(string)
		isWrong := wrong > 0 && f.random.IntN(4) == 0
		if in != "path" && p["required"] != true && !isWrong && f.random.IntN(2+len(parameters)/2) > 0 {
			continue
		}
		value := f.text(p["schema"].(map[string]any), name, isWrong)
		if isWrong {
			wrong--
		}
		switch in {
		case "path":
			path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(f.idOf(o.path, name, value, isWrong)))
		case "query":
			query.Add(name, value)
			if isWrong && f.random.IntN(4) == 0 {
				query.Add(name, f.text(p["schema"].(map[string]any), name, false))
			}
		case "header":
			if !strings.ContainsAny(value, "\r\n\x00") && len(value) < 8000 {
				header.Set(name, value)
			}
		}
	}
	if wrong > 0 && f.random.IntN(4) == 0 {
		query.Set(f.hostile(), f.hostile())
	}
	body, contentType := f.body(o, wrong)
	if contentType != "" {
		header.Set("Content-Type", contentType)
	}
	if f.random.IntN(3) == 0 {
		header.Set("Accept-Language", "ja")
	}
	if f.random.IntN(3) == 0 {
		header.Set("Accept-Encoding", "identity")
	}
	address := f.d.server.URL + "/api" + path + "?" + query.Encode()
	r, err := http.NewRequestWithContext(f.t.Context(), o.method, address, bytes.NewReader(body))
	if err != nil {
		return nil, ""
	}
	r.Header = header
	return r, fmt.Sprintf("%s %s\n%v\n%s", o.method, clipped([]byte(r.URL.RequestURI())), header, clipped(body))
}

func clipped(text []byte) []byte { return text[:min(len(text), 1500)] }

// idOf returns an id that is there for a parameter of a path, more often than not.
func (f *fuzzer) idOf(path, name, value string, isWrong bool) string {
	kind := strings.Split(path, "/")[1]
	if name == "load" {
		kind = "loads"
	}
	known := f.ids[kind]
	switch {
	case isWrong && value != "":
		return value
	case name == "number":
		return fmt.Sprint(1 + f.random.IntN(2))
	case len(known) == 0 || f.random.IntN(8) == 0 || name != "id" && name != "load":
		return value
	}
	return known[f.random.IntN(len(known))]
}

// keep notes the ids of an answer.
func (f *fuzzer) keep(path string, body []byte) {
	var object map[string]any
	if json.Unmarshal(body, &object) != nil {
		return
	}
	f.keepMembers(strings.Split(path, "/")[1], object)
}

// keptMembers are members of answers that are, or have, ids of a kind.
var keptMembers = map[string]string{"file_id": "files", "task_id": "tasks", "file": "files", "task": "tasks"}

func (f *fuzzer) keepMembers(kind string, object map[string]any) {
	const most = 60
	for name, value := range object {
		of := keptMembers[name]
		if name == "id" {
			of = kind
		}
		switch value := value.(type) {
		case string:
			if of != "" && len(f.ids[of]) < most {
				f.ids[of] = append(f.ids[of], value)
			} else if of != "" {
				f.ids[of][f.random.IntN(most)] = value
			}
		case map[string]any:
			if of != "" {
				f.keepMembers(of, value)
			}
		case []any:
			for _, item := range value {
				if item, ok := item.(map[string]any); ok && name == "items" {
					f.keepMembers(kind, item)
				}
			}
		}
	}
}

// body returns a body and its media type, "" for none.
func (f *fuzzer) body(o fuzzed, wrong int) (body []byte, contentType string) {
	described, has := o.node["requestBody"].(map[string]any)
	if !has {
		if wrong > 1 && f.random.IntN(8) == 0 {
			return []byte("{}"), "application/json"
		}
		return nil, ""
	}
	content := described["content"].(map[string]any)
	types := slices.Sorted(maps.Keys(content))
	contentType = types[f.random.IntN(len(types))]
	schema, _ := content[contentType].(map[string]any)["schema"].(map[string]any)
	switch contentType {
	case "application/json":
		value := f.value(schema, "", 0)
		if example := content[contentType].(map[string]any)["example"]; example != nil && f.random.IntN(2) == 0 {
			copied, _ := json.Marshal(example)
			json.Unmarshal(copied, &value)
		}
		if wrong > 0 {
			value = f.spoil(value, 0)
		}
		body, _ = json.Marshal(value)
		if wrong > 1 && len(body) > 0 {
			body = body[:f.random.IntN(len(body)+1)]
		}
	case "multipart/form-data":
		body, contentType = f.form(f.resolve(schema), wrong)
	default:
		body, contentType = f.file(), "text/csv"
	}
	if wrong > 1 && f.random.IntN(4) == 0 {
		contentType = []string{"text/plain", "application/json", "multipart/form-data", "application/x-www-form-urlencoded", "*/*;;", "application/json; charset=\xff"}[f.random.IntN(6)]
	}
	return body, contentType
}

// form returns a form with some of its fields, in any order.
func (f *fuzzer) form(schema map[string]any, wrong int) (body []byte, contentType string) {
	var text bytes.Buffer
	form := multipart.NewWriter(&text)
	properties := schema["properties"].(map[string]any)
	names := slices.Sorted(maps.Keys(properties))
	f.random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names {
		if name == "file" {
			part, _ := form.CreateFormFile("file", []string{"a.csv", "b.csv", "注文.csv", f.hostile()}[f.random.IntN(4)])
			part.Write(f.file())
		} else if f.random.IntN(len(names)) < 2 {
			form.WriteField(name, f.text(properties[name].(map[string]any), name, wrong > 0 && f.random.IntN(2) == 0))
		}
	}
	form.Close()
	body = text.Bytes()
	if wrong > 1 && f.random.IntN(3) == 0 {
		body = body[:f.random.IntN(len(body))]
	}
	return body, form.FormDataContentType()
}

func (f *fuzzer) file() []byte {
	files := []string{"a;b\n1;2\n", "\xef\xbb\xbfa,b\r\n1,2\r\n", "", "PK\x03\x04", "\x1f\x8b\x08\x00", "%PDF-1.7", "\xff\xfea\x00,\x00", "\"", "\x00", strings.Repeat("a,b,c\n", 4000)}
	return []byte(files[f.random.IntN(len(files))] + fmt.Sprint(f.random.IntN(50)))
}

func (f *fuzzer) resolve(schema map[string]any) map[string]any {
	if name, ok := schema["$ref"].(string); ok {
		return f.schemas[strings.TrimPrefix(name, "#/components/schemas/")].(map[string]any)
	}
	return schema
}

// text returns a value of a schema as a parameter has it, or something else.
func (f *fuzzer) text(schema map[string]any, name string, isWrong bool) string {
	if isWrong {
		return f.hostile()
	}
	if name == "wait" {
		return []string{"0s", "1ms", "10ms"}[f.random.IntN(3)]
	}
	switch value := f.value(schema, name, 0).(type) {
	case string:
		return value
	case []any:
		if len(value) == 0 {
			return ""
		}
		return fmt.Sprint(value[0])
	default:
		text, _ := json.Marshal(value)
		return string(text)
	}
}

// value returns a value of a schema.
func (f *fuzzer) value(schema map[string]any, name string, depth int) any {
	schema = f.resolve(schema)
	if values, ok := schema["enum"].([]any); ok {
		return values[f.random.IntN(len(values))]
	}
	if examples, ok := schema["examples"].([]any); ok && f.random.IntN(8) > 0 {
		return examples[f.random.IntN(len(examples))]
	}
	kinds, _ := schema["type"].([]any)
	kind, _ := schema["type"].(string)
	if len(kinds) > 0 {
		kind, _ = kinds[f.random.IntN(len(kinds))].(string)
	}
	switch kind {
	case "object":
		return f.object(schema, depth)
	case "array":
		items, _ := schema["items"].(map[string]any)
		list := []any{}
		for range f.random.IntN(3) {
			list = append(list, f.value(items, name, depth+1))
		}
		return list
	case "integer", "number":
		return f.number(schema)
	case "boolean":
		return f.random.IntN(2) == 0
	case "null":
		return nil
	}
	return f.string(schema, name)
}

func (f *fuzzer) object(schema map[string]any, depth int) any {
	object := map[string]any{}
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if slices.Contains(required, any(name)) || depth < 4 && f.random.IntN(2) == 0 {
			object[name] = f.value(properties[name].(map[string]any), name, depth+1)
		}
	}
	return object
}

func (f *fuzzer) number(schema map[string]any) any {
	low, high := 0.0, 1e6
	if least, ok := schema["minimum"].(float64); ok {
		low = least
	}
	if most, ok := schema["maximum"].(float64); ok {
		high = most
	}
	return []int64{int64(low), int64(high), int64(low) + f.random.Int64N(int64(high-low)+1), int64(min(low+1, high))}[f.random.IntN(4)]
}

func (f *fuzzer) string(schema map[string]any, name string) string {
	if pattern, ok := schema["pattern"].(string); ok {
		return rapid.StringMatching(pattern).Example(f.random.IntN(1000))
	}
	switch schema["format"] {
	case "uuid":
		if kind, ok := keptMembers[name]; ok && len(f.ids[kind]) > 0 {
			return f.ids[kind][f.random.IntN(len(f.ids[kind]))]
		}
		return task0
	case "date-time":
		return []string{"2026-01-31T09:05:00Z", "1970-01-01T00:00:00+14:00", "9999-12-31T23:59:59.999999999Z", "0001-01-01T00:00:00Z"}[f.random.IntN(4)]
	}
	switch name {
	case "task":
		return f.ids["tasks"][f.random.IntN(len(f.ids["tasks"]))]
	case "name":
		return []string{"prices", "a.csv", "x", "データ", f.hostile()}[f.random.IntN(5)]
	}
	return []string{"", "a", "prices", "1", f.hostile()}[f.random.IntN(5)]
}

const task0 = "0192f0c1-0000-7000-8000-000000000001"

// hostiles are texts that have broken other programs.
var hostiles = []string{
	"", " ", "\x00", "\xff\xfe\xfd", "😀", "ａ", "null", "NaN", "-0", "-1", "0", "1e309", "9223372036854775808", "-9223372036854775809", "99999999999999999999", "0x10", "1_000",
	"true", "auto", "none", "'; drop table sheetdrop.task; --", "\" or 1=1", "%", "%s%n", "$1", "\\", "../../etc/passwd", "${jndi:ldap://x}", "<script>alert(1)</script>",
	"{}", "[]", `{"a":`, `{"a":{"a":{"a":{}}}}`, "\r\nX: y", "\u202egnp.exe", "2026-02-30T25:61:61Z", "+292278994-08-17T07:12:55.807Z", "00000000-0000-0000-0000-000000000000",
	"urn:uuid:" + task0, "{" + task0 + "}", strings.ToUpper(task0), strings.Repeat("a", 300), strings.Repeat("あ", 3000), strings.Repeat("(", 2000), "a:text;pattern=" + strings.Repeat("(a{1,99}){1,99}", 9),
	"a:integer;min=9;max=1", "*", "W/\"x\"", "bytes=0-1", "a,b,,c", "PENDING,FAILED", "utf-7", "infinity", "2026-01-01T00:00:00Z", "limit:101%", "limit:-1", "limit:1e9",
}

func (f *fuzzer) hostile() string { return hostiles[f.random.IntN(len(hostiles))] }

// spoil puts something wrong into a value.
func (f *fuzzer) spoil(value any, depth int) any {
	if object, ok := value.(map[string]any); ok && len(object) > 0 && depth < 6 && f.random.IntN(4) > 0 {
		names := slices.Sorted(maps.Keys(object))
		name := names[f.random.IntN(len(names))]
		switch f.random.IntN(4) {
		case 0:
			delete(object, name)
		case 1:
			object[f.hostile()] = f.hostile()
		default:
			object[name] = f.spoil(object[name], depth+1)
		}
		return object
	}
	if list, ok := value.([]any); ok && len(list) > 0 && f.random.IntN(2) == 0 {
		list[0] = f.spoil(list[0], depth+1)
		return list
	}
	return []any{nil, f.hostile(), true, -1, 1e300, 1.5, []any{}, map[string]any{}, []any{[]any{[]any{}}}, map[string]any{f.hostile(): nil}}[f.random.IntN(10)]
}

// report says what was reached, and fails where the requests were no test: operations that nothing has succeeded with.
func (f *fuzzer) report() {
	f.t.Logf("answers by status: %v", f.statuses)
	var never []string
	for _, o := range f.operations {
		needsSettings := strings.HasPrefix(o.path, "/embed/") || strings.HasPrefix(o.path, "/webhooks") || strings.HasPrefix(o.path, "/upload-tokens")
		if f.succeeded[o.id] == 0 && !needsSettings {
			never = append(never, o.id)
		}
	}
	f.t.Logf("operations that no request succeeded with: %q", never)
	if len(never) > len(f.operations)/4 && f.failures == 0 {
		f.t.Errorf("no request has succeeded with %d of %d operations: %q", len(never), len(f.operations), never)
	}
	if reached := f.statuses[http.StatusOK]; reached == 0 || f.statuses[problem.InvalidParameter.Status()] == 0 {
		f.t.Errorf("answers by status: %v", f.statuses)
	}
}

func mustID(text string) uuid.UUID {
	id, err := uuid.Parse(text)
	must(err)
	return id
}
