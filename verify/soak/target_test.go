//go:build linux

package soak

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres/pgtest"
)

// targetEvery is how many uploads there are to one that goes into a named target.
const targetEvery = 4

// soakTarget is a named target, into which callers load files that some of them undo later, while editors change its rows.
type soakTarget struct {
	name    string
	rules   string // of the definition: key, mode, partition
	keyed   bool
	undone  bool // some of its loads are
	id      uuid.UUID
	widened atomic.Bool // it has the column remark

	mu    sync.Mutex
	files []*targetFile
}

// newTargets are the kinds of targets. Loads of shared are never undone, so that editors may change any row of it, and what comes of that follows
// from the order alone; in the others they change rows of which no second file has the key.
func newTargets() []*soakTarget {
	return []*soakTarget{
		{name: "ledger", rules: `"key":["id"],"mode":"upsert"`, keyed: true, undone: true},
		{name: "entries", rules: `"mode":"insert"`, undone: true},
		{name: "stock", rules: `"key":["id"],"mode":"replace","partition":["part"]`, keyed: true, undone: true},
		{name: "shared", rules: `"key":["id"],"mode":"upsert"`, keyed: true},
	}
}

// targetColumns are the columns of every target; remark is added in the middle of the run.
const (
	targetColumns = `{"name":"id","type":"text","required":true},{"name":"part","type":"text","max_length":20},` +
		`{"name":"amount","type":"decimal","digits":12,"scale":2,"min":"0"},{"name":"day","type":"date"}`
	remarkColumn = `,{"name":"remark","type":"text","default":"open"}`
)

func (s *soak) createTargets(t *testing.T) {
	t.Helper()
	s.targets = newTargets()
	s.began = time.Now()
	for _, target := range s.targets {
		definition := fmt.Sprintf(`{"name":%q,%s,"columns":[%s]}`, target.name, target.rules, targetColumns)
		_, text := s.insist(t, request{method: http.MethodPost, path: "/api/targets", kind: "application/json", body: []byte(definition)}, http.StatusCreated)
		var made struct{ ID uuid.UUID }
		if err := json.Unmarshal(text, &made); err != nil {
			t.Fatalf("target %s: %v in %s", target.name, err, text)
		}
		target.id = made.ID
	}
	s.Exec(t, `alter table data.stock add constraint stock_has_no_13 check (amount <> 13)`)
	s.Exec(t, editTableSQL)
}

// widenTargets adds a column to each target in the middle of the run, while files are loaded.
func (s *soak) widenTargets(t *testing.T) {
	if !s.pause(t, time.Until(s.began.Add(s.length/2))) {
		return
	}
	for _, target := range s.targets {
		s.insist(t, request{
			method: http.MethodPatch, path: "/api/targets/" + target.id.String(), kind: "application/json",
			body: []byte(`{"columns":[` + targetColumns + remarkColumn + `]}`),
		}, http.StatusOK)
		target.widened.Store(true)
	}
}

// uploadIntoTarget sends the n-th file into a target, and lets its caller do what else callers do with loads.
func (s *soak) uploadIntoTarget(t *testing.T, n int) {
	random := rand.New(rand.NewPCG(s.seed, 1<<35+uint64(n)))
	into := s.targets[n/targetEvery%len(s.targets)]
	f := newTargetFile(t, into, n, random)
	f.upload = newUpload(n, f.sheetFile)
	f.sent = time.Since(s.began)
	if f.upload.file, f.upload.task = s.send(t, f.sheetFile, f.upload.key, 0); f.upload.task == uuid.Nil {
		return
	}
	s.accepted(f.upload)
	into.add(f)
	switch random.IntN(12) {
	case 0:
		s.cancel(t, f.upload)
	case 1:
		f.retried = true
		s.cancel(t, f.upload)
		s.retry(t, f.upload)
	case 2, 3, 4:
		s.undo(t, into, random)
	default:
		s.correct(t, into, f, n, random)
	}
}

func (target *soakTarget) add(f *targetFile) {
	target.mu.Lock()
	defer target.mu.Unlock()
	target.files = append(target.files, f)
}

// pick returns a file whose load nobody has undone, to do it; nil where there is none. Its corrections go with it, and it is left alone where
// only they were undone. The rejects of either are open again.
func (target *soakTarget) pick(random *rand.Rand) *targetFile {
	target.mu.Lock()
	defer target.mu.Unlock()
	f := target.files[random.IntN(len(target.files))]
	if !target.undone || f.undone || f.correctedBy != nil && f.correctedBy.undone {
		return nil
	}
	f.undone = true
	if f.correctedBy != nil {
		f.correctedBy.undone = true
	}
	first := cmp.Or(f.corrects, f)
	first.upload.want = first.want()
	return f
}

