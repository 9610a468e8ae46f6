package problem

import (
	"maps"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"
)

// Code is a stable word that says what is wrong with a request. The list is closed: a code never changes its meaning or
// its status.
type Code string

// The codes of problems.
const (
	// Authentication and authorisation.
	NotLocal     Code = "not_local"      // AUTH=local, and the caller is not on this machine
	SignInNeeded Code = "sign_in_needed" // AUTH=easyauth, and nobody is signed in
	CrossSite    Code = "cross_site"     // a page of another origin requests a change
	NotOperator  Code = "not_operator"   // for operators only

	// Upload tokens, for pages of other origins.
	OriginNotAllowed    Code = "origin_not_allowed"     // a page whose origin is none of CORS_ORIGINS
	InvalidUploadToken  Code = "invalid_upload_token"   // missing, unknown, expired, or of pages of another origin
	UploadTokenUsedUp   Code = "upload_token_used_up"   // its files or bytes do not suffice for the upload
	TooManyUploadTokens Code = "too_many_upload_tokens" // the caller already has as many valid tokens as an owner may have

	// The request.
	NotFound         Code = "not_found"          // unknown, deleted, or somebody else's
	MethodNotAllowed Code = "method_not_allowed" // the path has other methods, which Allow lists
	InvalidParameter Code = "invalid_parameter"  // of the path, the query or a header; errors says which and why
	UnknownParameter Code = "unknown_parameter"  // the query has a parameter that the operation does not know
	InvalidCursor    Code = "invalid_cursor"     // not a cursor that this list issued
	InvalidBody      Code = "invalid_body"       // not the JSON that the operation expects; errors says which member and why
	// If-Match names another version than the current one
	PreconditionFailed Code = "precondition_failed"

	// Uploads.
	UnsupportedMediaType Code = "unsupported_media_type"  // form-urlencoded, JSON, multipart without a boundary, or compressed
	InvalidMultipart     Code = "invalid_multipart"       // the body does not follow the format of multipart
	NameMissing          Code = "name_missing"            // neither ?name= nor a file name in Content-Disposition
	InvalidName          Code = "invalid_name"            // not UTF-8, control characters, or longer than 255 characters or 1,024 bytes
	EmptyFile            Code = "empty_file"              // no bytes
	NoFile               Code = "no_file"                 // a multipart body without a file
	TooManyParts         Code = "too_many_parts"          // a multipart body with more than 100 files or 1,100 options
	TooLarge             Code = "too_large"               // a body over the limit
	UnknownOption        Code = "unknown_option"          // not the name of a parse option
	InvalidOption        Code = "invalid_option"          // a parse option with a value that it cannot have
	InvalidKey           Code = "invalid_idempotency_key" // not 1 to 255 visible ASCII characters
	KeyReused            Code = "idempotency_key_reused"  // the key was used for another upload
	Duplicate            Code = "duplicate"               // the same bytes are in another file, and the request refuses duplicates
	Gone                 Code = "gone"                    // what the key was used for has been deleted; a direct upload was aborted or has expired
	BodyIncomplete       Code = "body_incomplete"         // the body ended before its declared length
	UploadStalled        Code = "upload_stalled"          // no bytes for a minute, or less than 16 KiB/s on average after that
	PreviewTimeout       Code = "preview_timeout"         // reading the file took too long for a preview
	UploadTooSlow        Code = "upload_too_slow"         // the upload took longer than 12 hours
	URLNotAllowed        Code = "url_not_allowed"         // not https, a host that UPLOAD_URL_HOSTS does not name, or an address that is not public
	FetchFailed          Code = "fetch_failed"            // the server with the file does not answer, or not with the whole file

	// Direct uploads, whose bytes go to the blob store.
	BlocksMissing   Code = "blocks_missing"   // not all blocks are stored; errors says which are missing
	BlockSizeWrong  Code = "block_size_wrong" // a block has another size than it must have; errors says which
	TooManyBytes    Code = "too_many_bytes"   // more is stored than was promised
	UploadAltered   Code = "upload_altered"   // the blob was written in another way than block by block
	UploadCompleted Code = "upload_completed" // it is a file already

	// Limits per caller.
	// the caller already has as many uploads, long responses or waiting requests as one caller may have
	TooManyAtOnce Code = "too_many_at_once"
	TooManyOpen   Code = "too_many_open_tasks" // the caller already has QUOTA_OPEN_TASKS tasks that have not ended
	// the caller already has LIMIT_OPEN_UPLOADS direct uploads that are not completed
	TooManyUploads Code = "too_many_open_uploads"
	QuotaExceeded  Code = "quota_exceeded" // the caller's files, bytes or tasks of the day are used up; Retry-After says for how long

	// Tasks, rows and content.
	AlreadyFinished Code = "already_finished" // a task that has ended cannot be cancelled
	NotFinished     Code = "not_finished"     // a task can only be deleted once it has ended
	NotRetryable    Code = "not_retryable"    // only a FAILED or CANCELLED task can be retried
	AlreadyRunning  Code = "already_running"  // the file has another task that has not ended
	NotFailed       Code = "not_failed"       // only a FAILED message can be sent again
	RowsDeleted     Code = "rows_deleted"     // what the task found has been deleted
	NotCompleted    Code = "not_completed"    // rows exist only once the task is COMPLETED
	DryRun          Code = "dry_run"          // a dry run loads no rows
	RowsInTarget    Code = "rows_in_target"   // the task has loaded its rows into a target
	ContentMissing  Code = "content_missing"  // the file's bytes are missing from the blob store
	NotEncodable    Code = "not_encodable"    // the encoding that was asked for does not have all characters of the list
	TooManyColumns  Code = "too_many_columns" // the format cannot have as many columns

	// Views.
	ViewNameTaken Code = "view_name_taken" // a view of another sheet, or something else in the schema, has the name
	InUseBy       Code = "in_use_by"       // others have built on the view, or on the target's table; errors says what
	TooManyViews  Code = "too_many_views"  // the caller already has as many views as an owner may have

	// Targets.
	InvalidDefinition Code = "invalid_definition" // of a target; errors has everything that is wrong with it, by JSON pointers
	InvalidMapping    Code = "invalid_mapping"    // the target has no such column, or a format is not of its type; errors says which
	NoSuchTarget      Code = "no_such_target"     // the upload names a target that is unknown, dropped, or somebody else's
	NotPermitted      Code = "not_permitted"      // the target is shared with the caller, but not for this
	TargetExists      Code = "target_exists"      // the caller has another target with this name
	TableExists       Code = "table_exists"       // a table or view has the target's name
	AlreadyUndone     Code = "already_undone"     // the load of the target has been undone before
	CannotCorrect     Code = "cannot_correct"     // the load whose rejects the file corrects was undone, or another one has taken its place
	HasLoads          Code = "has_loads"          // loads of the file are in targets, and can be undone; errors lists them
	UndoExpired       Code = "undo_expired"       // the load of the target is older than UNDO_DAYS
	TooManyTargets    Code = "too_many_targets"   // the caller already has QUOTA_TARGETS targets
	QueryTimeout      Code = "query_timeout"      // the rows that a filter selects were not found in time

	// Webhooks.
	WebhooksOff     Code = "webhooks_off"        // the server calls no addresses: WEBHOOK_HOSTS is empty
	InvalidAddress  Code = "invalid_webhook_url" // not an address that the server may call; errors says why
	TooManyWebhooks Code = "too_many_webhooks"   // the caller already has QUOTA_WEBHOOKS webhooks
	WebhookDisabled Code = "webhook_disabled"    // nothing is sent to it until it is enabled again

	// Recovery after a restore of the database.
	NoRecovery     Code = "no_recovery"     // no recovery is in progress
	NotRecoverable Code = "not_recoverable" // the blob does not say whose it is, or with which options it was uploaded
	UploadedAgain  Code = "uploaded_again"  // another file has the same idempotency key by now

	// The service.
	SchemaOld           Code = "schema_old"           // the database has not been migrated
	DatabaseUnavailable Code = "database_unavailable" // try again
	StorageUnavailable  Code = "storage_unavailable"  // try again
	NotReady            Code = "not_ready"            // errors says which part is not ready
	Busy                Code = "busy"                 // too many uploads, long responses or waiting requests at once, or a view that is being read: try again
	Internal            Code = "internal_error"       // an internal error; the log has it under the instance
)

