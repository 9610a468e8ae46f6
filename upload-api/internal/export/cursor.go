package export

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"sheetdrop/upload-api/internal/problem"
)

// cursor is a place in a list. It is opaque to callers and belongs to the list that gave it out.
type cursor[P any] struct {
	List  string `json:"l"`
	Place P      `json:"p"`
}

// EncodeCursor returns the text from which DecodeCursor makes the place again.
func EncodeCursor[P any](list string, place P) string {
	text, err := json.Marshal(cursor[P]{list, place})
	if err != nil {
		panic(err) // places are numbers and ids
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// DecodeCursor returns the place of a cursor, and start where the text is empty. The error is the problem of a text that is not a cursor of
// this list.
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
		return start, problem.New(problem.InvalidCursor, "The cursor is not one that this list has given out.")
	}
	return c.Place, nil
}
