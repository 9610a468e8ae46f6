package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/postgres/inspect"
)

func (e *examination) databaseReach(ctx context.Context) Finding {
	if !e.HasDatabase {
		return skipped(words.In("the database's address is not known: give --database=postgres://…, or the PG* variables"))
	}
	db, err := inspect.Open(ctx, e.Database)
	if err == nil {
		e.db = db
		return fine(words.Sprintf("PostgreSQL answers at %s.", place(db)))
	}
	refusal, ok := errors.AsType[*inspect.Refusal](err)
	if !ok {
		return unreadable(err)
	}
	e.refusal = refusal
	switch refusal.Kind {
	case inspect.BadAddress:
		return problem(words.Sprintf("The database's address cannot be read: %v", err), "",
			words.In("It has the form postgres://USER@HOST:5432/sheetdrop?sslmode=verify-full; characters such as / and @ in a password are written as %2F and %40."))
	case inspect.Untrusted:
		return problem(words.Sprintf("PostgreSQL at %s cannot show that it is the server of this name: %v", place(db), err),
			words.In("No password and no token is sent to it."),
			words.In("Look at sslmode, and at the authorities that this machine trusts (SSL_CERT_FILE, sslrootcert)."))
	case inspect.Starting:
		return problem(words.Sprintf("PostgreSQL at %s is starting or stopping: %v", place(db), err),
			words.In("All work waits and resumes by itself."), words.In("Wait. If it lasts, the server's log says what it does."))
	case inspect.Unreachable:
		return problem(words.Sprintf("PostgreSQL does not answer at %s: %v", place(db), err),
			words.In("All work waits and resumes by itself once it answers."), e.nextWithoutServer())
	}
	return fine(words.Sprintf("PostgreSQL answers at %s.", place(db))) // and refuses the login, which is the next check's
}

func (e *examination) nextWithoutServer() string {
	if e.Local != nil {
		return words.In("Start it anew with `sheetdrop local`.")
	}
	return words.In("Look whether the server runs, and whether its firewall lets this machine in (databaseAddresses in the parameter file).")
}

// place is where a connection leads, without its password.
func place(db *inspect.Database) string {
	if db == nil {
		return "?"
	}
	return fmt.Sprintf("%s:%d", db.Host, db.Port)
}

func (e *examination) databaseLogin(ctx context.Context) Finding {
	if refusal := e.refusal; refusal != nil {
		found := words.Sprintf("PostgreSQL refuses the connection: %v", refusal)
		switch refusal.Kind {
		case inspect.NoDatabase:
			return problem(found, words.In("The server has no database of this name."),
				words.In("Correct the name, or create the database: `sheetdrop provision` does so on Azure, `createdb` elsewhere."))
		case inspect.NoConnectionLeft:
			return problem(found, words.In("All connections are in use, so the app waits, too."),
				words.In("See who has them: select usename, application_name, count(*) from pg_stat_activity group by 1, 2. Lower DB_MAX_CONNS, or choose a larger server."))
		case inspect.Refused:
			return problem(found, words.In("All work waits and resumes by itself once it answers."),
				words.In("If somebody has closed the database, open it: alter database … with allow_connections true. Otherwise the server's log says more."))
		}
		return problem(found, words.In("Whoever uses these settings cannot log in."),
			words.In("Correct user and password. On Azure the password is a token: PGPASSWORD=$(az account get-access-token --resource-type oss-rdbms --query accessToken --output tsv)"))
	}
	begun := time.Now()
	found, err := e.db.Server(ctx)
	if err != nil {
		return problem(words.Sprintf("PostgreSQL does not answer a question: %v", err), "", words.In("The server's log says more."))
	}
	e.server = found
	e.note(words.In("the database"), found.Now, begun)
	return fine(words.Sprintf("%s may log in to %s.", e.db.Login, e.db.Name))
}

// oldestVersion is that of PostgreSQL, as server_version_num has it.
const oldestVersion = 150000

