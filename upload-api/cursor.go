package upload

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
)

// cursor is a place in a list. It is opaque to callers and belongs to the list that gave it out.
type cursor[P any] struct {
	List  string `json:"l"`
	Place P      `json:"p"`
}

// encodeCursor gives the text from which decodeCursor makes the place again.
func encodeCursor[P any](list string, place P) string {
	text, err := json.Marshal(cursor[P]{list, place})
	if err != nil {
		panic(err) // places are numbers and ids
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// decodeCursor gives the place of a cursor, and start where there is none.
func decodeCursor[P any](text, list string, start P) (P, error) {
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
		return start, problem(InvalidCursor, "The cursor is not one that this list has given out.")
	}
	return c.Place, nil
}
