package export

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"sheetdrop/upload-api/internal/problem"
)

// cursor is a position in a list. It is opaque to callers and valid only for the list that issued it.
type cursor[P any] struct {
	List  string `json:"l"`
	Place P      `json:"p"`
}

// EncodeCursor returns the text that DecodeCursor turns back into the position.
func EncodeCursor[P any](list string, place P) string {
	text, err := json.Marshal(cursor[P]{list, place})
	if err != nil {
		panic(err) // positions consist of numbers and ids, which always marshal
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// DecodeCursor returns the position of a cursor, or start if the text is empty. The error is a problem with code
// invalid_cursor if this list did not issue the text.
func DecodeCursor[P any](text, list string, start P) (P, error) {
	if text == "" {
		return start, nil
	}
	var c cursor[P]
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		decoder := json.NewDecoder(bytes.NewReader(raw))
		decoder.DisallowUnknownFields()
		err = decoder.Decode(&c)
	}
	if err != nil || c.List != list {
		return start, problem.New(problem.InvalidCursor, "The cursor was not issued by this list.")
	}
	return c.Place, nil
}
