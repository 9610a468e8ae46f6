package main

import (
	"cmp"
	"context"
	"maps"
	"os"
	"slices"
	"strings"

	"sheetdrop/cmd/sheetdrop/internal/checkout"
	"sheetdrop/cmd/sheetdrop/internal/doctor"
	"sheetdrop/cmd/sheetdrop/internal/instance"
	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/signin"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/azure"
)

type doctorCommand struct {
	Settings  string `type:"existingfile" placeholder:"FILE" help:"The settings of the app: local.settings.json, or what 'az functionapp config appsettings list' prints."`
	Storage   string `env:"DATA_STORAGE" placeholder:"CONNECTION" help:"A storage connection string. If it is not given: what the settings say, with the Azure sign-in of this machine."`
	Container string `env:"BLOB_CONTAINER" placeholder:"NAME" help:"The container's name, if the settings do not say it."`
	Queue     string `env:"PARSE_QUEUE" placeholder:"NAME" help:"The queue's name, if the settings do not say it."`
	Verbose   bool   `short:"v" help:"A line for each check, also for those that found nothing or could not be made."`
	databaseFlags
}

func (d *doctorCommand) Run(ctx context.Context, c *terminal.Console) error {
	subject, err := d.subject()
	if err != nil {
		return err
	}
	findings, err := doctor.Examine(ctx, subject)
	if err != nil {
		return err
	}
	return doctor.Report(c, findings, d.Verbose)
}

// subject is what the flags, the settings and the environment name.
func (d *doctorCommand) subject() (s doctor.Subject, err error) {
	s.Thresholds = doctor.Usual()
	if d.Settings != "" {
		if s.Settings, err = doctor.ReadSettings(d.Settings); err != nil {
			return s, err
		}
		s.Settings.Handler = doctor.HandlerHere()
	}
	if d.isElsewhere() {
		if s.Server, err = d.server(); err != nil {
			return s, err
		}
		s.SignedIn = d.isSignedIn()
	} else if d.isOfThisMachine() {
		return s, d.examineLocal(&s)
	}
	s.HasDatabase, s.Database = d.databaseOf(s.Settings)
	s.Storage = d.storageOf(s.Settings)
	return s, nil
}

// isOfThisMachine reports whether a `sheetdrop local` is meant: where nothing else is named, or one runs beside what the environment names.
func (d *doctorCommand) isOfThisMachine() bool {
	if d.Settings != "" || d.Database != "" {
		return false
	}
	_, err := d.local()
	return err == nil || !d.namesDatabase() && d.Storage == ""
}

// isSignedIn reports whether requests have a token.
func (d *doctorCommand) isSignedIn() bool {
	if os.Getenv(server.TokenVariable) != "" {
		return true
	}
	p, err := d.profile()
	return err == nil && d.address() == "" && p.Scope != ""
}

// namesDatabase reports whether a flag or the environment says where a database is, as for the other commands of operators.
func (d *doctorCommand) namesDatabase() bool {
	return d.Database != "" || os.Getenv("DATABASE_URL") != "" || os.Getenv("PGHOST") != "" || os.Getenv("PGSERVICE") != ""
}

// databaseOf returns the database's address. The settings' own is of use where the app logs in with a password.
func (d *doctorCommand) databaseOf(s *doctor.Settings) (known bool, url string) {
	if d.namesDatabase() {
		return true, cmp.Or(d.Database, os.Getenv("DATABASE_URL"))
	}
	if s != nil && s.Values["DATABASE_URL"] != "" {
		return true, s.Values["DATABASE_URL"]
	}
	return false, ""
}

// storageOf returns where the storage is; nil if nothing says so.
func (d *doctorCommand) storageOf(s *doctor.Settings) *azure.Settings {
	values := map[string]string{}
	if s != nil {
		values = s.Values
	}
	found := azure.Settings{
		Connection: cmp.Or(d.Storage, values["DATA_STORAGE"]), Container: cmp.Or(d.Container, values["BLOB_CONTAINER"], "files"),
		Queue: cmp.Or(d.Queue, values["PARSE_QUEUE"], "parse-tasks"),
	}
	if found.Connection != "" {
		return &found
	}
	if values["DATA_STORAGE__blobServiceUri"] == "" {
		return nil
	}
	found.BlobServiceURI, found.QueueServiceURI = values["DATA_STORAGE__blobServiceUri"], values["DATA_STORAGE__queueServiceUri"]
	found.Credential, found.ClientID = values["DATA_STORAGE__credential"], values["DATA_STORAGE__clientId"]
	found.Identity = signin.Storage() // and not the app's, which this machine does not have
	return &found
}

// examineLocal completes the subject with the sheetdrop of this machine, whether it runs or not.
func (d *doctorCommand) examineLocal(s *doctor.Subject) error {
	root, err := checkout.Find()
	if err != nil && d.Data == "" {
		return err
	}
	data := cmp.Or(d.Data, checkout.DataFolder(root))
	taken, err := instance.IsTaken(data)
	if err != nil {
		return err
	}
	running, err := instance.ReadAddresses(data)
	s.Local = &doctor.Local{Root: root, Data: data, Running: err == nil, Taken: taken, HostPID: running.HostPID}
	s.Settings = localSettings(running)
	if !s.Local.Alive() {
		return nil
	}
	s.SignedIn, s.HasDatabase, s.Database = true, true, running.DatabaseURL
	storage := instance.Storage(running.ConnectionString)
	s.Storage = &storage
	s.Server, err = server.At(running.APIURL, nil)
	return err
}

// localSettings are those that an instance starts its handler with: this environment's, and its own.
func localSettings(running instance.Addresses) *doctor.Settings {
	s := &doctor.Settings{From: words.In("this environment"), Values: map[string]string{}, Handler: doctor.HandlerHere()}
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		s.Values[name] = value
	}
	database, storage := cmp.Or(running.DatabaseURL, "postgres://127.0.0.1/"), cmp.Or(running.ConnectionString, "UseDevelopmentStorage=true")
	own := instance.Settings(database, storage)
	for name := range s.Values {
		if _, set := own[name]; !set {
			s.Own = append(s.Own, name)
		}
	}
	slices.Sort(s.Own)
	maps.Copy(s.Values, own)
	return s
}
