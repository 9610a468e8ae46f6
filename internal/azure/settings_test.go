package azure_test

import (
	"strings"
	"testing"

	"sheetdrop/internal/azure"
)

// Whoever sets up storage in two ways, or half of one, is told so at the start, by the names of the settings.
func TestContradictions(t *testing.T) {
	t.Parallel()
	identity, err := azure.ManagedIdentity("11111111-2222-3333-4444-555555555555")
	if err != nil {
		t.Fatal(err)
	}
	keyless := azure.Settings{
		BlobServiceURI: "https://a.blob.core.windows.net/", QueueServiceURI: "https://a.queue.core.windows.net/",
		Credential: "managedidentity", ClientID: "an-id", Container: "files", Queue: "parse-tasks", Identity: identity,
	}
	if _, _, err := azure.Open(keyless); err != nil {
		t.Errorf("with an identity: %v", err)
	}
	for names, change := range map[string]func(*azure.Settings){
		"DATA_STORAGE, DATA_STORAGE__":        func(s *azure.Settings) { s.Connection = "UseDevelopmentStorage=true" },
		"DATA_STORAGE__blobServiceUri":        func(s *azure.Settings) { s.BlobServiceURI = "" },
		"DATA_STORAGE__queueServiceUri, http": func(s *azure.Settings) { s.QueueServiceURI = "http://a.queue.core.windows.net/" },
		"DATA_STORAGE__credential":            func(s *azure.Settings) { s.Credential = "" },
		"DATA_STORAGE__clientId":              func(s *azure.Settings) { s.ClientID = "" },
		"AZURE_CLIENT_ID":                     func(s *azure.Settings) { s.Identity = nil },
		"DATA_STORAGE, UseDevelopmentStorage": func(s *azure.Settings) { *s = azure.Settings{} },
	} {
		s := keyless
		change(&s)
		_, _, err := azure.Open(s)
		for name := range strings.SplitSeq(names, ", ") {
			if err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%v, want a word about %s", err, name)
			}
		}
	}
}
