package target

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"
)

// Request is what an upload asks of a target. It stands in the options of the task, under OptionsKey.
type Request struct {
	ID      uuid.UUID         `json:"id"`
	Name    string            `json:"name"`
	Mode    Mode              `json:"mode,omitempty"`    // "": the definition's
	Mapping map[string]Choice `json:"mapping,omitempty"` // by header, as it stands in the file
	Series  string            `json:"series,omitempty"`  // the load takes the place of the series' earlier one
	Undo    int64             `json:"undo,omitempty"`    // takes this load back, and loads nothing
	// DeleteFile is whether the file goes once the load of Undo is taken back, and with it all others that it has made.
	DeleteFile bool `json:"delete_file,omitempty"`
	// KeepEarlier is whether rows stay that the same sheet of the file has loaded before. Otherwise the load takes their place.
	KeepEarlier bool `json:"keep_earlier,omitempty"`
	// Corrects is the load whose corrected rejects the file has: it joins that load, and takes the place of none.
	Corrects int64 `json:"corrects,omitempty"`
}

// Choice is what somebody has chosen for a header. In JSON it may also be the column's name alone, or null for a column
// that is left out.
type Choice struct {
	Column string `json:"column"` // "": leave it out
	Format string `json:"format,omitempty"`
}

// UnmarshalJSON refuses what is no choice.
func (c *Choice) UnmarshalJSON(text []byte) error {
	*c = Choice{}
	if text[0] == '"' || bytes.Equal(text, []byte("null")) {
		return json.Unmarshal(text, &c.Column)
	}
	type plain Choice
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode((*plain)(c)); err != nil {
		return fmt.Errorf("a choice is a column's name, null, or an object with column and format: %w", err)
	}
	return nil
}

// OptionsKey is where a request stands in the options of a task.
const OptionsKey = "target"

// SplitOptions takes the request off a task's options. It is nil for a task without a target. What a newer version has
// added to a request is an error.
func SplitOptions(options json.RawMessage) (json.RawMessage, *Request, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(options, &all); err != nil {
		return nil, nil, fmt.Errorf("options: %w", err)
	}
	text, ok := all[OptionsKey]
	if !ok {
		return options, nil, nil
	}
	var request Request
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&request); err != nil {
		return nil, nil, fmt.Errorf("the options' target: %w", err)
	}
	delete(all, OptionsKey)
	rest, err := json.Marshal(all)
	return rest, &request, err
}

// JoinOptions adds a request to the options of a task.
func JoinOptions(options json.RawMessage, request Request) (json.RawMessage, error) {
	all := make(map[string]any)
	var known map[string]json.RawMessage
	if err := json.Unmarshal(options, &known); err != nil {
		return nil, fmt.Errorf("options: %w", err)
	}
	for name, value := range known {
		all[name] = value
	}
	all[OptionsKey] = request
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(all)
	return bytes.TrimSpace(text.Bytes()), err
}

// The limits of requests.
const (
	maxSeries  = 200     // bytes
	maxChoices = 3000    // headers
	maxHeader  = 1 << 16 // bytes
)

// The problems of requests.
var (
	manyChoices   = sentence{"The mapping has %d headers; the limit is %d.", "対応付けに見出しが%d個あります。上限は%d個です。"}
	unknownColumn = sentence{"The target has no column %q.", "取り込み先に列「%s」がありません。"}
	formatAlone   = sentence{"A header that is left out has no format.", "使わない見出しに書式は指定できません。"}
	badSeries     = sentence{"A series has at most %d bytes, without control characters.", "seriesは%dバイト以内で、制御文字を含められません。"}
	modeNeedsKey  = sentence{"The mode upsert needs a target with a key.", "モードupsertにはキーのある取り込み先が必要です。"}
)

// ValidateRequest returns everything that is wrong with a request for the target with this definition, with pointers into
// the request.
func (d Definition) ValidateRequest(r Request) []Problem {
	all := oneOf("/mode", r.Mode, Insert, Upsert, Replace)
	if r.Mode == Upsert && len(d.Key) == 0 {
		all = append(all, modeNeedsKey.at("/mode"))
	}
	if len(r.Series) > maxSeries || !isPlainText(r.Series) {
		all = append(all, badSeries.at("/series", maxSeries))
	}
	return append(all, d.ValidateChoices("/mapping", r.Mapping)...)
}

// ValidateChoices checks choices for headers, by their header; pointers begin with at.
func (d Definition) ValidateChoices(at string, choices map[string]Choice) (all []Problem) {
	if len(choices) > maxChoices {
		return []Problem{manyChoices.at(at, len(choices), maxChoices)}
	}
	for _, header := range slices.Sorted(maps.Keys(choices)) {
		all = append(all, d.validateChoice(at+"/"+escaped(header), header, choices[header])...)
	}
	return all
}

func (d Definition) validateChoice(at, header string, choice Choice) []Problem {
	if len(header) > maxHeader || !isStorable(header) {
		return []Problem{badText.at(at)}
	}
	if choice.Column == "" {
		if choice.Format != "" {
			return []Problem{formatAlone.at(at)}
		}
		return nil
	}
	column, ok := d.Column(choice.Column)
	if !ok {
		return []Problem{unknownColumn.at(at, choice.Column)}
	}
	column.Format = choice.Format
	return column.validateFormat(at)
}
