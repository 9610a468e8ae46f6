package parse_test

import (
	"fmt"
	"sync"
	"testing"

	"sheetdrop/internal/chaos/pgproxy"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/target"
)

const pricesFile = "article,net\nA,1\nB,2\n"

// whileLocked runs fn while the target's table is locked and a load waits for it, with all that comes before the load behind it.
func (f *fixture) whileLocked(t *testing.T, of table, begin, fn func()) {
	t.Helper()
	lock := f.Begin(t)
	if _, err := lock.Exec(t.Context(), `lock table `+of.sql+` in exclusive mode`); err != nil {
		t.Fatal(err)
	}
	begin()
	f.Await(t, lockAwaited)
	fn()
	if err := lock.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// T1: rows of a load are in the target exactly when its task is COMPLETED, once, also where its COMMIT is lost before or after it took
// effect, or is executed late, or the connection breaks in the middle.
func TestLoadIntoATargetIsExactlyOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault     func(t *testing.T, f *fixture, p *pgproxy.Proxy) (meanwhile func())
		delivered int // how often the message comes until the task is done
	}{
		"the commit's answer is lost": {func(_ *testing.T, _ *fixture, p *pgproxy.Proxy) func() { p.CutAfterCommit(1); return func() {} }, 1},
		"the commit is lost":          {func(_ *testing.T, _ *fixture, p *pgproxy.Proxy) func() { p.CutBeforeCommit(1); return func() {} }, 2},
		"the connection breaks in it": {func(_ *testing.T, _ *fixture, p *pgproxy.Proxy) func() {
			p.CutBeforeStatement("insert into sheetdrop.target_load", 1)
			return func() {}
		}, 2},
		"the commit comes late": {func(t *testing.T, f *fixture, p *pgproxy.Proxy) func() {
			held := p.HoldCommit()
			return func() {
				f.Await(t, `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%sheetdrop.task%')`)
				held.Release()
			}
		}, 1},
	} {
		for kind, def := range map[string]target.Definition{"upsert": prices(), "insert": prices(inserting), "keyless": prices(keyless)} {
			t.Run(name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				f := newFixture(t)
				into := f.target(t, def)
				proxy := pgproxy.New(t, f.URL)
				w := f.worker(t, usual, proxy.URL())
				u := f.send(t, into, pricesFile)
				var wait func() error
				var meanwhile func()
				f.whileLocked(t, into, func() { wait = start(t.Context(), w, u) }, func() { meanwhile = c.fault(t, f, proxy) })
				meanwhile()
				if err := wait(); err != nil {
					t.Error(err)
				}
				if proxy.Cuts() != 1 {
					t.Errorf("%d connections were cut, want 1", proxy.Cuts())
				}
				if c.delivered > 1 {
					f.wantTable(t, into)
					f.wantTask(t, u.TaskID, "PENDING 1 0 1")
					handle(t, w, u)
				}
				f.wantTable(t, into, "A|1.00|-", "B|2.00|-")
				if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.target_load`); n != 1 {
					t.Errorf("%d loads are written down", n)
				}
				if status := pgtest.Query[string](t, f.Database, `select status from sheetdrop.task`); status != "COMPLETED" {
					t.Error(status)
				}
			})
		}
	}
}

// A worker that was frozen while it wrote into the target, and wakes after another one has finished its task, leaves nothing there.
func TestWorkerThatWakesLateLeavesNothingInTheTarget(t *testing.T) {
	t.Parallel()
	for kind, def := range map[string]target.Definition{"upsert": prices(), "keyless": prices(keyless)} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			into := f.target(t, def)
			first := f.send(t, into, "article,net\nA,1\n")
			handle(t, f.worker(t, usual, ""), first)
			u := f.send(t, into, "article,net\nA,5\nB,2\n")
			var wait func() error
			f.whileLocked(t, into, func() { wait = start(t.Context(), f.worker(t, usual, ""), u) }, func() {
				f.Exec(t, takeOver, u.TaskID)
				f.Exec(t, `update sheetdrop.task set status = 'CANCELLED', finished_at = now() where id = $1`, u.TaskID)
			})
			if err := wait(); err != nil {
				t.Error(err)
			}
			f.wantTable(t, into, "A|1.00|-")
			if n := pgtest.Query[int](t, f.Database, `select count(*) from sheetdrop.target_load`); n != 1 {
				t.Errorf("%d loads are written down", n)
			}
		})
	}
}

// While people change the rows that a load is about to write, or insert the same keys, or delete them, nothing is lost: the load sees what
// there is when it writes, and what it replaces is kept.
func TestPeopleChangeTheTargetMeanwhile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		def          target.Definition
		change       string
		table        []string
		counts, kept string
	}{
		"they update": {prices(), `update data.prices set net = 77 where article = 'A'`, []string{"A|5.00|-", "B|2.00|-"}, "2 2 0 0: 1 1 0 0", "A 77.00 true"},
		"they delete": {prices(), `delete from data.prices where article = 'A'`, []string{"A|5.00|-", "B|2.00|-"}, "2 2 0 0: 2 0 0 0", ""},
		"they insert": {prices(), `insert into data.prices (article, net, _load, _row) values ('B', 9, 0, 0)`, []string{"A|5.00|-", "B|2.00|-"}, "2 2 0 0: 0 2 0 0", "A 1.00 false,B 9.00 false"},
		"they insert, and the load only inserts": {prices(inserting), `insert into data.prices (article, net, _load, _row) values ('B', 9, 0, 0)`,
			[]string{"A|1.00|-", "B|9.00|-"}, "2 0 2 0: 0 0 0 0", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			into := f.target(t, c.def)
			w := f.worker(t, usual, "")
			handle(t, w, f.send(t, into, "article,net\nA,1\n"))
			u := f.send(t, into, "article,net\nA,5\nB,2\n")
			editor := f.Begin(t)
			if _, err := editor.Exec(t.Context(), c.change); err != nil {
				t.Fatal(err)
			}
			wait := start(t.Context(), w, u)
			f.Await(t, `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')
  or exists (select from sheetdrop.task where id = $1 and status = 'COMPLETED')`, u.TaskID)
			if err := editor.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := wait(); err != nil {
				t.Error(err)
			}
			f.wantTask(t, u.TaskID, "COMPLETED 1 0 0")
			f.wantTable(t, into, c.table...)
			f.wantLoad(t, u.TaskID, c.counts)
			kept := pgtest.Query[string](t, f.Database, `select coalesce(string_agg(concat_ws(' ', article, net, case when _edited then 'true' else 'false' end), ',' order by article), '') from data.prices__was`)
			if kept != c.kept {
				t.Errorf("kept %q, want %q", kept, c.kept)
			}
		})
	}
}

// A table that refuses some rows, by a constraint or a trigger of its owner's, gets the others.
func TestRowsThatTheTableRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ sql, refused string }{
		"check":  {`alter table data.prices add constraint no_bargain check (net > 1)`, "no_bargain"},
		"unique": {`create unique index one_price on data.prices (net)`, "one_price"},
		"trigger": {`create function data.refuse() returns trigger language plpgsql as 'begin if new.article = ''A'' then raise ''not A''; end if; return new; end';
create trigger refuse before insert or update on data.prices for each row execute function data.refuse()`, "not A"},
		"foreign key, deferred": {`create table data.known (article text primary key); insert into data.known values ('B'), ('C');
alter table data.prices add constraint known foreign key (article) references data.known deferrable initially deferred`, "known"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, def := range []target.Definition{prices(), prices(keyless)} {
				f := newFixture(t)
				into := f.target(t, def)
				f.Exec(t, c.sql)
				if name == "unique" {
					f.Exec(t, `insert into data.prices (article, net, _load, _row) values ('X', 1, 0, 0)`)
				}
				u := f.send(t, into, "article,net\nA,1\nB,2\nC,3\n")
				handle(t, f.worker(t, usual, ""), u)
				f.wantTask(t, u.TaskID, "COMPLETED 1 0 0")
				f.wantLoad(t, u.TaskID, "3 2 1 0: 2 0 0 0")
				f.wantRejects(t, u.TaskID, "2 constraint A,1")
				if !pgtest.Query[bool](t, f.Database, `select message like '%' || $1 || '%' from sheetdrop.row_reject`, c.refused) {
					t.Error("the reject does not say why")
				}
			}
		})
	}
}

// A table that refuses what no row is to blame for, the deletion of a row that others refer to, keeps what it has.
func TestTableThatRefusesTheLoad(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	into := f.target(t, prices(func(d *target.Definition) { d.Mode = target.Replace }))
	w := f.worker(t, usual, "")
	handle(t, w, f.send(t, into, pricesFile))
	f.Exec(t, `create table data.sold (article text constraint known references data.prices); insert into data.sold values ('A')`)
	u := f.send(t, into, "article,net\nB,3\n")
	handle(t, w, u)
	f.wantTask(t, u.TaskID, "FAILED 1 0 0 target_refuses")
	f.wantTable(t, into, "A|1.00|-", "B|2.00|-")
	if detail := pgtest.Query[string](t, f.Database, `select error_detail from sheetdrop.task where id = $1`, u.TaskID); detail != "The target's table refuses the load as a whole: known." {
		t.Error(detail)
	}
}

// Somebody who keeps a row of the target locked holds a load up for seconds: it is returned, uncounted, and tried again.
func TestLoadThatMeetsALockIsReturned(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	into := f.target(t, prices())
	w := f.worker(t, usual, "")
	handle(t, w, f.send(t, into, pricesFile))
	u := f.send(t, into, "article,net\nA,5\nC,3\n")
	editor := f.Begin(t)
	if _, err := editor.Exec(t.Context(), `select from data.prices where article = 'A' for update`); err != nil {
		t.Fatal(err)
	}
	handle(t, w, u)
	f.wantTask(t, u.TaskID, "PENDING 1 0 1")
	f.wantTable(t, into, "A|1.00|-", "B|2.00|-")
	if err := editor.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	handle(t, w, u)
	f.wantTask(t, u.TaskID, "COMPLETED 2 0 1")
	f.wantTable(t, into, "A|5.00|-", "B|2.00|-", "C|3.00|-")
}

// Eight people edit rows of a target while files are loaded into it. Whatever they set was there, or was replaced by a load that has kept it.
func TestPeopleEditWhileFilesAreLoaded(t *testing.T) {
	t.Parallel()
	const people, files = 8, 6
	f := newFixture(t)
	into := f.target(t, prices())
	w := f.worker(t, usual, "")
	handle(t, w, f.send(t, into, "article,net\nA,0\nB,0\nC,0\nD,0\n"))
	f.Exec(t, `create table data.edits (article text, net numeric)`)
	var editors sync.WaitGroup
	stop := make(chan struct{})
	for n := range people {
		editors.Go(func() {
			for edit := 0; ; edit++ {
				select {
				case <-stop:
					return
				default:
				}
				f.Exec(t, `with edited as (update data.prices set net = $2 where article = $1 returning net) insert into data.edits select $1, net from edited`,
					string(rune('A'+(n+edit)%4)), 1000*(n+1)+edit)
			}
		})
	}
	for n := range files {
		u := f.send(t, into, fmt.Sprintf("article,net\nA,%d\nB,%d\nE%d,1\n", n+1, n+1, n))
		for pgtest.Query[bool](t, f.Database, `select status = 'PENDING' from sheetdrop.task where id = $1`, u.TaskID) {
			handle(t, w, u)
		}
		f.wantLoad(t, u.TaskID, "3 3 0 0: 1 2 0 0")
	}
	close(stop)
	editors.Wait()
	if lost := pgtest.Query[int](t, f.Database, `select count(*) from (
  select distinct on (article, _by) article, net from data.prices__was where _edited) w where not exists (select from data.edits e where e.article = w.article and e.net = w.net)`); lost > 0 {
		t.Errorf("%d rows were kept that nobody has written", lost)
	}
	if n := pgtest.Query[int](t, f.Database, `select count(*) from data.prices__was`); n != 2*files {
		t.Errorf("%d rows were kept, want %d", n, 2*files)
	}
}