func (e *examination) databaseVersion(context.Context) Finding {
	major := e.server.Version / 10000
	if e.server.Version < oldestVersion {
		return problem(words.Sprintf("The server is PostgreSQL %d.", major), words.In("Statements of sheetdrop need 15 or newer."),
			words.In("Upgrade the server."))
	}
	return fine(words.Sprintf("The server is PostgreSQL %d.", major))
}

func (e *examination) databaseWritable(context.Context) Finding {
	switch {
	case e.server.Standby:
		return problem(words.In("The server is a standby."), words.In("It takes no writes, so nothing is accepted or loaded."),
			words.In("Name the primary: the host in the address leads to the standby, or a failover has swapped them."))
	case e.server.ReadOnly:
		return problem(words.In("The database is read-only (default_transaction_read_only)."),
			words.In("Nothing is accepted or loaded; all work waits and resumes by itself."),
			words.Sprintf("If its disk is full, make room or grow it. If somebody has set it: alter database %s reset default_transaction_read_only", e.db.Name))
	}
	return fine(words.In("The database takes writes."))
}

func (e *examination) databaseConnections(context.Context) Finding {
	used, most := e.server.Connections, max(e.server.MaxConns, 1)
	found := words.Sprintf("%d of %d connections are in use.", used, most)
	means := words.In("Beyond them the app's instances cannot connect, and wait.")
	next := words.In("See who has them: select usename, application_name, count(*) from pg_stat_activity group by 1, 2. Lower DB_MAX_CONNS, or choose a larger server.")
	switch share := used * 100 / most; {
	case share >= e.Thresholds.ConnectionsProblem:
		return problem(found, means, next)
	case share >= e.Thresholds.ConnectionsWarning:
		return warning(found, means, next)
	}
	return fine(found)
}

func (e *examination) databaseDisk(context.Context) Finding {
	size := words.Sprintf("The database has %d MB.", e.server.Size>>20)
	if e.server.DataDirectory == "" || !server.IsThisMachine("http://"+e.db.Host) {
		return skipped(size + words.In(" The disk of another machine cannot be seen; on Azure its metric is storage_percent, and the alert database-disk."))
	}
	f := e.room(e.server.DataDirectory, words.In("PostgreSQL stops when it can write no more."))
	f.Found = size + " " + f.Found
	return f
}

func (e *examination) databaseAge(ctx context.Context) Finding {
	found, err := e.db.Age(ctx)
	if err != nil {
		return unreadable(err)
	}
	text := words.Sprintf("The oldest transaction id that is not frozen is %d transactions old; autovacuum freezes from %d on.", found.Age, found.Freeze)
	means := words.In("At 2,146 million the server takes no more writes.")
	next := words.Sprintf("Run vacuum (freeze, verbose) in %s; a transaction or a replication slot that is open for long keeps it from its work.", e.db.Name)
	switch {
	case found.Age >= e.Thresholds.AgeProblem:
		return problem(text, means, next)
	case found.Age >= e.Thresholds.AgeWarning:
		return warning(text, means, next)
	}
	return fine(text)
}

func (e *examination) databaseSlots(ctx context.Context) Finding {
	slots, err := e.db.Slots(ctx, e.Thresholds.SlotBytes)
	if err != nil {
		return unreadable(err)
	}
	if len(slots) == 0 {
		return fine(words.In("No replication slot holds back much of the log."))
	}
	s := slots[0]
	found := words.Sprintf("The replication slot %s holds back %d MB of the log.", s.Name, s.Bytes>>20)
	next := words.Sprintf("Have its reader read on or, if nobody needs it any more: select pg_drop_replication_slot('%s')", s.Name)
	if !s.Active {
		found = words.Sprintf("Nobody reads the replication slot %s, which holds back %d MB of the log.", s.Name, s.Bytes>>20)
	}
	if s.Bytes >= e.Thresholds.SlotBytes {
		return problem(found, words.In("The log fills the server's disk."), next)
	}
	return warning(found, words.In("The log will fill the server's disk."), next)
}

