package doctor

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/chaos/faultproxy"
	"sheetdrop/internal/chaos/storageproxy"
	"sheetdrop/internal/devstack/await"
	"sheetdrop/internal/devstack/devtest"
)

// fault is one thing that is wrong, and what is to be said of it.
type fault struct {
	inject func(*testing.T, *fixture)
	state  State
	id     string // of the first finding that is wrong
	next   string // in what to do
}

// executing breaks something in the database.
func executing(statements ...string) func(*testing.T, *fixture) {
	return func(t *testing.T, p *fixture) {
		for _, sql := range statements {
			p.db.Exec(t, sql)
		}
	}
}

// setting breaks a setting.
func setting(name, value string) func(*testing.T, *fixture) {
	return func(t *testing.T, p *fixture) { p.withSettings(t, name, value) }
}

// address breaks the address of the database.
func address(change func(*url.URL)) func(*testing.T, *fixture) {
	return func(t *testing.T, p *fixture) { p.address(t, change) }
}

// query replaces the parameters of an address.
func query(text string) func(*testing.T, *fixture) {
	return address(func(u *url.URL) { u.RawQuery = text })
}

// uploaded is a file with its task and its message, of which statements then break something.
func uploaded(statements ...string) func(*testing.T, *fixture) {
	return func(t *testing.T, p *fixture) {
		p.db.AddUpload(t)
		executing(statements...)(t, p)
	}
}

const sent = `delete from sheetdrop.outbox_message`

