package upload

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/direct"
	"sheetdrop/upload-api/internal/embed"
	"sheetdrop/upload-api/internal/receive"
	"sheetdrop/upload-api/internal/response"
)

// BeginUpload is what an upload straight to the blob store promises.
type BeginUpload struct {
	Name      string `json:"name" doc:"The file's name. It does not affect how the file is read."`
	MediaType string `json:"media_type,omitempty" maxLength:"255" pattern:"^[!-~]*( *; *[ -~]*)?$" doc:"Stored, and not used to read the file."`
	SizeBytes int64  `json:"size_bytes" doc:"The size of the whole file."`
	SHA256    string `json:"sha256,omitempty" pattern:"^[0-9a-f]{64}$" doc:"The hash of the whole file. If the stored bytes do not match, the task fails with content_changed."`
}

// Upload is an upload straight to the blob store, as it is shown.
type Upload struct {
	ID         uuid.UUID       `json:"id" format:"uuid"`
	Status     string          `json:"status" enum:"OPEN,COMPLETED"`
	Name       string          `json:"name"`
	MediaType  string          `json:"media_type"`
	SizeBytes  int64           `json:"size_bytes" doc:"As promised."`
	SHA256     string          `json:"sha256,omitempty" pattern:"^[0-9a-f]{64}$" doc:"As promised."`
	Options    json.RawMessage `json:"options" doc:"The parse options of the request."`
	CreatedAt  time.Time       `json:"created_at"`
	ExpiresAt  time.Time       `json:"expires_at" doc:"The upload must be completed by then."`
	BlockBytes int64           `json:"block_bytes" doc:"The size of each block except the last one, which has the remainder."`
	Blocks     int64           `json:"blocks" doc:"The number of blocks, which are numbered from 0. A block's id is its number as 12 decimal digits, in base64."`
	FileID     *uuid.UUID      `json:"file_id,omitempty" format:"uuid" doc:"Set once the upload is COMPLETED."`
	TaskID     *uuid.UUID      `json:"task_id,omitempty" format:"uuid" doc:"Set once the upload is COMPLETED: the file's first task."`
}

// BlobAddress is where the blocks of one upload can be written, and nothing can be read or deleted. It is a secret.
type BlobAddress struct {
	URL       string    `json:"url" format:"uri" doc:"To store a block, append &comp=block&blockid=… and PUT it with Content-MD5 or x-ms-content-crc64."`
	ExpiresAt time.Time `json:"expires_at"`
}

// BegunUpload is an upload with an address.
type BegunUpload struct {
	Upload
	Address *BlobAddress   `json:"address,omitempty" doc:"Only if the upload is OPEN."`
	SameAs  *task.SameFile `json:"same_as,omitempty" doc:"The newest file with the bytes that the upload promises by their hash, if there is one."`
}

// StoredUpload is an upload with what is stored of it.
type StoredUpload struct {
	Upload
	Stored      []direct.Range `json:"stored" doc:"The numbers of the stored blocks, both ends included, while the upload is OPEN."`
	StoredBytes int64          `json:"stored_bytes"`
}

// DirectUploadInput names an upload.
type DirectUploadInput struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

type beginUploadInput struct {
	OptionsInput
	IdempotencyKey string `header:"Idempotency-Key" minLength:"1" maxLength:"255" pattern:"^[!-~]+$" doc:"Repeating a request with the same key returns the same upload."`
	Duplicates     string `query:"duplicates" enum:"accept,refuse" default:"accept" doc:"refuse: not begun, and not completed, if a file with the promised sha256 is there already."`
	Body           BeginUpload
}

type beginUploadOutput struct {
	Location string `header:"Location" doc:"The upload's path."`
	Body     BegunUpload
}

// uploads are the operations on uploads straight to the blob store.
type uploads struct{ direct *direct.Uploads }

