package main

import (
	"fmt"
	"log/slog"

	"github.com/caarlos0/env/v11"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"

	outbox "sheetdrop/outbox-relay"
	parse "sheetdrop/parse-worker"
	upload "sheetdrop/upload-api"
)

// settings are all that the handler is told, by environment variables; each part's own are documented where they are declared.
type settings struct {
	Port     int        `env:"FUNCTIONS_CUSTOMHANDLER_PORT,required"` // set by the Functions host
	LogLevel slog.Level `env:"LOG_LEVEL" envDefault:"INFO"`           // DEBUG, INFO, WARN or ERROR
	Database postgres.Settings
	Storage  azure.Settings
	Upload   upload.Settings
	Relay    outbox.Settings
	Worker   parse.Settings
}

func readSettings() (settings, error) {
	s, err := env.ParseAs[settings]()
	if err != nil {
		return s, fmt.Errorf("settings: %w", err)
	}
	return s, nil
}
