package receive

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
)

// Note is what is kept with a blob, so that its file can be made again in a database that has lost it. A later program may know more
// fields, and an earlier one fewer.
type Note struct {
	Owner     string          `json:"owner"`
	Name      string          `json:"name"`
	MediaType string          `json:"media_type"`
	Key       string          `json:"idempotency_key,omitempty"`
	PartNo    int             `json:"part_no"`
	TaskID    uuid.UUID       `json:"task_id"`
	Options   json.RawMessage `json:"options,omitempty"` // left out where they are too long
}

// NoteOf is the note of an upload's blob.
func NoteOf(u postgres.Upload) Note {
	f := u.File
	return Note{f.Owner, f.Name, f.MediaType, f.IdempotencyKey, f.PartNo, u.TaskID, u.Options}
}

// Encode returns the note in ASCII: without the options where it would be too long with them, "" where it would be even then.
func (n Note) Encode() string {
	for _, options := range []json.RawMessage{n.Options, nil} {
		n.Options = options
		text, err := encodeJSON(n)
		if err != nil {
			return ""
		}
		if encoded := base64.StdEncoding.EncodeToString(text); len(encoded) <= azure.MaxNote {
			return encoded
		}
	}
	return ""
}

// encodeJSON leaves < > & as they are, which would make texts longer, and so makes a line.
func encodeJSON(v any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return text.Bytes(), err
}

// DecodeNote reads what Encode has written; false where the text is none of ours.
func DecodeNote(text string) (n Note, ok bool) {
	decoded, err := base64.StdEncoding.DecodeString(text)
	return n, err == nil && json.Unmarshal(decoded, &n) == nil && n.Owner != "" && n.Name != "" && n.PartNo > 0 && n.TaskID != uuid.Nil
}
