package funchost

import (
	"fmt"
	"regexp"
	"strings"
)

var percentName = regexp.MustCompile(`%([^%]+)%`)

// resolve replaces each %NAME% by that app setting; a name that is not set is an error.
func (c Config) resolve(text string) (string, error) {
	var missing error
	resolved := percentName.ReplaceAllStringFunc(text, func(match string) string {
		name := strings.Trim(match, "%")
		value, ok := c.setting(name)
		if !ok {
			missing = fmt.Errorf("%q names the app setting %s, which is not set", text, name)
		}
		return value
	})
	return resolved, missing
}

// connectionString finds the storage connection string that a binding's `connection` names. As in the real host, a
// setting with the prefix AzureWebJobs comes first.
func (c Config) connectionString(connection string) (string, error) {
	for _, name := range []string{"AzureWebJobs" + connection, connection} {
		if value, ok := c.setting(name); ok && value != "" {
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
