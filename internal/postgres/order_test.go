package postgres_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/pgtest"
	"sheetdrop/internal/task"
)

// addTarget makes an ordered target that has no table.
func addTarget(t *testing.T, db *pgtest.Database) uuid.UUID {
	t.Helper()
	id := uuid.New()
	db.Exec(t, `insert into sheetdrop.target (id, owner, name, kind, schema_name, table_name, ordered) values ($1, 'local', $2::text, 'MANAGED', 'data', $2::text::name, true)`, id, "t"+id.String())
	return id
}

// addLoad commits a task that loads into an ordered target, with its message.
func addLoad(t *testing.T, db *pgtest.Database, target uuid.UUID, change ...func(*postgres.Upload)) uuid.UUID {
	t.Helper()
	id := db.AddUpload(t, change...).TaskID
	db.Exec(t, `update sheetdrop.task set target_id = $2, ordered = true, turn = nextval('sheetdrop.turn') where id = $1`, id, target)
	return id
}

// tryClaim claims a task, if it is its turn.
func tryClaim(t *testing.T, db *pgtest.Database, id uuid.UUID) (claimed *postgres.ClaimedTask, status task.Status) {
	t.Helper()
	token := uuid.New()
	inTransaction(t, db, func(ctx context.Context, tx postgres.Tx) (err error) {
		claimed, status, err = tx.ClaimTask(ctx, id, token, time.Hour, false)
		return err
	})
	return claimed, status
}

// Of an ordered target one load runs at a time, the first one sent first; whoever waits is told for whom. Loads of other targets, and files
// without one, do not wait.
func TestLoadsOfATargetTakeTurns(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	target := addTarget(t, db)
	first, second, third := addLoad(t, db, target), addLoad(t, db, target), addLoad(t, db, target)
	waitsFor := func(id uuid.UUID) uuid.UUID {
		found, err := db.Task(t.Context(), "local", id)
		if err != nil {
			t.Fatal(err)
		}
		if found.WaitingFor == nil {
			return uuid.Nil
		}
		return *found.WaitingFor
	}
	if claimed, status := tryClaim(t, db, second); claimed != nil || status != task.Pending {
		t.Fatalf("claimed %v, %s before its turn", claimed, status)
	}
	if got := waitsFor(third); got != first {
		t.Errorf("the third waits for %s, not for the first", got)
	}
	running, _ := tryClaim(t, db, first)
	if running == nil || running.TargetID.UUID != target {
		t.Fatalf("the first is not claimed: %+v", running)
	}
	if claimed, _ := tryClaim(t, db, second); claimed != nil {
		t.Error("two run at once")
	}
	if got := []uuid.UUID{waitsFor(first), waitsFor(second)}; got[0] != uuid.Nil || got[1] != first {
		t.Errorf("they wait for %v", got)
	}
	for what, other := range map[string]uuid.UUID{"another target's load": addLoad(t, db, addTarget(t, db)), "a file without target": db.AddUpload(t).TaskID} {
		if claimed, _ := tryClaim(t, db, other); claimed == nil {
			t.Errorf("%s waits", what)
		}
	}
}

// endings are all ways in which a task leaves PENDING or PROCESSING.
var endings = map[string]func(t *testing.T, db *pgtest.Database, c postgres.Claim){
	"completed": func(t *testing.T, db *pgtest.Database, c postgres.Claim) { completeLoad(t, beginLoad(t, db.DB, c)) },
	"failed":    func(t *testing.T, db *pgtest.Database, c postgres.Claim) { taskWrites["fail"](t, db, c) },
	"cancelled": func(t *testing.T, db *pgtest.Database, c postgres.Claim) {
		db.Exec(t, `update sheetdrop.task set cancel_requested_at = now() where id = $1`, c.TaskID)
		taskWrites["cancel"](t, db, c)
	},
	"cancelled as it is returned": func(t *testing.T, db *pgtest.Database, c postgres.Claim) {
		db.Exec(t, `update sheetdrop.task set cancel_requested_at = now() where id = $1`, c.TaskID)
		taskWrites["returned"](t, db, c)
	},
	"dead for the last time": func(t *testing.T, db *pgtest.Database, c postgres.Claim) {
		db.Exec(t, `update sheetdrop.task set crashes = 4, alone_attempt = attempt where id = $1`, c.TaskID)
		inTransaction(t, db, func(ctx context.Context, tx postgres.Tx) error {
			_, err := tx.ReleaseExpired(ctx, postgres.NewParseMessages([]uuid.UUID{c.TaskID}))
			return err
		})
	},
}