// undo takes a load of any file of the target back, new or old. A request that took effect without an answer is refused the next time.
func (s *soak) undo(t *testing.T, target *soakTarget, random *rand.Rand) {
	f := target.pick(random)
	if f == nil || s.awaitTask(t, f.upload.task) != "COMPLETED" {
		return
	}
	_, text := s.insist(t, request{method: http.MethodGet, path: "/api/tasks/" + f.upload.task.String()}, http.StatusOK)
	var loaded struct {
		Summary struct{ Target struct{ Load int64 } }
	}
	if text == nil {
		return
	}
	if err := json.Unmarshal(text, &loaded); err != nil {
		t.Errorf("seed %d: task %s: %v in %s", s.seed, f.upload.task, err, text)
		return
	}
	lost := false
	status, text := s.insist(t, request{
		method: http.MethodPost, path: fmt.Sprintf("/api/targets/%s/loads/%d/undo", target.id, loaded.Summary.Target.Load), failed: func() { lost = true },
	}, http.StatusAccepted, http.StatusConflict)
	if status == http.StatusConflict && !lost {
		t.Errorf("seed %d: undo of upload %d: %s", s.seed, f.upload.number, text)
	}
	f.upload.again = 1
}

// editTableSQL makes the table in which each edit is noted by its own statement, so that it is known which ones took effect, after which load.
const editTableSQL = `create table public.edit (
  seq bigserial, target text not null, key text not null, what text not null, amount numeric(12, 2), after_load bigint not null
)`

// editors is how many people change rows of targets by SQL.
const editors = 3

// edit changes rows until the run has ended. An edit that fails is none.
func (s *soak) edit(t *testing.T, editor int, ended <-chan struct{}) {
	random := rand.New(rand.NewPCG(s.seed, 1<<36+uint64(editor)))
	for n := 0; ; n++ {
		sql, args := newEdit(random, 5_000_000+n*editors+editor)
		_, _ = s.sql.Exec(t.Context(), sql, args...)
		select {
		case <-ended:
			return
		case <-t.Context().Done():
			return
		case <-time.After(between(random, 20*time.Millisecond, 400*time.Millisecond)):
		}
	}
}

// newEdit returns a statement, with an amount that no other edit and no file has.
func newEdit(random *rand.Rand, amount int) (sql string, args []any) {
	const note = `insert into public.edit (target, key, what, amount, after_load) select %s, id, '%s', amount, _load from e`
	switch chance := random.IntN(10); {
	case chance < 5: // several rows at once, in any order
		keys := make([]string, 1+random.IntN(4))
		for i := range keys {
			keys[i] = poolKey(random.IntN(poolKeys))
		}
		return `with e as (update data.shared set amount = $1 where id = any($2) returning *) ` + fmt.Sprintf(note, `'shared'`, "changed"), []any{amount, keys}
	case chance == 5:
		return `with e as (delete from data.shared where id = $1 returning *) ` + fmt.Sprintf(note, `'shared'`, "deleted"), []any{poolKey(random.IntN(poolKeys))}
	case chance < 8: // rows of one file alone
		return `with e as (update data.ledger set amount = $1 where not _edited and id = (
  select id from data.ledger where id like 'only-%' and not _edited order by random() limit 1) returning *) ` + fmt.Sprintf(note, `'ledger'`, "changed"), []any{amount}
	default:
		name := newTargets()[random.IntN(4)].name
		return `with e as (insert into data.` + name + ` (id, part, amount) values ($1, 'own', $2) returning *) ` + fmt.Sprintf(note, `'`+name+`'`, "added"),
			[]any{fmt.Sprintf("mine-%d", amount), amount}
	}
}

// edit is one that took effect.
type edit struct {
	Target, Key, What, Amount string
	AfterLoad                 int64
}

func (s *soak) edits(t *testing.T) []edit {
	t.Helper()
	return pgtest.Query[[]edit](t, s.Database, `select coalesce(jsonb_agg(jsonb_build_object('Target', target, 'Key', key, 'What', what, 'Amount', amount::text,
  'AfterLoad', after_load) order by seq), '[]') from public.edit`)
}
