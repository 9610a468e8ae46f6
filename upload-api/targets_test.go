package upload

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/internal/target"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/targets"
)

const pricesTarget = `{"name": "prices", "key": ["article"], "mode": "upsert", "columns": [
  {"name": "article", "label": "商品コード", "type": "text", "required": true, "synonyms": ["Artikelnummer", "SKU"]},
  {"name": "net", "label": "税抜価格", "type": "decimal", "digits": 12, "scale": 2, "min": "0", "required": true},
  {"name": "valid_from", "type": "date"}]}`

// target creates a target that must be created.
func (d *testAPI) target(definition string, headers ...string) (made Target) {
	d.t.Helper()
	d.postJSON("/api/targets", definition, headers...).into(http.StatusCreated, &made)
	return made
}

func (d *testAPI) sendJSON(method, path, body string, headers ...string) answer {
	d.t.Helper()
	return d.send(method, path, strings.NewReader(body), append([]string{"Content-Type: application/json"}, headers...)...)
}

func pathOf(t Target) string { return "/api/targets/" + t.ID.String() }

func locations(p problem.Problem) (all []string) {
	for _, fault := range p.Errors {
		all = append(all, fault.Location)
	}
	return all
}

// A target is created once, however often its definition is sent, and what was defined is what is shown.
func TestTargetIsCreatedOnce(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	made := d.target(pricesTarget)
	if made.Name != "prices" || made.Table != (targets.TableName{Schema: "data", Name: "prices"}) || !made.Ordered || made.Version != 1 || !slices.Equal(made.May, []string{"own"}) {
		t.Errorf("%+v", made)
	}
	d.exec(`insert into data.prices (article, net, _load, _row) values ('a', 1, 1, 1)`)
	if again := d.target(pricesTarget); again.ID != made.ID || d.count("target") != 1 {
		t.Errorf("again it is %s", again.ID)
	}
	var shown Target
	d.get(pathOf(made)).into(http.StatusOK, &shown)
	if text, _ := json.Marshal(shown.Definition); !equalJSON(text, json.RawMessage(pricesTarget)) {
		t.Errorf("defined as %s", text)
	}
	d.postJSON("/api/targets", `{"name": "prices", "columns": [{"name": "a", "type": "text"}]}`).problem(problem.TargetExists)
	d.exec(`create view data.other as select 1`)
	d.postJSON("/api/targets", strings.Replace(pricesTarget, "prices", "other", 1)).problem(problem.TableExists)
	if n := d.count("target"); n != 1 {
		t.Errorf("%d targets", n)
	}
}

// Everything that is wrong with a definition is said at once, in both languages, and nothing is made of it.
func TestWrongDefinitions(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	p := d.postJSON("/api/targets", `{"name": "_x", "kye": [], "key": ["b"], "columns": [
  {"name": "a\u0000", "type": "money"}, {"name": "b", "type": "decimal", "digits": 3, "scale": 4, "default": "1,5"}]}`).problem(problem.InvalidDefinition)
	want := []string{"/kye", "/name", "/columns/0/name", "/columns/0/type", "/columns/1/scale", "/columns/1/default", "/key/0"}
	if !slices.Equal(locations(p), want) {
		t.Errorf("%q, want %q", locations(p), want)
	}
	for _, fault := range p.Errors {
		if fault.Message == "" || fault.MessageJA == "" {
			t.Errorf("%+v", fault)
		}
	}
	many := make([]string, 100)
	for i := range many {
		many[i] = `{"name": "", "type": "text"}`
	}
	p = d.postJSON("/api/targets", `{"name": "t", "columns": [`+strings.Join(many, ",")+`]}`).problem(problem.InvalidDefinition)
	if len(p.Errors) != 21 || p.Errors[20].Message != "There are more." {
		t.Errorf("%+v", p.Errors)
	}
	d.postJSON("/api/targets", `{"name": `).problem(problem.InvalidBody)
	d.postJSON("/api/targets", `[]`).problem(problem.InvalidDefinition)
	if n := d.count("target"); n != 0 {
		t.Errorf("%d targets", n)
	}
}