// begin makes an upload, or finds it by its idempotency key.
func (u *uploads) begin(ctx context.Context, in *beginUploadInput) (*beginUploadOutput, error) {
	request, err := u.readPromise(ctx, in)
	if err != nil {
		return nil, err
	}
	begun, err := u.direct.Begin(ctx, caller.Of(ctx).Owner, request)
	if err != nil {
		return nil, err
	}
	shown := BegunUpload{Upload: showUpload(begun.DirectUpload), SameAs: begun.SameAs}
	if embed.Of(ctx) != nil {
		shown.SameAs = nil // another file of the owner's
	}
	if a := begun.Address; a != nil {
		shown.Address = &BlobAddress{a.URL, a.ExpiresAt}
	}
	return &beginUploadOutput{embed.Location(ctx, fmt.Sprintf("/api/uploads/%s", begun.ID)), shown}, nil
}

func (u *uploads) readPromise(ctx context.Context, in *beginUploadInput) (r direct.Request, err error) {
	r = direct.Request{Name: in.Body.Name, MediaType: in.Body.MediaType, SizeBytes: in.Body.SizeBytes}
	if r.MediaType == "" {
		r.MediaType = receive.AnyBytes
	}
	if r.Key, err = receive.IdempotencyKey(in.request.Header); err != nil {
		return r, err
	}
	r.Key = embed.Key(ctx, r.Key)
	if r.Options, r.RefuseDuplicates, err = receive.GivenOptions(ctx, u.direct.DB, caller.Of(ctx).Names(), in.request); err != nil {
		return r, err
	}
	_, err = hex.Decode(r.SHA256[:], []byte(in.Body.SHA256)) // its form was checked
	return r, err
}

type uploadOutput struct{ Body StoredUpload }

// get shows an upload, so that a client that lost its place can go on with what is missing.
func (u *uploads) get(ctx context.Context, in *DirectUploadInput) (*uploadOutput, error) {
	found, err := u.direct.Find(ctx, caller.Of(ctx).Owner, in.ID)
	if err != nil {
		return nil, err
	}
	shown := StoredUpload{Upload: showUpload(found), Stored: []direct.Range{}}
	if found.Status == postgres.UploadOpen {
		stored, bytes, err := u.direct.Stored(ctx, found)
		if err != nil {
			return nil, err
		}
		shown.Stored, shown.StoredBytes = append(shown.Stored, stored...), bytes
	}
	return &uploadOutput{shown}, nil
}

type addressOutput struct{ Body BlobAddress }

// renew hands out an address.
func (u *uploads) renew(ctx context.Context, in *DirectUploadInput) (*addressOutput, error) {
	address, err := u.direct.Address(ctx, caller.Of(ctx).Owner, in.ID)
	if err != nil {
		return nil, err
	}
	return &addressOutput{BlobAddress{address.URL, address.ExpiresAt}}, nil
}

type completedOutput struct {
	Location string `header:"Location" doc:"The task's path."`
	Body     response.FileAndTask
}

// complete makes the file. It answers after the commit and never before.
func (u *uploads) complete(ctx context.Context, in *DirectUploadInput) (*completedOutput, error) {
	file, err := u.direct.Complete(ctx, caller.Of(ctx).Owner, in.ID)
	if err != nil {
		return nil, err
	}
	shown := response.OfFileAndTask(file)
	if embed.Of(ctx) != nil {
		shown.SameAs = nil
	}
	return &completedOutput{embed.Location(ctx, fmt.Sprintf("/api/tasks/%s", file.Task.ID)), shown}, nil
}

// abort abandons an upload.
func (u *uploads) abort(ctx context.Context, in *DirectUploadInput) (*struct{}, error) {
	return nil, u.direct.Abort(ctx, caller.Of(ctx).Owner, in.ID)
}

func showUpload(u postgres.DirectUpload) Upload {
	shown := Upload{
		ID: u.ID, Status: string(u.Status), Name: u.Name, MediaType: u.MediaType, SizeBytes: u.SizeBytes, SHA256: response.Hash(u.SHA256),
		Options: u.Options, CreatedAt: u.CreatedAt, ExpiresAt: u.ExpiresAt, BlockBytes: u.BlockBytes, Blocks: direct.Blocks(u),
	}
	if u.Status == postgres.UploadCompleted {
		shown.FileID, shown.TaskID = &u.ID, &u.TaskID
	}
	return shown
}
