package task

import "time"

// Status is a task's state.
type Status string

// The states of a task.
const (
	Pending    Status = "PENDING"    // waits for a worker
	Processing Status = "PROCESSING" // a worker holds its lease
	Completed  Status = "COMPLETED"  // its rows are visible
	Failed     Status = "FAILED"     // it has an error code; it may have rejects, but no rows
	Cancelled  Status = "CANCELLED"  // a person cancelled it
)

// Terminal reports whether only an explicit retry can change the state.
func (s Status) Terminal() bool { return s == Completed || s == Failed || s == Cancelled }

// Valid reports whether s is one of the five states.
func (s Status) Valid() bool { return s == Pending || s == Processing || s.Terminal() }

// Failure says why a task FAILED.
type Failure struct {
	Code      FailureCode
	Message   string // an English sentence for people
	MessageJA string // the same in Japanese; "" in tasks older than the translations
}

// FailureCode is a stable word that says why a task FAILED. Input errors have the code of the engine that reads files.
type FailureCode string

// The failures that are not caused by the file's content.
const (
	WorkerDied     FailureCode = "worker_died"     // its worker died too many times
	InternalError  FailureCode = "internal_error"  // internal errors, too many times
	TookTooLong    FailureCode = "took_too_long"   // it did not end within the function's time, too many times
	DatabaseFull   FailureCode = "database_full"   // its rows filled the database's disk, too many times
	ContentMissing FailureCode = "content_missing" // its bytes are missing from the blob store
	ContentChanged FailureCode = "content_changed" // its bytes in the blob store are not those that were uploaded
)

// NotOfTheFile are the codes of failures for which the file is not to blame: its task may succeed if it runs again.
var NotOfTheFile = []FailureCode{WorkerDied, InternalError, TookTooLong, DatabaseFull, ContentMissing}

// MaxCrashes is how many attempts of a task may end by the death of the worker, an internal error, a timeout or a full
// disk before the task is FAILED.
const MaxCrashes = 5

// Reason is a stable word that says why a run ended without ending its task.
type Reason string

// The reasons. Where the task becomes FAILED after too many such runs, they are the words of its failure.
const (
	ReasonWorkerDied           = Reason(WorkerDied)    // the lease of its worker expired
	ReasonInternalError        = Reason(InternalError) // an error of sheetdrop itself
	ReasonTookTooLong          = Reason(TookTooLong)   // it had all of the function's time
	ReasonDatabaseFull         = Reason(DatabaseFull)  // it filled the database's disk
	ReasonTooLittleTime Reason = "too_little_time"     // it began late in the function's time
	ReasonStopped       Reason = "worker_stopped"      // the process was told to stop
	ReasonNewerVersion  Reason = "newer_version"       // only a newer version of the program knows its options
	ReasonSheetChanged  Reason = "sheet_changed"       // the sheet that it corrects has changed meanwhile
	ReasonStorageAway   Reason = "storage_unavailable" // the blob store did not answer, or refused
	ReasonServiceAway   Reason = "service_unavailable" // another transient error, mostly of the database
	ReasonUnknown       Reason = "unknown_error"       // an error that nobody has classified
)

// Reasons are all there are.
var Reasons = []Reason{
	ReasonWorkerDied, ReasonInternalError, ReasonTookTooLong, ReasonDatabaseFull, ReasonTooLittleTime, ReasonStopped, ReasonNewerVersion,
	ReasonSheetChanged, ReasonStorageAway, ReasonServiceAway, ReasonUnknown,
}

// ForgottenAfter is how long after its last message a task gets another one, if the queue has messages to receive. It doubles with each
// that is written so, up to MaxForgottenAfter.
const (
	ForgottenAfter    = 5 * time.Minute
	MaxForgottenAfter = 6 * time.Hour
)