// The names with which people attack a database name a table of the owner's own, or are refused.
func TestHostileTargets(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	before := d.contents()["task"]
	for _, name := range []string{"sheetdrop.task", "pg_catalog.pg_authid", `"; drop table sheetdrop.task; --`, `a"b`, "'", "a;b", "%I%s", strings.Repeat("商", 19)} {
		made := d.target(fmt.Sprintf(`{"name": %q, "key": [%q], "columns": [{"name": %q, "label": %q, "type": "text", "required": true, "default": %q}]}`, name, name, name, name, name))
		if made.Table != (targets.TableName{Schema: "data", Name: name}) {
			t.Errorf("%q is %+v", name, made.Table)
		}
		d.send(http.MethodDelete, pathOf(made)+"?table=drop", nil).noContent()
	}
	for _, name := range []string{"a\u0000b", strings.Repeat("a", 58), strings.Repeat("a", 64), "_load", "prices__was", "..", ""} {
		text, _ := json.Marshal(name)
		d.postJSON("/api/targets", fmt.Sprintf(`{"name": %s, "columns": [{"name": "a", "type": "text"}]}`, text)).problem(problem.InvalidDefinition)
	}
	if after := d.contents()["task"]; after != before {
		t.Errorf("tasks were %s and are %s", before, after)
	}
}

// Nobody has more targets than they may.
func TestQuotaOfTargets(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth(), withSettings(func(s *Settings) { s.Quota.Targets = 1 }))
	ann, bob := signedIn("ann"), signedIn("bob")
	first := d.target(pricesTarget, ann)
	d.target(pricesTarget, bob)
	d.postJSON("/api/targets", strings.Replace(pricesTarget, "prices", "other", 1), ann).problem(problem.TooManyTargets)
	d.target(pricesTarget, ann)
	d.send(http.MethodDelete, pathOf(first)+"?table=drop", nil, ann).noContent()
	d.target(strings.Replace(pricesTarget, "prices", "other", 1), ann)
}

// What others have built on a target's table is listed, and never dropped along; a dropped target is not there any more.
func TestDropTarget(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	made := d.target(pricesTarget)
	d.exec(`create view data.totals as select sum(net) from data.prices`)
	p := d.send(http.MethodDelete, pathOf(made)+"?table=drop", nil).problem(problem.InUseBy)
	if len(p.Errors) != 1 || !strings.Contains(p.Errors[0].Message, "data.totals") {
		t.Errorf("%+v", p.Errors)
	}
	d.send(http.MethodDelete, pathOf(made), nil).noContent()
	d.get(pathOf(made)).problem(problem.NotFound)
	d.post("/api/files?name=a.csv&target=prices", "a\n1\n").problem(problem.NoSuchTarget)
	var n int
	d.query(&n, `select count(*) from data.prices`)
}

// A target changes as far as nothing is lost by it; what was said before stays to be read.
func TestChangeTarget(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	made := d.target(pricesTarget)
	var changed Target
	d.sendJSON(http.MethodPatch, pathOf(made), `{"mode": "insert", "extra": "refuse", "columns": [
  {"name": "article", "type": "text", "required": true, "synonyms": ["Nr"]}, {"name": "net", "type": "decimal", "digits": 14, "scale": 2},
  {"name": "valid_from", "type": "date"}, {"name": "unit", "type": "text", "required": true, "default": "kg"}]}`).into(http.StatusOK, &changed)
	if changed.Version != 2 || len(changed.Definition.Columns) != 4 || changed.Definition.Extra != target.RefuseExtra || !slices.Equal(changed.Definition.Key, []string{"article"}) {
		t.Errorf("%+v", changed)
	}
	d.sendJSON(http.MethodPatch, pathOf(made), `{"extra": "refuse"}`).into(http.StatusOK, &changed)
	if changed.Version != 2 {
		t.Errorf("the same again is version %d", changed.Version)
	}
	d.exec(`insert into data.prices (article, _load, _row) values ('a', 1, 1)`)
	p := d.sendJSON(http.MethodPatch, pathOf(made), `{"name": "other", "key": [], "columns": [{"name": "net", "type": "text"}]}`).problem(problem.InvalidDefinition)
	if want := []string{"/name", "/key", "/columns", "/columns", "/columns", "/columns/0/type"}; !slices.Equal(locations(p), want) {
		t.Errorf("%q, want %q", locations(p), want)
	}
	d.sendJSON(http.MethodPatch, pathOf(made), `{"mod": "insert"}`).problem(problem.InvalidDefinition)
	d.sendJSON(http.MethodPatch, pathOf(made), `[]`).problem(problem.InvalidBody)
	d.exec(`create view data.nets as select net from data.prices`)
	d.sendJSON(http.MethodPatch, pathOf(made), `{"columns": [
  {"name": "article", "type": "text", "required": true}, {"name": "net", "type": "decimal"}, {"name": "valid_from", "type": "date"}, {"name": "unit", "type": "text"}]}`).
		problem(problem.InUseBy)
	if n := d.count("target_version"); n != 2 {
		t.Errorf("%d versions", n)
	}
}