// Whatever the end of a load, the next one is asked for in the same transaction: its own message was acknowledged when it came too early.
func TestTheEndOfALoadAsksForTheNext(t *testing.T) {
	t.Parallel()
	for name, end := range endings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := pgtest.New(t)
			target := addTarget(t, db)
			first, second := addLoad(t, db, target), addLoad(t, db, target)
			c := claim(t, db, first)
			db.Exec(t, `delete from sheetdrop.outbox_message`)
			db.Exec(t, `update sheetdrop.task set enqueued_at = now() - interval '1 day', enqueues = 3`)
			end(t, db, c)
			if !pgtest.Query[bool](t, db, `select count(*) = 1 and bool_and(task_id = $1 and next_attempt_at <= now() and event_type = 'PARSE_TASK'
  and payload = jsonb_build_object('v', 1, 'message_id', id, 'task_id', task_id)) from sheetdrop.outbox_message`, second) {
				t.Error("the next load is not asked for, or not as others are")
			}
			if !pgtest.Query[bool](t, db, `select enqueued_at > now() - interval '1 hour' and enqueues = 0 from sheetdrop.task where id = $1`, second) {
				t.Error("its message counts as an old one")
			}
			if claimed, _ := tryClaim(t, db, second); claimed == nil {
				t.Error("the next load cannot be claimed")
			}
		})
	}
}

// An upload whose turn was taken earlier can be committed while a later one runs. If that one is then returned, the earlier one is first,
// and its message has been acknowledged already.
func TestALoadThatIsReturnedLetsAnEarlierOnePass(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	target := addTarget(t, db)
	later := addLoad(t, db, target)
	c := claim(t, db, later)
	earlier := addLoad(t, db, target)
	db.Exec(t, `update sheetdrop.task set turn = -1 where id = $1`, earlier)
	db.Exec(t, `delete from sheetdrop.outbox_message`)
	taskWrites["returned"](t, db, c)
	for id, want := range map[uuid.UUID]int{earlier: 1, later: 1} {
		if n := pgtest.Query[int](t, db, `select count(*) from sheetdrop.outbox_message where task_id = $1`, id); n != want {
			t.Errorf("%d messages, want %d", n, want)
		}
	}
	if claimed, _ := tryClaim(t, db, later); claimed != nil {
		t.Error("it passes the earlier one")
	}
}

// A task that is sent again counts as sent now.
func TestARetryGoesToTheEnd(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	target := addTarget(t, db)
	first, second := addLoad(t, db, target), addLoad(t, db, target)
	taskWrites["fail"](t, db, claim(t, db, first))
	db.Exec(t, `update sheetdrop.task set mapping = '{}' where id = $1`, first)
	inTransaction(t, db, func(ctx context.Context, tx postgres.Tx) error {
		_, err := tx.RetryTask(ctx, postgres.NewParseMessage(uuid.New(), first))
		return err
	})
	if claimed, _ := tryClaim(t, db, first); claimed != nil {
		t.Error("it passes one that was sent before it was sent again")
	}
	taskWrites["fail"](t, db, claim(t, db, second))
	if claimed, _ := tryClaim(t, db, first); claimed == nil || claimed.Mapping != nil {
		t.Errorf("it is not run anew: %+v", claimed)
	}
}