var faults = map[string]fault{
	"a setting that is out of range":      {setting("OUTBOX_HISTORY_DAYS", "99"), Problem, "settings.handler", "local.settings.json"},
	"a setting that is no number":         {setting("LIMIT_ROWS", "many"), Problem, "settings.handler", "local.settings.json"},
	"two ways to the storage":             {setting("DATA_STORAGE__credential", "managedidentity"), Problem, "settings.handler", "Correct the setting"},
	"no sign-in":                          {setting("AUTH", "none"), Problem, "settings.handler", "Correct the setting"},
	"no schedule":                         {setting("RELAY_SCHEDULE", ""), Problem, "settings.host", "local.settings.json.example"},
	"a schedule that is not the period":   {setting("RELAY_SCHEDULE", "*/10 * * * * *"), Warning, "settings.agree", "Set RELAY_PERIOD to 10s"},
	"a name that is not quite one":        {setting("FILE_RETENTION_DAY", "30"), Warning, "settings.names", "Rename it"},
	"a name in other letters":             {setting("log_level", "DEBUG"), Warning, "settings.names", "Rename it"},
	"a name that no server has":           {address(func(u *url.URL) { u.Host = "nowhere.invalid:5432" }), Problem, "database.reach", "firewall"},
	"a port at which nobody listens":      {address(func(u *url.URL) { u.Host = "127.0.0.1:1" }), Problem, "database.reach", "firewall"},
	"an address that is none":             {func(_ *testing.T, p *fixture) { p.Database = "postgres://[::" }, Problem, "database.reach", "postgres://USER@HOST"},
	"a server without TLS":                {query("sslmode=verify-full"), Problem, "database.reach", "sslmode"},
	"a wrong password":                    {query("sslmode=disable&password=wrong"), Problem, "database.login", "Correct user and password"},
	"a login that there is not":           {address(func(u *url.URL) { u.User = url.User("nobody_like_this") }), Problem, "database.login", "Correct user and password"},
	"another database's name":             {address(func(u *url.URL) { u.Path = "/not-there" }), Problem, "database.login", "provision"},
	"a read-only database":                {func(t *testing.T, p *fixture) { p.db.ReadOnly(t, true) }, Problem, "database.writable", "make room"},
	"a database without the schema":       {func(t *testing.T, p *fixture) { p.Database = devtest.EmptyDatabase(t) }, Problem, "schema.version", "sheetdrop migrate"},
	"the schema of an older version":      {executing(`delete from sheetdrop.schema_version where version_id = (select max(version_id) from sheetdrop.schema_version)`), Problem, "schema.version", "sheetdrop migrate"},
	"the schema of a newer version":       {executing(`insert into sheetdrop.schema_version (version_id, is_applied) values (99999, true)`), Warning, "schema.version", "deployed last"},
	"the schema of half a version":        {executing(`delete from sheetdrop.schema_version where version_id = 10`), Problem, "schema.version", "restore the database"},
	"an index that is not valid":          {interruptIndex, Problem, "schema.indexes", "reindex index concurrently sheetdrop.broken"},
	"a migration that was interrupted":    {interruptMigration, Problem, "schema.indexes", "drop index concurrently sheetdrop.broken; then run `sheetdrop migrate`"},
	"a partition that is detached":        {executing(`alter table sheetdrop.outbox_history detach partition sheetdrop.outbox_history_07`), Problem, "schema.partitions", "attach partition sheetdrop.outbox_history_07 for values in (7)"},
	"a constraint that was not validated": {executing(`alter table sheetdrop.alert add constraint told check (id > 0) not valid`), Warning, "schema.constraints", "alter table sheetdrop.alert validate constraint told"},
	"a trigger that is switched off":      {disableTrigger, Problem, "schema.triggers", "enable trigger"},
	"autovacuum that spares a table":      {executing(`alter table sheetdrop.outbox_message set (autovacuum_enabled = off)`), Problem, "database.autovacuum", "alter table sheetdrop.outbox_message reset"},
	"a transaction that nobody ends":      {leaveIdle, Problem, "database.transactions", "pg_terminate_backend"},
	"a lock that nobody releases":         {holdLock, Problem, "database.locks", "pg_terminate_backend"},
	"rows that nobody vacuums":            {leaveDeadRows, Warning, "database.deadrows", "vacuum (verbose) sheetdrop.sheet_row"},
	"a timer that stands still":           {executing(`update sheetdrop.reconciler set ran_at = now() - interval '1 hour'`), Problem, "state.timer", "RELAY_SCHEDULE"},
	"a recovery that nobody ends":         {executing(`insert into sheetdrop.recovery (restored_to) values (now() - interval '1 hour')`), Problem, "state.recovery", "sheetdrop recover --all"},
	"a lease that nobody reclaims": {uploaded(sent, `update sheetdrop.task set status = 'PROCESSING', attempt = 1, started_at = now(), locked_by = gen_random_uuid(),
locked_until = now() - interval '1 hour'`), Problem, "state.leases", "expired leases"},
	"a message that cannot be sent": {uploaded(`update sheetdrop.outbox_message set next_attempt_at = now() - interval '1 hour', last_error = 'AuthorizationPermissionMismatch'`),
		Problem, "state.outbox", "sheetdrop outbox"},
	"a message that was given up": {uploaded(`update sheetdrop.outbox_message set status = 'FAILED', next_attempt_at = 'infinity'`), Warning, "state.failed", "sheetdrop redrive --all-failed"},
	"a task that nobody takes":    {uploaded(sent, `update sheetdrop.task set enqueued_at = now() - interval '1 day'`), Warning, "state.tasks", "sheetdrop tasks --all --status=PENDING"},
	"a dead letter":               {executing(`insert into sheetdrop.dead_letter (id, queue_message_id, text, dequeue_count) values (gen_random_uuid(), 'm', 'x', 5)`), Warning, "state.deadletters", "sheetdrop dead-letters"},
	"a task that failed by itself": {uploaded(sent, `update sheetdrop.task set status = 'FAILED', finished_at = now(), error_code = 'internal_error', error_detail = 'x'`),
		Warning, "state.failures", "sheetdrop redrive --tasks --all-failed"},
	"a deleted file that stays": {uploaded(sent, `update sheetdrop.task set status = 'CANCELLED', finished_at = now()`, `update sheetdrop.source_file set deleted_at = now() - interval '2 days'`),
		Warning, "state.purge", "deleted files"},
	"a webhook that nobody answers": {executing(`insert into sheetdrop.webhook (id, owner, url, statuses, secret) values (gen_random_uuid(), 'local', 'http://localhost:1/', '{FAILED}', sha256(''))`,
		`insert into sheetdrop.webhook_delivery (id, webhook_id, type, payload, status, ended_at) select gen_random_uuid(), id, 'task', '{}', 'DEAD', now() from sheetdrop.webhook`),
		Warning, "state.webhooks", "deliveries"},
	"a connection string that is none": {func(_ *testing.T, p *fixture) { p.Storage.Connection = "AccountName=x" }, Problem, "storage.reach", "Correct them"},
	"a storage that does not answer":   {func(_ *testing.T, p *fixture) { p.Storage.Connection = unreachable(p.Storage.Connection) }, Problem, "storage.reach", "storageAddresses"},
	"a wrong key":                      {func(_ *testing.T, p *fixture) { p.through("AccountKey=Eby8", "AccountKey=Eby9") }, Problem, "storage.rights", "Correct the key"},
	"a role that is missing":           {refuse("QueueEndpoint", http.StatusForbidden), Problem, "storage.rights", "Correct the key"},
	"a storage that cannot serve":      {refuse("BlobEndpoint", http.StatusServiceUnavailable), Problem, "storage.rights", "resource health"},
	"a storage's sign-in that does not work": {func(_ *testing.T, p *fixture) {
		*p.Storage = azure.Settings{
			BlobServiceURI: "https://127.0.0.1:1/", QueueServiceURI: "https://127.0.0.1:1/", Credential: "managedidentity", ClientID: "x",
			Container: "files", Queue: "parse-tasks", Identity: &azure.Identity{Credential: nobody{}},
		}
	}, Problem, "storage.rights", "az login"},
	"a database that takes connections and says nothing": {func(t *testing.T, p *fixture) {
		p.address(t, func(u *url.URL) {
			proxy := faultproxy.New(t, u.Host)
			proxy.Hang()
			u.Host, u.RawQuery = proxy.Address, u.RawQuery+"&connect_timeout=1"
		})
	}, Problem, "database.reach", "firewall"},
	"a wrong container":                {func(_ *testing.T, p *fixture) { p.Storage.Container = "not-there" }, Problem, "storage.container", "BLOB_CONTAINER"},
	"a queue that is missing":          {func(_ *testing.T, p *fixture) { p.Storage.Queue = "not-there" }, Problem, "storage.queue", "PARSE_QUEUE"},
	"a poison queue that is missing":   {deletePoisonQueue, Warning, "storage.poison", "sheetdrop migrate"},
	"messages that nobody receives":    {leaveMessage, Problem, "state.queue", "parse-worker"},
	"a poison message":                 {poison, Warning, "state.poison", "invocation failed"},
	"a storage's clock that is behind": {turnBack(-10 * time.Minute), Problem, "clocks", "Set the clock of the storage"},
	"a storage's clock that is ahead":  {turnBack(2 * time.Minute), Warning, "clocks", "Set the clock of the storage"},
}