// People see what an upload would do with their headers, and what they still have to say.
func TestMatchTarget(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	made := d.target(pricesTarget)
	d.sendJSON(http.MethodPut, pathOf(made)+"/choices", `{"choices": {"Netto Preis": "net", "Notiz": null}}`).into(http.StatusOK, &targets.HeaderChoices{})
	var got targets.Matching
	d.postJSON(pathOf(made)+"/match", `{"headers": ["Artikelnummer", "NETTOPREIS", "notiz", "valid", ""], "mapping": {"column_5": {"column": "valid_from", "format": "DD.MM.YYYY"}}}`).
		into(http.StatusOK, &got)
	var lines []string
	for _, c := range got.Columns {
		column := "-"
		if c.Column != nil {
			column = *c.Column
		}
		lines = append(lines, fmt.Sprint(c.ColumnNo, c.Header, " ", column, " ", c.Rule, " ", c.Format, c.Suggestions))
	}
	want := []string{"1Artikelnummer article synonym []", "2NETTOPREIS net remembered []", "3notiz - remembered []", "4valid -  []", "5 valid_from request DD.MM.YYYY[]"}
	if !slices.Equal(lines, want) || len(got.Problems)+len(got.Missing) != 0 {
		t.Errorf("%q\n%q\n%+v", lines, want, got)
	}
	d.postJSON(pathOf(made)+"/match", `{"headers": ["SKU", "Artikelnummer"]}`).into(http.StatusOK, &got)
	if len(got.Problems) != 2 || got.Problems[0].Code != target.AmbiguousHeader || got.Problems[1].Code != target.MappingNeeded || len(got.Missing) != 3 {
		t.Errorf("%+v", got)
	}

	taken := d.upload("a.csv", "a\n")
	sheetOf(d, taken.Task.ID, "sku", "net", "net")
	d.send(http.MethodPost, pathOf(made)+"/match?task="+taken.Task.ID.String(), nil).into(http.StatusOK, &got)
	if len(got.Columns) != 3 || len(got.Problems) != 1 || *got.Columns[0].Column != "article" {
		t.Errorf("of a sheet: %+v", got)
	}
	d.send(http.MethodPost, pathOf(made)+"/match", nil).problem(problem.InvalidBody)
	d.send(http.MethodPost, pathOf(made)+"/match?task="+uuid.NewString(), nil).problem(problem.NotFound)
	d.postJSON(pathOf(made)+"/match", `{"headers": ["a"], "mapping": {"a": "x", "b": {"column": "net", "format": "era"}}}`).problem(problem.InvalidMapping)
	d.postJSON(pathOf(made)+"/match", `{"headers": ["a"], "mapping": {"a": 7}}`).problem(problem.InvalidBody)
	if n := d.count("header_choice"); n != 2 {
		t.Errorf("%d choices are stored", n)
	}
}

// What somebody has chosen is theirs to see, to replace and to forget.
func TestHeaderChoices(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	ann, bob := signedIn("ann"), signedIn("bob")
	made := d.target(pricesTarget, ann)
	d.sendJSON(http.MethodPut, pathOf(made)+"/shares", fmt.Sprintf(`{"shares": [{"grantee": %q, "may": "load"}]}`, "aad:tenant/bob"), ann).into(http.StatusOK, &targets.TargetShares{})
	put := func(choices, who string) targets.HeaderChoices {
		t.Helper()
		var got targets.HeaderChoices
		d.sendJSON(http.MethodPut, pathOf(made)+"/choices", `{"choices": `+choices+`}`, who).into(http.StatusOK, &got)
		return got
	}
	put(`{"a": "net", "b": null}`, ann)
	put(`{"a": "article"}`, bob)
	got := put(`{"Ａ_": {"column": "valid_from", "format": "DD.MM.YYYY"}}`, ann)
	if len(got.Choices) != 1 || got.Choices[0].Header != "a" || *got.Choices[0].Column != "valid_from" || *got.Choices[0].Format != "DD.MM.YYYY" {
		t.Errorf("%+v", got)
	}
	d.sendJSON(http.MethodPut, pathOf(made)+"/choices", `{"choices": {"a": "nett"}}`, ann).problem(problem.InvalidMapping)
	d.send(http.MethodDelete, pathOf(made)+"/choices", nil, ann).noContent()
	d.get(pathOf(made)+"/choices", ann).into(http.StatusOK, &got)
	if len(got.Choices) != 0 || d.count("header_choice") != 1 {
		t.Errorf("%+v", got)
	}
}

