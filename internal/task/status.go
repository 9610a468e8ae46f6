package task

// Status is a task's state.
type Status string

// The states of a task.
const (
	Pending    Status = "PENDING"    // waits for a worker
	Processing Status = "PROCESSING" // a worker holds its lease
	Completed  Status = "COMPLETED"  // its rows are visible
	Failed     Status = "FAILED"     // it has an error code; its rejects may be read, rows there are none
	Cancelled  Status = "CANCELLED"  // somebody asked for it
)

// Terminal reports whether nothing but an explicit retry changes the state.
func (s Status) Terminal() bool { return s == Completed || s == Failed || s == Cancelled }

// Valid reports whether s is one of the five states.
func (s Status) Valid() bool { return s == Pending || s == Processing || s.Terminal() }

// Failure says why a task FAILED.
type Failure struct {
	Code      FailureCode
	Message   string // an English sentence for people
	MessageJA string // the same in Japanese; "" in tasks that FAILED before there was any
}

// FailureCode says in one stable word why a task FAILED. A file's own faults carry the code of the reading engine.
type FailureCode string

// The failures that are not the file's content.
const (
	WorkerDied     FailureCode = "worker_died"     // its worker died too many times
	InternalError  FailureCode = "internal_error"  // a fault of ours, too many times
	TookTooLong    FailureCode = "took_too_long"   // it did not end within the function's time, too many times
	DatabaseFull   FailureCode = "database_full"   // its rows filled the database's disk, too many times
	ContentMissing FailureCode = "content_missing" // its bytes are gone from the blob store
	ContentChanged FailureCode = "content_changed" // its bytes in the blob store are not those that were uploaded
)

// MaxCrashes is how many runs of a task may end without a word, by a fault of ours, by their time or by filling the disk, before it is FAILED.
const MaxCrashes = 5