// Whoever is woken at night is told the one thing that is wrong, and not its consequences, and what to do about it.
func TestTheCulpritIsNamedFirst(t *testing.T) {
	t.Parallel()
	for name, c := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newFixture(t, devtest.Shared(t))
			c.inject(t, p)
			found := wrong(p.examine(t))
			if len(found) == 0 || found[0].ID != c.id || found[0].State != c.state || !strings.Contains(found[0].Next, c.next) {
				t.Fatalf("got %+v, want first a %s of %s with %q in what to do", found, c.state, c.id, c.next)
			}
			if len(found) > 1 {
				t.Errorf("besides %s there is %+v", c.id, found[1:])
			}
		})
	}
}

// Where all is well nothing is said, and every check was made but those of a server, which is not there.
func TestNothingIsSaidWhereAllIsWell(t *testing.T) {
	t.Parallel()
	p := newFixture(t, devtest.Shared(t))
	p.withSettings(t, "", "")
	found := p.examine(t)
	if wrong := wrong(found); len(wrong) > 0 {
		t.Errorf("%+v", wrong)
	}
	for _, f := range of(found, Skipped) {
		if !strings.HasPrefix(f.ID, "api.") {
			t.Errorf("%s was skipped: %s", f.ID, f.Found)
		}
	}
}

// What cannot be checked is not called well: it is skipped, with what would make it possible.
func TestWhatIsNotKnownIsSkipped(t *testing.T) {
	t.Parallel()
	found, err := Examine(t.Context(), Subject{Thresholds: Usual()})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		if f.State != Skipped || f.Found == "" {
			t.Errorf("%+v", f)
		}
	}
	for id, word := range map[string]string{"settings.handler": "--settings", "api.reach": "--url", "database.locks": "--database", "storage.queue": "--storage", "state.purge": "--database"} {
		i := 0
		for i < len(found) && found[i].ID != id {
			i++
		}
		if i == len(found) || !strings.Contains(found[i].Found, word) {
			t.Errorf("%s does not say %s", id, word)
		}
	}
}

// nobody is an Azure sign-in that is none.
type nobody struct{}

func (nobody) GetToken(context.Context, policy.TokenRequestOptions) (azcore.AccessToken, error) {
	return azcore.AccessToken{}, errors.New("nobody is signed in")
}

func interruptIndex(t *testing.T, p *fixture) {
	executing(`insert into sheetdrop.alert (kind, subject) values ('dead_letter', 'x'), ('dead_letter', 'x')`)(t, p)
	if _, err := p.connect(t).Exec(t.Context(), `create unique index concurrently broken on sheetdrop.alert (subject)`); err == nil {
		t.Fatal("the index was made")
	}
}