// A definition is made from a file's columns, and can be sent back as it is.
func TestProposeTarget(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	taken := d.upload("%E5%80%A4%E6%AE%B5.csv", "a\n")
	sheetOf(d, taken.Task.ID, "商品コード", "_row", strings.Repeat("x", 70))
	a := d.send(http.MethodPost, "/api/targets/propose?task="+taken.Task.ID.String(), nil)
	var proposed targets.TargetDefinition
	a.into(http.StatusOK, &proposed)
	if proposed.Name != "値段" || len(proposed.Columns) != 3 || proposed.Columns[1].Name != "row" || proposed.Columns[1].Label != "_row" {
		t.Errorf("%+v", proposed)
	}
	d.target(string(a.body))
	d.send(http.MethodPost, "/api/targets/propose?task="+taken.Task.ID.String()+"&name=other&sheet=2", nil).problem(problem.NotFound)
	d.send(http.MethodPost, "/api/targets/propose?task=x", nil).problem(problem.InvalidParameter)
}

// Whatever way a file comes, it is loaded into the target that was named, as was asked for, in its turn.
func TestUploadsIntoATarget(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t)
	made := d.target(pricesTarget)
	const mapping = `{"Preis":"net","x":null}`
	query := "&target=prices&mode=insert&series=tokyo&earlier=keep&header=1&mapping=" + url.QueryEscape(mapping)
	want := fmt.Sprintf(`{"header":1,"target":{"id":%q,"name":"prices","mode":"insert","series":"tokyo","keep_earlier":true,"mapping":{"Preis":{"column":"net"},"x":{"column":""}}}}`, made.ID)
	turn := 0
	check := func(way string, task Task, want string) {
		t.Helper()
		var got string
		d.query(&got, `select concat_ws(' ', target_id, case when ordered then 'ordered' end, turn) from sheetdrop.task where id = $1`, task.ID)
		if turn++; got != fmt.Sprint(made.ID, " ordered ", turn) || !equalJSON(task.Options, json.RawMessage(want)) {
			t.Errorf("%s: %s %s", way, got, task.Options)
		}
	}
	first := d.upload("a.csv"+query, "a\n1\n")
	check("a body", first.Task, want)

	var sent Uploaded
	d.postForm(fieldPart("target", made.ID.String())+fieldPart("mode", "insert")+fieldPart("series", "tokyo")+fieldPart("earlier", "keep")+
		fieldPart("mapping", mapping)+fieldPart("header", "1")+filePart("b.csv", "a\n")).into(http.StatusAccepted, &sent)
	sent.Items[0].Task.Options = sent.Options
	check("a form", sent.Items[0].Task, want)

	var begun BegunUpload
	d.postJSON("/api/uploads?"+query[1:], `{"name":"c.csv","size_bytes":2}`).into(http.StatusCreated, &begun)
	d.putBlock(begun, []byte("a\n"), 0)
	var done FileAndTask
	d.complete(begun).into(http.StatusAccepted, &done)
	check("the blob store", done.Task, want)

	endTasks(d)
	var again Task
	d.send(http.MethodPost, "/api/files/"+first.File.ID.String()+"/tasks", nil).into(http.StatusAccepted, &again)
	check("again as before", again, want)
	endTasks(d)
	d.send(http.MethodPost, "/api/files/"+first.File.ID.String()+"/tasks?target=prices", nil).into(http.StatusAccepted, &again)
	check("again, into the target", again, fmt.Sprintf(`{"header":1,"target":{"id":%q,"name":"prices"}}`, made.ID))
	endTasks(d)
	var bulk BulkDone
	d.postJSON("/api/bulk/tasks?target=prices&mode=upsert&skip=2", fmt.Sprintf(`{"items":[{"file_id":%q}]}`, first.File.ID)).into(http.StatusAccepted, &bulk)
	d.get("/api/tasks/"+bulk.Accepted[0].TaskID.String()).into(http.StatusOK, &again)
	check("in bulk", again, fmt.Sprintf(`{"skip":2,"target":{"id":%q,"name":"prices","mode":"upsert"}}`, made.ID))
	endTasks(d)
	d.send(http.MethodPost, "/api/files/"+first.File.ID.String()+"/tasks?header=1", nil).into(http.StatusAccepted, &again)
	if !equalJSON(again.Options, json.RawMessage(`{"header":1}`)) {
		t.Errorf("with options of its own: %s", again.Options)
	}
}

