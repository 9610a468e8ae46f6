package azure

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// Settings say where files and messages are stored, in one of two ways: Connection, a storage connection string or
// UseDevelopmentStorage=true for an emulator at its usual ports; or, without a key, the services' addresses and an
// identity. The latter variables have the names by which the Functions host finds the same queue.
type Settings struct {
	Connection      string `env:"DATA_STORAGE"`
	BlobServiceURI  string `env:"DATA_STORAGE__blobServiceUri"`
	QueueServiceURI string `env:"DATA_STORAGE__queueServiceUri"`
	Credential      string `env:"DATA_STORAGE__credential"` // must be managedidentity
	ClientID        string `env:"DATA_STORAGE__clientId"`   // of Identity

	Container string `env:"BLOB_CONTAINER" envDefault:"files"`
	Queue     string `env:"PARSE_QUEUE" envDefault:"parse-tasks"`

	Identity *Identity `env:"-"` // accesses the addresses

	// Transport, if not nil, wraps the transport of every call; next is the transport that would be used otherwise.
	Transport func(next http.RoundTripper) http.RoundTripper `env:"-" json:"-"`
}

func (s Settings) transport(next http.RoundTripper) http.RoundTripper {
	if s.Transport == nil {
		return next
	}
	return s.Transport(next)
}

// keyless reports whether any setting of the keyless way is present.
func (s Settings) keyless() bool {
	return s.BlobServiceURI+s.QueueServiceURI+s.Credential+s.ClientID != ""
}

// check returns an error that says which setting is missing or contradicts another.
func (s Settings) check() error {
	switch {
	case s.Connection != "" && s.keyless():
		return errors.New(
			"DATA_STORAGE and DATA_STORAGE__… are both set, and only one can hold: leave out DATA_STORAGE where there is an identity, the others where there is none",
		)
	case s.Connection != "":
		return nil
	case !s.keyless():
		return errors.New("DATA_STORAGE must be set: a storage connection string, or UseDevelopmentStorage=true for an emulator")
	case !strings.EqualFold(s.Credential, "managedidentity"):
		return fmt.Errorf("DATA_STORAGE__credential is %q; it must be managedidentity", s.Credential)
	case s.ClientID == "" || s.Identity == nil:
		return errors.New("DATA_STORAGE__clientId and AZURE_CLIENT_ID must be set: the client id of the app's identity")
	}
	for name, uri := range map[string]string{"blob": s.BlobServiceURI, "queue": s.QueueServiceURI} {
		if !strings.HasPrefix(uri, "https://") {
			return fmt.Errorf("DATA_STORAGE__%sServiceUri is %q; it must be the https address of the %s service", name, uri, name)
		}
	}
	return nil
}

// developmentStorage is what UseDevelopmentStorage=true stands for: the emulator's published account, the same on every
// machine.
const developmentStorage = "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;" +
	"AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;" +
	"BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1;QueueEndpoint=http://127.0.0.1:10001/devstoreaccount1;"

// ConnectionString expands the emulator's short form, which the SDK for Go does not know.
func (s Settings) ConnectionString() string {
	if strings.EqualFold(strings.TrimRight(strings.TrimSpace(s.Connection), ";"), "UseDevelopmentStorage=true") {
		return developmentStorage
	}
	return s.Connection
}

// blobContainer and queue return the addresses of the keyless way.
func (s Settings) blobContainer() string {
	return strings.TrimSuffix(s.BlobServiceURI, "/") + "/" + s.Container
}

func (s Settings) queue(name string) string {
	return strings.TrimSuffix(s.QueueServiceURI, "/") + "/" + name
}