// statuses maps each code to its HTTP status.
var statuses = map[Code]int{
	NotLocal: http.StatusForbidden, SignInNeeded: http.StatusUnauthorized, CrossSite: http.StatusForbidden,
	NotOperator: http.StatusForbidden,

	OriginNotAllowed: http.StatusForbidden, InvalidUploadToken: http.StatusUnauthorized, UploadTokenUsedUp: http.StatusForbidden,
	TooManyUploadTokens: http.StatusTooManyRequests,

	NotFound: http.StatusNotFound, MethodNotAllowed: http.StatusMethodNotAllowed, InvalidParameter: http.StatusBadRequest,
	UnknownParameter: http.StatusBadRequest, InvalidCursor: http.StatusBadRequest,
	InvalidBody: http.StatusBadRequest, PreconditionFailed: http.StatusPreconditionFailed,

	UnsupportedMediaType: http.StatusUnsupportedMediaType, InvalidMultipart: http.StatusBadRequest, NameMissing: http.StatusBadRequest,
	InvalidName: http.StatusBadRequest, EmptyFile: http.StatusBadRequest, NoFile: http.StatusBadRequest, TooManyParts: http.StatusBadRequest,
	TooLarge: http.StatusRequestEntityTooLarge, UnknownOption: http.StatusBadRequest, InvalidOption: http.StatusBadRequest,
	InvalidKey: http.StatusBadRequest, KeyReused: http.StatusUnprocessableEntity, Gone: http.StatusGone,
	BodyIncomplete: http.StatusBadRequest, UploadStalled: http.StatusRequestTimeout, UploadTooSlow: http.StatusRequestTimeout,

	URLNotAllowed: http.StatusBadRequest, FetchFailed: http.StatusUnprocessableEntity,

	Duplicate: http.StatusConflict, PreviewTimeout: http.StatusUnprocessableEntity,

	BlocksMissing: http.StatusConflict, BlockSizeWrong: http.StatusConflict, TooManyBytes: http.StatusConflict,
	UploadAltered: http.StatusConflict, UploadCompleted: http.StatusConflict,

	TooManyUploads: http.StatusTooManyRequests,
	TooManyAtOnce:  http.StatusTooManyRequests, TooManyOpen: http.StatusTooManyRequests, QuotaExceeded: http.StatusTooManyRequests,

	AlreadyFinished: http.StatusConflict, NotCompleted: http.StatusConflict, DryRun: http.StatusConflict, RowsInTarget: http.StatusConflict,
	ContentMissing: http.StatusGone,
	NoRecovery:     http.StatusConflict, NotRecoverable: http.StatusConflict, UploadedAgain: http.StatusConflict,
	NotFinished: http.StatusConflict, NotRetryable: http.StatusConflict, AlreadyRunning: http.StatusConflict, NotFailed: http.StatusConflict,
	RowsDeleted: http.StatusGone, NotEncodable: http.StatusUnprocessableEntity, TooManyColumns: http.StatusUnprocessableEntity,

	ViewNameTaken: http.StatusConflict, InUseBy: http.StatusConflict, TooManyViews: http.StatusConflict,

	InvalidDefinition: http.StatusUnprocessableEntity, InvalidMapping: http.StatusUnprocessableEntity, NoSuchTarget: http.StatusNotFound,
	NotPermitted: http.StatusForbidden, TargetExists: http.StatusConflict, TableExists: http.StatusConflict,
	TooManyTargets: http.StatusConflict, AlreadyUndone: http.StatusConflict, UndoExpired: http.StatusConflict, HasLoads: http.StatusConflict,
	CannotCorrect: http.StatusConflict,
	QueryTimeout:  http.StatusUnprocessableEntity,

	WebhooksOff: http.StatusForbidden, InvalidAddress: http.StatusUnprocessableEntity, TooManyWebhooks: http.StatusConflict,
	WebhookDisabled: http.StatusConflict,

	SchemaOld: http.StatusServiceUnavailable, DatabaseUnavailable: http.StatusServiceUnavailable,
	StorageUnavailable: http.StatusServiceUnavailable, NotReady: http.StatusServiceUnavailable, Busy: http.StatusServiceUnavailable,
	Internal: http.StatusInternalServerError,
}

// Status returns the HTTP status of responses with the code.
func (c Code) Status() int { return statuses[c] }

// Schema lists the codes in the OpenAPI document.
func (Code) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString, Description: "What is wrong, as a stable code."}
	for _, code := range slices.Sorted(maps.Keys(statuses)) {
		s.Enum = append(s.Enum, string(code))
	}
	return s
}
