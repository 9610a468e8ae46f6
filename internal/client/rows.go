package client

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// CellsOf returns the cells of a row with shape=arrays, nil for null. Numbers are json.Number: as the service has written them, with all of
// their digits.
func CellsOf(row json.Marshaler) (cells []any, err error) {
	text, err := row.MarshalJSON()
	if err == nil {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		err = decoder.Decode(&cells)
	}
	if err != nil {
		return nil, fmt.Errorf("read a row: %w", err)
	}
	return cells, nil
}