func interruptMigration(t *testing.T, p *fixture) {
	interruptIndex(t, p)
	executing(`delete from sheetdrop.schema_version where version_id = (select max(version_id) from sheetdrop.schema_version)`)(t, p)
}

func disableTrigger(t *testing.T, p *fixture) {
	executing(`do $$ declare t record; begin
  select tgrelid::regclass as on_table, tgname into t from pg_trigger where tgrelid = 'sheetdrop.task'::regclass and not tgisinternal order by tgname limit 1;
  execute format('alter table %s disable trigger %I', t.on_table, t.tgname);
end $$`)(t, p)
}

func leaveIdle(t *testing.T, p *fixture) {
	p.Thresholds.IdleTransaction = time.Nanosecond
	if _, err := p.connect(t).Exec(t.Context(), `begin; select 1`); err != nil {
		t.Fatal(err)
	}
}

func holdLock(t *testing.T, p *fixture) {
	p.Thresholds.LockWait = time.Nanosecond
	holder, waiter := p.connect(t), p.connect(t)
	if _, err := holder.Exec(t.Context(), `begin; lock table sheetdrop.alert`); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		waiter.Exec(t.Context(), `select from sheetdrop.alert`)
	}()
	t.Cleanup(func() {
		_ = holder.Close(context.Background())
		<-done
	})
	p.db.Await(t, `exists (select from pg_locks where pid = $1 and not granted and waitstart is not null)`, int32(waiter.PgConn().PID()))
}

func leaveDeadRows(t *testing.T, p *fixture) {
	p.Thresholds.DeadRows, p.Thresholds.DeadRowsTimes = 1000, 0
	executing(`alter table sheetdrop.sheet_row set (autovacuum_vacuum_threshold = 1000000000)`,
		`insert into sheetdrop.sheet_row (sheet_id, row_no, cells) select 1, n, '{}' from generate_series(1, 5000) n`, `delete from sheetdrop.sheet_row`)(t, p)
	await.Until(t, "the dead rows are counted", func() bool {
		p.db.Exec(t, `select pg_stat_force_next_flush()`)
		return p.db.Exec(t, `select from pg_stat_user_tables where relname = 'sheet_row' and n_dead_tup >= 1000`) == 1
	})
}

// unreachable leads the services to a port at which nobody listens.
func unreachable(connection string) string {
	parts := strings.Split(connection, ";")
	for i, part := range parts {
		name, endpoint, _ := strings.Cut(part, "=")
		if u, err := url.Parse(endpoint); err == nil && strings.HasSuffix(name, "Endpoint") {
			u.Host = "127.0.0.1:1"
			parts[i] = name + "=" + u.String()
		}
	}
	return strings.Join(parts, ";")
}

func refuse(endpoint string, status storageproxy.Fault) func(*testing.T, *fixture) {
	return func(t *testing.T, p *fixture) {
		p.Storage.Connection = storageproxy.Through(t, p.Storage.Connection, func(*http.Request) storageproxy.Fault { return status }, endpoint)
	}
}

// turnBack has the storage's answers show another time.
func turnBack(by time.Duration) func(*testing.T, *fixture) {
	return func(t *testing.T, p *fixture) {
		for part := range strings.SplitSeq(p.Storage.Connection, ";") {
			name, endpoint, _ := strings.Cut(part, "=")
			if !strings.HasSuffix(name, "Endpoint") {
				continue
			}
			target, err := url.Parse(endpoint)
			if err != nil {
				t.Fatal(err)
			}
			proxy := httptest.NewServer(&httputil.ReverseProxy{
				Rewrite: func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.URL.Host = target.Scheme, target.Host },
				ModifyResponse: func(r *http.Response) error {
					r.Header.Set("Date", time.Now().Add(by).UTC().Format(http.TimeFormat))
					return nil
				},
			})
			t.Cleanup(proxy.Close)
			p.through(endpoint, proxy.URL+target.Path)
		}
	}
}

func deletePoisonQueue(t *testing.T, p *fixture) {
	_, poison := p.parts.Queues(t)
	if _, err := poison.Delete(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
}

func leaveMessage(t *testing.T, p *fixture) {
	p.Thresholds.QueueAge = -time.Hour // it has just been sent
	queue, _ := p.parts.Queues(t)
	if _, err := queue.EnqueueMessage(t.Context(), "x", nil); err != nil {
		t.Fatal(err)
	}
}

func poison(t *testing.T, p *fixture) {
	_, poison := p.parts.Queues(t)
	if _, err := poison.EnqueueMessage(t.Context(), "x", nil); err != nil {
		t.Fatal(err)
	}
}
