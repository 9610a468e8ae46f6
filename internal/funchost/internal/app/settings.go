package app

import (
	"fmt"
	"hash/fnv"
	"os"
	"regexp"
	"strings"
)

// Settings are the app settings. A name that is missing is looked up in this process's environment.
type Settings map[string]string

// Lookup returns a setting, and whether it is set.
func (s Settings) Lookup(name string) (string, bool) {
	if v, ok := s[name]; ok {
		return v, true
	}
	return os.LookupEnv(name)
}

// Environment returns what the handler inherits: this process's environment and the settings, as NAME=value.
func (s Settings) Environment() []string {
	env := os.Environ()
	for name, value := range s {
		env = append(env, name+"="+value)
	}
	return env
}

// Traced reports whether Application Insights is on: then .NET adds a traceparent to each call.
func (s Settings) Traced() bool {
	connection, _ := s.Lookup("APPLICATIONINSIGHTS_CONNECTION_STRING")
	return connection != ""
}

// Homepage reports whether the host shows a page of its own at /, which it does unless told otherwise.
func (s Settings) Homepage() bool {
	disabled, _ := s.Lookup("AzureWebJobsDisableHomepage")
	return !strings.EqualFold(disabled, "true")
}

// HostID distinguishes this app's state from that of others in one storage account: the setting for it, or made from the machine's name and
// the app root as on a developer's machine.
func (s Settings) HostID(root string) string {
	if id, ok := s.Lookup("AzureFunctionsWebHost__hostid"); ok {
		return id
	}
	machine, _ := os.Hostname()
	sum := fnv.New64a()
	fmt.Fprint(sum, machine, "\x00", root)
	return fmt.Sprintf("local-%016x", sum.Sum64())
}

var percentName = regexp.MustCompile(`%([^%]+)%`)

// resolve replaces each %NAME% by that app setting; a name that is not set is an error.
func (s Settings) resolve(text string) (string, error) {
	var missing error
	resolved := percentName.ReplaceAllStringFunc(text, func(match string) string {
		name := strings.Trim(match, "%")
		value, ok := s.Lookup(name)
		if !ok {
			missing = fmt.Errorf("%q names the app setting %s, which is not set", text, name)
		}
		return value
	})
	return resolved, missing
}

// ConnectionString returns the storage connection string that a binding's `connection` names. As in the real host, a setting with the
// prefix AzureWebJobs takes precedence.
func (s Settings) ConnectionString(connection string) (string, error) {
	for _, name := range []string{"AzureWebJobs" + connection, connection} {
		if value, ok := s.Lookup(name); ok && value != "" {
			return expandDevelopmentStorage(value), nil
		}
	}
	return "", fmt.Errorf("app setting %s (a storage connection string) is not set", connection)
}

// developmentStorage is the emulator's published account, the same on every machine.
const developmentStorage = "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;" +
	"AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;" +
	"BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1;QueueEndpoint=http://127.0.0.1:10001/devstoreaccount1"

func expandDevelopmentStorage(connectionString string) string {
	if strings.EqualFold(strings.TrimRight(connectionString, "; "), "UseDevelopmentStorage=true") {
		return developmentStorage
	}
	return connectionString
}