func (e *examination) databaseVacuum(ctx context.Context) Finding {
	found, err := e.db.Vacuum(ctx)
	if err != nil {
		return unreadable(err)
	}
	means := words.In("Tables and indexes grow with every file that is deleted, and become slower.")
	switch {
	case !found.On:
		return problem(words.In("Autovacuum is off."), means, words.In("As a superuser: alter system set autovacuum = on; select pg_reload_conf()"))
	case !found.Counts:
		return problem(words.In("track_counts is off, so autovacuum does not know where to go."), means,
			words.In("As a superuser: alter system set track_counts = on; select pg_reload_conf()"))
	case len(found.Disabled) > 0:
		return problem(words.Sprintf("Autovacuum is off for %s.", strings.Join(found.Disabled, ", ")), means,
			fmt.Sprintf("alter table %s reset (autovacuum_enabled)", found.Disabled[0]))
	}
	return fine(words.In("Autovacuum is on."))
}

func (e *examination) databaseBloat(ctx context.Context) Finding {
	tables, err := e.db.Bloat(ctx, e.Thresholds.DeadRows, e.Thresholds.DeadRowsTimes)
	if err != nil {
		return unreadable(err)
	}
	if len(tables) == 0 {
		return fine(words.In("No table has many dead rows."))
	}
	t := tables[0]
	return warning(words.Sprintf("%s has %d dead rows besides %d live ones; autovacuum was to come at %d.", t.Name, t.Dead, t.Live, t.Due),
		words.In("Autovacuum does not keep up, or a transaction that is open for long keeps the rows."),
		words.Sprintf("vacuum (verbose) %s says what keeps it from its work; then lower autovacuum_vacuum_cost_delay.", t.Name))
}

// blind is the finding where the login may not see what others do.
func (e *examination) blind() (Finding, bool) {
	if e.server.SeesSessions {
		return Finding{}, false
	}
	return skipped(words.Sprintf("%s may not see what other sessions do: grant pg_read_all_stats to it", e.db.Login)), true
}

func (e *examination) databaseTransactions(ctx context.Context) Finding {
	if f, blind := e.blind(); blind {
		return f
	}
	means := words.In("It keeps vacuum from removing dead rows, and its locks.")
	idle, err := e.db.Idle(ctx, e.Thresholds.IdleTransaction)
	if err != nil {
		return unreadable(err)
	}
	if len(idle) > 0 {
		s := idle[0]
		return problem(words.Sprintf("Session %d (%s, %s) has had a transaction open for %d s, and does nothing in it.", s.PID, s.Login, s.Application, s.Seconds),
			means, words.Sprintf("Find out whose it is. To end it: select pg_terminate_backend(%d)", s.PID))
	}
	long, err := e.db.Long(ctx, e.Thresholds.LongTransaction)
	if err != nil {
		return unreadable(err)
	}
	if len(long) > 0 {
		s := long[0]
		return warning(words.Sprintf("Session %d (%s, %s) has had a transaction open for %d s.", s.PID, s.Login, s.Application, s.Seconds),
			means, words.Sprintf("Find out whose it is. To end it: select pg_terminate_backend(%d)", s.PID))
	}
	return fine(words.In("No transaction is open for long."))
}

func (e *examination) databaseLocks(ctx context.Context) Finding {
	if f, blind := e.blind(); blind {
		return f
	}
	waiting, err := e.db.Waiting(ctx, e.Thresholds.LockWait)
	if err != nil {
		return unreadable(err)
	}
	if len(waiting) == 0 {
		return fine(words.In("Nobody waits for a lock for long."))
	}
	s := waiting[0]
	return problem(words.Sprintf("Session %d (%s, %s) has waited for a lock of session %d for %d s.", s.PID, s.Login, s.Application, s.Blocks, s.Seconds),
		words.In("Whatever needs the same rows or tables waits, too."),
		words.Sprintf("See what it does: select * from pg_stat_activity where pid = %[1]d. To end it: select pg_terminate_backend(%[1]d)", s.Blocks))
}
