package functions

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// envelope is the body of an invocation. The values stay raw because the host encodes them in several ways; see text.
type envelope struct {
	Data     map[string]json.RawMessage
	Metadata json.RawMessage
}

// open reads an envelope and returns the trigger's value and the metadata.
func open(body []byte, binding string) (value, metadata json.RawMessage, err error) {
	var e envelope
	if err := json.Unmarshal(body, &e); err != nil {
		return nil, nil, err
	}
	value, ok := e.Data[binding]
	if !ok {
		return nil, nil, fmt.Errorf("no data for the binding %q", binding)
	}
	if string(value) == "null" {
		return nil, nil, fmt.Errorf("the data of the binding %q is null", binding)
	}
	return value, e.Metadata, nil
}

// text returns the text that a value stands for. The host writes strings, numbers and booleans as JSON inside a JSON
// string, dates and byte arrays as a JSON string, and objects as they are: "\"u-1\"" and "u-1" both mean u-1, "1" and 1
// both mean 1. twice reports that the value was a JSON string inside a JSON string.
func text(value json.RawMessage) (s string, twice bool, err error) {
	if len(value) == 0 {
		return "", false, errors.New("no value")
	}
	if value[0] != '"' {
		return string(value), false, nil
	}
	if err := json.Unmarshal(value, &s); err != nil {
		return "", false, err
	}
	var inner string
	if strings.HasPrefix(s, `"`) && json.Unmarshal([]byte(s), &inner) == nil {
		return inner, true, nil
	}
	return s, false, nil
}
