package inspect

import (
	"context"
	"time"
)

// Server is how the server stands.
type Server struct {
	Version       int // as server_version_num has it: 170002 is 17.2
	Standby       bool
	ReadOnly      bool // transactions are read-only unless they say otherwise
	Now           time.Time
	Connections   int64 // of clients, of all databases
	MaxConns      int64 // without those that are reserved
	SeesSessions  bool  // the login may see what other sessions do
	DataDirectory string
	Size          int64 // of the database, in bytes
}

// Server asks for it.
func (d *Database) Server(ctx context.Context) (Server, error) {
	return one[Server](ctx, d, "look at the server", `select current_setting('server_version_num')::int as version,
  pg_is_in_recovery() as standby, current_setting('default_transaction_read_only')::bool as read_only, clock_timestamp() as now,
  (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
  current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint
    - coalesce(current_setting('reserved_connections', true)::bigint, 0) as max_conns,
  pg_has_role(current_user, 'pg_read_all_stats', 'usage') as sees_sessions,
  case when pg_has_role(current_user, 'pg_read_all_settings', 'usage') then current_setting('data_directory') else '' end as data_directory,
  pg_database_size(current_database()) as size`)
}

// Vacuum is how the server cleans up.
type Vacuum struct {
	On       bool
	Counts   bool // track_counts, without which it does not know where to
	Disabled []string
}

// Vacuum looks whether autovacuum is on, for the server and for each table of sheetdrop.
func (d *Database) Vacuum(ctx context.Context) (Vacuum, error) {
	return one[Vacuum](ctx, d, "look at autovacuum", `select current_setting('autovacuum')::bool as on, current_setting('track_counts')::bool as counts,
  array(select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'sheetdrop' and exists (select from unnest(c.reloptions) o where o ~* '^autovacuum_enabled=(f|off|n|0)')
    order by 1) as disabled`)
}

// Bloat is a table with dead rows.
type Bloat struct {
	Name       string // with its schema
	Dead, Live int64
	Due        int64 // the dead rows from which autovacuum comes, by the server's settings
}

// Bloat lists the tables of sheetdrop and of targets that have at least least dead rows, and several times those at which autovacuum comes.
func (d *Database) Bloat(ctx context.Context, least, times int64) ([]Bloat, error) {
	return all[Bloat](ctx, d, "look for dead rows", `with counted as (
  select format('%I.%I', s.schemaname, s.relname) as name, s.n_dead_tup as dead, s.n_live_tup as live,
    (current_setting('autovacuum_vacuum_threshold')::float8
      + current_setting('autovacuum_vacuum_scale_factor')::float8 * greatest(c.reltuples, 0))::bigint as due
  from pg_stat_user_tables s join pg_class c on c.oid = s.relid
)
select name, dead, live, due from counted where dead >= $1 and dead >= due * $2 order by dead desc, name limit 5`, least, times)
}

// Age is how far the database is from the end of transaction ids.
type Age struct {
	Age    int64 // of the oldest transaction id, or multixact, that is not frozen
	Freeze int64 // at which autovacuum freezes, whether it is on or not
}

// Age asks for it. Source: https://www.postgresql.org/docs/current/routine-vacuuming.html#VACUUM-FOR-WRAPAROUND
func (d *Database) Age(ctx context.Context) (Age, error) {
	return one[Age](ctx, d, "look at the age of transaction ids", `select greatest(age(datfrozenxid), mxid_age(datminmxid))::bigint as age,
  current_setting('autovacuum_freeze_max_age')::bigint as freeze
from pg_database where datname = current_database()`)
}

// Session is one that keeps others from their work.
type Session struct {
	PID         int64
	Login       string
	Application string
	Seconds     int64 // since it does so
	Blocks      int64 // of Waiting: who is waited for; 0 otherwise
}

// Idle lists sessions that have a transaction open and have done nothing in it for some time, longest first.
func (d *Database) Idle(ctx context.Context, since time.Duration) ([]Session, error) {
	return all[Session](ctx, d, "look for idle transactions", sessionSQL+` and state like 'idle in transaction%' and state_change <= clock_timestamp() - $1::interval
order by state_change limit 5`, since)
}

// Long lists transactions that are open for some time, longest first; autovacuum's own are none of them.
func (d *Database) Long(ctx context.Context, since time.Duration) ([]Session, error) {
	return all[Session](ctx, d, "look for long transactions", sessionSQL+` and xact_start <= clock_timestamp() - $1::interval order by xact_start limit 5`, since)
}

const sessionSQL = `select pid::bigint as pid, coalesce(usename, '')::text as login, coalesce(application_name, '') as application,
  extract(epoch from clock_timestamp() - xact_start)::bigint as seconds, 0::bigint as blocks
from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and xact_start is not null`

// Waiting lists sessions that wait for a lock of another one for some time, longest first.
func (d *Database) Waiting(ctx context.Context, since time.Duration) ([]Session, error) {
	return all[Session](ctx, d, "look for waiting sessions", `select a.pid::bigint as pid, coalesce(a.usename, '')::text as login,
  coalesce(a.application_name, '') as application, extract(epoch from clock_timestamp() - l.since)::bigint as seconds,
  coalesce((pg_blocking_pids(a.pid))[1], 0)::bigint as blocks
from (select pid, min(waitstart) as since from pg_locks where not granted group by pid) l join pg_stat_activity a using (pid)
where a.datname = current_database() and l.since <= clock_timestamp() - $1::interval order by l.since limit 5`, since)
}

// Slot is a replication slot.
type Slot struct {
	Name   string
	Active bool
	Bytes  int64 // of the log that it holds back
}

// Slots lists the server's replication slots that nobody reads, and those that hold back at least some bytes of the log.
func (d *Database) Slots(ctx context.Context, atLeast int64) ([]Slot, error) {
	return all[Slot](ctx, d, "look at replication slots", `with here as (
  select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end as lsn
), held as (
  select slot_name::text as name, active, coalesce(greatest(pg_wal_lsn_diff(here.lsn, restart_lsn), 0), 0)::bigint as bytes from pg_replication_slots, here
)
select name, active, bytes from held where not active or bytes >= $1 order by bytes desc, name`, atLeast)
}
