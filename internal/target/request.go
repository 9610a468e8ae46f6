package target

import "github.com/google/uuid"

// Request is what an upload asks of a target. It stands in the options of the task, under "target".
type Request struct {
	ID      uuid.UUID         `json:"id"`
	Name    string            `json:"name"`
	Mode    Mode              `json:"mode,omitempty"`    // "": the definition's
	Series  string            `json:"series,omitempty"`  // the load takes the place of the series' earlier ones
	Mapping map[string]Choice `json:"mapping,omitempty"` // by header, as it stands in the file
	OnTop   bool              `json:"on_top,omitempty"`  // of a file that was loaded before: not in place of that load
	Newer   bool              `json:"newer,omitempty"`   // overwrites what newer loads have written
}

// Choice is what somebody has chosen for a header.
type Choice struct {
	Column string `json:"column"` // "": leave it out
	Format string `json:"format,omitempty"`
}
