package target

import "fmt"

// Problem is one thing that is wrong with a definition, a request or a mapping.
type Problem struct {
	Code      Code   `json:"code,omitempty"`    // of a mapping's problem, with which its file FAILs
	Pointer   string `json:"pointer,omitempty"` // RFC 6901, to the field of the JSON that was sent
	Message   string `json:"message"`           // one English sentence
	MessageJA string `json:"message_ja"`        // the same in Japanese
}

// Code is why a file cannot be loaded into a target.
type Code string

// The codes of mappings.
const (
	AmbiguousHeader Code = "ambiguous_header" // two headers reach a column by the same rule
	MappingNeeded   Code = "mapping_needed"   // the headers do not say which column is meant
)

// sentence is a message in two languages, as formats of package fmt for the same values.
type sentence struct{ english, japanese string }

func (s sentence) at(pointer string, values ...any) Problem {
	return Problem{Pointer: pointer, Message: fmt.Sprintf(s.english, values...), MessageJA: fmt.Sprintf(s.japanese, values...)}
}

func (s sentence) with(code Code, values ...any) Problem {
	p := s.at("", values...)
	p.Code = code
	return p
}
