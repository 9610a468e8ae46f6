package devstack

import (
	"fmt"
	"strings"
)

// The account of every storage emulator; its key is published in Microsoft's documentation of Azurite.
const (
	emulatorAccount = "devstoreaccount1"
	emulatorKey     = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)

// databaseFromEnvironment returns the address of the PostgreSQL server that the environment names, or "". If only
// libpq's variables name one, it is an empty URL that leaves everything to them.
func databaseFromEnvironment(getenv func(string) string) string {
	if url := getenv("DATABASE_URL"); url != "" {
		return url
	}
	for _, name := range []string{"PGHOST", "PGPORT", "PGSERVICE"} {
		if getenv(name) != "" {
			return "postgres://"
		}
	}
	return ""
}

// storageFromEnvironment returns DATA_STORAGE, with the short form for a running emulator expanded.
func storageFromEnvironment(getenv func(string) string) string {
	s := strings.TrimSpace(getenv("DATA_STORAGE"))
	if strings.EqualFold(strings.TrimSuffix(s, ";"), "UseDevelopmentStorage=true") {
		return emulatorConnectionString(10000, 10001)
	}
	return s
}

// emulatorConnectionString returns the connection string of an emulator on these ports.
func emulatorConnectionString(blob, queue int) string {
	return fmt.Sprintf("DefaultEndpointsProtocol=http;AccountName=%[1]s;AccountKey=%[2]s;"+
		"BlobEndpoint=http://127.0.0.1:%[3]d/%[1]s;QueueEndpoint=http://127.0.0.1:%[4]d/%[1]s;",
		emulatorAccount, emulatorKey, blob, queue)
}

// endpoints returns the URLs of the blob and the queue service from a connection string, where they may be explicit or
// follow from the account's name.
func endpoints(connectionString string) (blob, queue string, err error) {
	fields := map[string]string{"DefaultEndpointsProtocol": "https", "EndpointSuffix": "core.windows.net"}
	for field := range strings.SplitSeq(connectionString, ";") {
		if name, value, ok := strings.Cut(strings.TrimSpace(field), "="); ok {
			fields[name] = value
		}
	}
	of := func(explicit, service string) string {
		if url := fields[explicit]; url != "" {
			return strings.TrimSuffix(url, "/")
		}
		if fields["AccountName"] == "" {
			return ""
		}
		return fmt.Sprintf("%s://%s.%s.%s", fields["DefaultEndpointsProtocol"], fields["AccountName"], service, fields["EndpointSuffix"])
	}
	blob, queue = of("BlobEndpoint", "blob"), of("QueueEndpoint", "queue")
	if blob == "" || queue == "" {
		return "", "", fmt.Errorf("the storage connection string has neither AccountName nor BlobEndpoint and QueueEndpoint")
	}
	return blob, queue, nil
}
