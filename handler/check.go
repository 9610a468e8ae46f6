package main

import (
	"encoding/json"
	"io"
	"log/slog"

	"github.com/caarlos0/env/v11"

	"sheetdrop/internal/postgres"
)

// checkArgument has the handler check its settings, print what it found, and end: for `sheetdrop doctor`.
const checkArgument = "--check"

// checked is what the handler says of its settings. Values are not in it.
type checked struct {
	Settings     []string `json:"settings"`        // that this handler reads
	Error        string   `json:"error,omitempty"` // with which it would end
	NeededSchema int64    `json:"needed_schema"`
}

// checkSettings opens everything with the settings, as a start does, which connects to nothing.
func checkSettings(out io.Writer) error {
	found := checked{NeededSchema: postgres.NeededSchema}
	fields, err := env.GetFieldParams(&settings{})
	if err != nil {
		return err
	}
	for _, field := range fields {
		if field.OwnKey != "-" {
			found.Settings = append(found.Settings, field.Key)
		}
	}
	s, err := readSettings()
	if err == nil {
		var services *services
		if services, err = open(s, slog.New(slog.DiscardHandler)); err == nil {
			services.close()
		}
	}
	if err != nil {
		found.Error = err.Error()
	}
	return json.NewEncoder(out).Encode(found)
}