// Nobody asks for a load whose turn it is not, neither the reconciler nor a worker that looks whose turn it is.
func TestWhoeverLooksForTasksPassesByThoseThatWait(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	target := addTarget(t, db)
	first, second := addLoad(t, db, target), addLoad(t, db, target)
	db.Exec(t, `delete from sheetdrop.outbox_message`)
	db.Exec(t, `update sheetdrop.task set enqueued_at = now() - interval '1 day' * case id when $1 then 2 else 1 end`, second)
	look := func(want uuid.UUID) {
		t.Helper()
		inTransaction(t, db, func(ctx context.Context, tx postgres.Tx) error {
			forgotten, err := tx.LockForgotten(ctx, time.Minute, time.Time{}, 10)
			if err != nil {
				return err
			}
			waiting, err := tx.LockWaiting(ctx, "local")
			if found := len(forgotten) == 1 && forgotten[0].TaskID == want; found != (want != uuid.Nil) || waiting != want {
				t.Errorf("found %v and %s, want %s", forgotten, waiting, want)
			}
			return err
		})
		owner, err := db.NextOwner(t.Context(), "a", "")
		if err != nil || (owner == "local") != (want != uuid.Nil) {
			t.Errorf("the next owner is %q, %v", owner, err)
		}
	}
	look(first)
	c := claim(t, db, first)
	look(uuid.Nil)
	db.Exec(t, `update sheetdrop.task set status = 'CANCELLED', locked_by = null, locked_until = null, finished_at = now() where id = $1`, c.TaskID)
	db.Exec(t, `delete from sheetdrop.outbox_message`)
	db.Exec(t, `update sheetdrop.task set enqueued_at = now() - interval '1 day'`)
	look(second)
}

// Many uploads, two workers, people who cancel, runs that are returned: never two at once, the order is kept, and with messages alone every
// load ends.
func TestManyLoadsOfATarget(t *testing.T) {
	t.Parallel()
	const loads = 40
	db := pgtest.New(t)
	target := addTarget(t, db)
	ids := make([]uuid.UUID, loads)
	for i := range ids {
		ids[i] = addLoad(t, db, target)
	}
	db.Exec(t, `create table completed (no bigserial, task_id uuid);
create function note() returns trigger language plpgsql as 'begin insert into completed (task_id) values (new.id); return null; end';
create trigger note after update on sheetdrop.task for each row when (new.status = 'COMPLETED') execute function note();
create table at_once (n int); create function look() returns trigger language plpgsql as
'begin insert into at_once select count(*) from sheetdrop.task where status = ''PROCESSING''; return null; end';
create trigger look after update on sheetdrop.task for each row when (new.status = 'PROCESSING') execute function look()`)
	var workers sync.WaitGroup
	for n := range 2 {
		workers.Go(func() {
			random := rand.New(rand.NewPCG(uint64(n), 7))
			for deliverOne(t, db, random) {
			}
		})
	}
	workers.Go(func() {
		for i := 3; i < loads; i += 9 {
			inTransaction(t, db, func(ctx context.Context, tx postgres.Tx) error {
				_, err := tx.CancelTask(ctx, ids[i])
				return err
			})
		}
	})
	workers.Wait()
	if open := pgtest.Query[int](t, db, `select count(*) from sheetdrop.task where status in ('PENDING', 'PROCESSING')`); open > 0 {
		t.Errorf("%d loads that nobody asks for", open)
	}
	if n := pgtest.Query[int](t, db, `select coalesce(max(n), 0) from at_once`); n != 1 {
		t.Errorf("%d at once", n)
	}
	if !pgtest.Query[bool](t, db, `select count(*) > 10 and array_agg(task_id order by no) = array_agg(task_id order by t.turn) from completed join sheetdrop.task t on t.id = task_id`) {
		t.Error("they did not complete in the order of their turns")
	}
}

// deliverOne delivers a message of those that are left, and ends the run that it leads to in some way; false where no message is left and
// no other worker is at work.
func deliverOne(t *testing.T, db *pgtest.Database, random *rand.Rand) bool {
	id := pgtest.Query[*uuid.UUID](t, db, `with m as (delete from sheetdrop.outbox_message where id = (
  select id from sheetdrop.outbox_message order by random() limit 1 for update skip locked) returning task_id) select max(task_id::text)::uuid from m`)
	if id == nil {
		return pgtest.Query[bool](t, db, `select exists (select from sheetdrop.outbox_message) or exists (select from sheetdrop.task where status = 'PROCESSING')`)
	}
	claimed, _ := tryClaim(t, db, *id)
	if claimed == nil {
		return true
	}
	if db.Exec(t, `select from sheetdrop.task where id = $1 and cancel_requested_at is not null`, *id) > 0 || random.IntN(8) == 0 {
		endings["cancelled"](t, db, claimed.Claim)
		return true
	}
	end := []string{"completed", "completed", "failed", "returned", "returned"}[random.IntN(5)]
	if write, known := taskWrites[end]; known {
		write(t, db, claimed.Claim)
	} else {
		endings[end](t, db, claimed.Claim)
	}
	return true
}