// What cannot be loaded is refused before the file is read, and leaves nothing.
func TestUploadsThatNoTargetTakes(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	ann, bob, carol := signedIn("ann"), signedIn("bob", "shop"), signedIn("carol")
	made := d.target(pricesTarget, ann)
	keyless := d.target(`{"name": "log", "columns": [{"name": "a", "type": "text"}]}`, ann)
	d.sendJSON(http.MethodPut, pathOf(made)+"/shares", `{"shares": [{"grantee": "role:shop", "may": "load"}, {"grantee": "aad:tenant/carol", "may": "read"}]}`, ann).
		into(http.StatusOK, &targets.TargetShares{})
	for query, code := range map[string]problem.Code{
		"target=other": problem.NoSuchTarget, "mode=insert": problem.InvalidOption, "target=prices&target=prices": problem.InvalidOption,
		"target=prices&mode=merge": problem.InvalidMapping, "target=log&mode=upsert": problem.InvalidMapping, "target=prices&mapping=x": problem.InvalidOption,
		"target=prices&mapping=" + url.QueryEscape(`{"a":"nett"}`): problem.InvalidMapping, "target=prices&mapping=" + url.QueryEscape(`{"a":{"column":"net","unit":"kg"}}`): problem.InvalidOption,
		"target=prices&series=a%0A": problem.InvalidMapping, "target=prices&earlier=none": problem.InvalidOption, "series=tokyo": problem.InvalidOption,
		"target=%FF": problem.InvalidOption, "target=" + uuid.NewString(): problem.NoSuchTarget,
	} {
		d.post("/api/files?name=a.csv&"+query, "a\n", ann).problem(code)
	}
	d.postForm(fieldPart("target", "prices")+fieldPart("series", "tokyo")+filePart("a.csv", "a\n")+filePart("b.csv", "a\n"), ann).problem(problem.InvalidOption)
	d.postJSON("/api/bulk/tasks?target=prices&series=tokyo", fmt.Sprintf(`{"items":[{"file_id":%q},{"file_id":%q}]}`, uuid.New(), uuid.New()), ann).
		problem(problem.InvalidOption)
	d.post("/api/files?name=a.csv&target=prices", "a\n", carol).problem(problem.NotPermitted)
	d.post("/api/files?name=a.csv&target="+keyless.ID.String(), "a\n", bob).problem(problem.NoSuchTarget)
	d.nothingLeft()
	d.upload("a.csv&target=prices", "a\n", bob)
	d.upload("a.csv&target="+made.ID.String(), "a\n", bob)
}

// P8: what is shared is shared for that alone, and with those alone.
func TestSharedTargets(t *testing.T) {
	t.Parallel()
	d := newTestAPI(t, withEasyAuth())
	ann, bob, carol, dave := signedIn("ann"), signedIn("bob", "shop"), signedIn("carol"), signedIn("dave")
	made := d.target(pricesTarget, ann)
	var shares targets.TargetShares
	d.sendJSON(http.MethodPut, pathOf(made)+"/shares", `{"shares": [{"grantee": "role:shop", "may": "read"}, {"grantee": "aad:tenant/carol", "may": "define"}]}`, ann).into(http.StatusOK, &shares)
	if len(shares.Shares) != 2 {
		t.Errorf("%+v", shares)
	}
	for who, may := range map[string]string{bob: "read", carol: "define"} {
		var seen Target
		d.get(pathOf(made), who).into(http.StatusOK, &seen)
		if !slices.Equal(seen.May, []string{may}) {
			t.Errorf("%+v", seen)
		}
		d.send(http.MethodDelete, pathOf(made), nil, who).problem(problem.NotPermitted)
		d.get(pathOf(made)+"/shares", who).problem(problem.NotPermitted)
		d.sendJSON(http.MethodPut, pathOf(made)+"/shares", `{"shares": []}`, who).problem(problem.NotPermitted)
		d.sendJSON(http.MethodPut, pathOf(made)+"/choices", `{"choices": {}}`, who).problem(problem.NotPermitted)
	}
	d.sendJSON(http.MethodPatch, pathOf(made), `{"extra": "refuse"}`, bob).problem(problem.NotPermitted)
	d.sendJSON(http.MethodPatch, pathOf(made), `{"extra": "refuse"}`, carol).into(http.StatusOK, &Target{})
	d.get(pathOf(made), dave).problem(problem.NotFound)
	var list export.List[Target]
	d.get("/api/targets?name=prices", bob).into(http.StatusOK, &list)
	if len(list.Items) != 1 || list.Items[0].Definition != nil {
		t.Errorf("%+v", list)
	}
	d.get("/api/targets?name=prices", dave).into(http.StatusOK, &list)
	if len(list.Items) != 0 {
		t.Errorf("%+v", list)
	}
	d.sendJSON(http.MethodPut, pathOf(made)+"/shares", `{"shares": []}`, ann).into(http.StatusOK, &shares)
	d.get(pathOf(made), bob).problem(problem.NotFound)
}
