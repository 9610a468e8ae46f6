package main

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/caarlos0/env/v11"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/maintenance"
	"sheetdrop/internal/metrics"
	"sheetdrop/internal/postgres"
	"sheetdrop/internal/tracing/export"
	"sheetdrop/internal/webhook"
	"sheetdrop/internal/webhook/dispatch"

	outbox "sheetdrop/outbox-relay"
	parse "sheetdrop/parse-worker"
	upload "sheetdrop/upload-api"
)

// settings are the handler's environment variables; those of each part are documented where the part declares them.
type settings struct {
	Port        int        `env:"FUNCTIONS_CUSTOMHANDLER_PORT,required"` // set by the Functions host
	LogLevel    slog.Level `env:"LOG_LEVEL" envDefault:"INFO"`           // DEBUG, INFO, WARN or ERROR
	ClientID    string     `env:"AZURE_CLIENT_ID"`                       // of the managed identity; "" if passwords and keys are used
	PprofPort   int        `env:"PPROF_PORT" envDefault:"0"`             // where this machine gets Go's profiles; 0 means nowhere
	Database    postgres.Settings
	Storage     azure.Settings
	Upload      upload.Settings
	Relay       outbox.Settings
	Maintenance maintenance.Settings
	Worker      parse.Settings
	Webhooks    dispatch.Settings
	WebhookURLs webhook.Settings
	Metrics     metrics.Settings
	Traces      export.Settings

	recorder *metrics.Recorder // nil unless somebody wants metrics
}

// webhookAddresses returns which addresses webhooks may have: those of this machine only where everybody who calls is on it.
func (s settings) webhookAddresses() webhook.Settings {
	addresses := s.WebhookURLs
	addresses.Local = s.Upload.Auth == upload.AuthLocal
	return addresses
}

// instrument lets a test build observe and disturb the calls to the database and to storage.
var instrument = func(*settings) {}

func readSettings() (settings, error) {
	s, err := env.ParseAs[settings]()
	if err == nil {
		err = errors.Join(s.takeIdentity(), s.Metrics.Check())
	}
	instrument(&s)
	if err != nil {
		return s, fmt.Errorf("settings: %w", err)
	}
	return s, nil
}

// takeIdentity sets the app's one identity, if it has one: the database is always accessed with it, storage only if it
// is configured without a key.
func (s *settings) takeIdentity() error {
	if other := s.Storage.ClientID; other != "" && other != s.ClientID {
		return errors.New(
			"DATA_STORAGE__clientId and AZURE_CLIENT_ID differ: the host, which takes the one, and the handler must be the same identity",
		)
	}
	if s.ClientID == "" {
		return nil
	}
	identity, err := azure.ManagedIdentity(s.ClientID)
	if err != nil {
		return err
	}
	s.Storage.Identity = identity
	s.Database.Password = identity.DatabasePassword
	return nil
}
