package doctor

import "time"

// Thresholds are from where on something counts as wrong.
type Thresholds struct {
	ClockWarning, ClockProblem time.Duration // of the difference between two clocks

	ConnectionsWarning, ConnectionsProblem int64 // per cent of those that the server has
	IdleTransaction                        time.Duration
	LongTransaction                        time.Duration
	LockWait                               time.Duration
	DeadRows, DeadRowsTimes                int64 // at least so many, and so many times those at which autovacuum comes
	SlotBytes                              int64 // of the log that a replication slot holds back
	AgeWarning, AgeProblem                 int64 // of transaction ids
	DiskWarning, DiskProblem               int64 // bytes that are free

	Timer       time.Duration // since the timer has last ended its work
	Outbox      time.Duration // since a message has been due
	QueueAge    time.Duration // of the oldest message that nobody receives
	PendingTask time.Duration
	Purge       time.Duration // since a file was deleted
}

// Usual are the thresholds of the command.
func Usual() Thresholds {
	return Thresholds{
		ClockWarning: 30 * time.Second, ClockProblem: 5 * time.Minute, // storage refuses signatures that are 15 minutes old
		ConnectionsWarning: 80, ConnectionsProblem: 95,
		IdleTransaction: 5 * time.Minute, // short transactions of sheetdrop end by themselves after 30 s of silence
		LongTransaction: 2 * time.Hour,   // a load may take as long as its function
		LockWait:        time.Minute,
		DeadRows:        100_000, DeadRowsTimes: 4,
		SlotBytes:  1 << 30,
		AgeWarning: 800_000_000, AgeProblem: 1_600_000_000, // vacuum_failsafe_age; the server stops at 2^31
		DiskWarning: 2 << 30, DiskProblem: 256 << 20,
		Timer: 5 * time.Minute, Outbox: 5 * time.Minute, QueueAge: 15 * time.Minute, PendingTask: time.Hour, Purge: 24 * time.Hour,
	}
}
