package task

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

// MaxCrashes is how many attempts of a task may end by the death of the worker, an internal error, a timeout or a full
// disk before the task is FAILED.
const MaxCrashes = 5
