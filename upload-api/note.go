package upload

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
)

// note is what is kept with a blob, so that its file can be made again in a database that has lost it. A later program may know more
// fields, and an earlier one fewer.
type note struct {
	Owner     string          `json:"owner"`
	Name      string          `json:"name"`
	MediaType string          `json:"media_type"`
	Key       string          `json:"idempotency_key,omitempty"`
	PartNo    int             `json:"part_no"`
	TaskID    uuid.UUID       `json:"task_id"`
	Options   json.RawMessage `json:"options,omitempty"` // left out where they are too long
}

func noteOf(u postgres.Upload) note {
	f := u.File
	return note{f.Owner, f.Name, f.MediaType, f.IdempotencyKey, f.PartNo, u.TaskID, u.Options}
}

// encode returns the note in ASCII: without the options where it would be too long with them, "" where it would be even then.
func (n note) encode() string {
	for _, options := range []json.RawMessage{n.Options, nil} {
		n.Options = options
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false) // which would make names longer
		if err := encoder.Encode(n); err != nil {
			return ""
		}
		if encoded := base64.StdEncoding.EncodeToString(text.Bytes()); len(encoded) <= azure.MaxNote {
			return encoded
		}
	}
	return ""
}

// decodeNote is the reverse; false where the text is none of ours.
func decodeNote(text string) (n note, ok bool) {
	decoded, err := base64.StdEncoding.DecodeString(text)
	return n, err == nil && json.Unmarshal(decoded, &n) == nil && n.Owner != "" && n.Name != "" && n.PartNo > 0 && n.TaskID != uuid.Nil
}
