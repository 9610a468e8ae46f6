package house

import (
	"regexp"
	"strings"
	"testing"
)

// The app sends tokens and files to its own database and to nobody who sits between: the server's certificate and name are checked, by the
// app and by whoever prepares the database.
func TestDatabaseCertificateIsVerified(t *testing.T) {
	t.Parallel()
	if mode := deployedSettings(t)["PGSSLMODE"]; mode != `'verify-full'` {
		t.Errorf("the deployed app connects with PGSSLMODE %s, want 'verify-full'", mode)
	}
	for _, script := range []string{"infra/database.sh"} {
		if modes := matches(t, `PGSSLMODE=(\S+)`, script); len(modes) != 1 || modes[0] != "verify-full" {
			t.Errorf("%s connects with PGSSLMODE %q, want verify-full", script, modes)
		}
	}
}

// With a private network nobody reaches files, queue, host storage or database from outside of it, whatever keys or roles he has: each
// resource is looked at as it is deployed then.
func TestPrivateNetworkClosesEverything(t *testing.T) {
	t.Parallel()
	templates := bicepFiles(t, ".bicep")
	choice := regexp.MustCompile(`privateNetwork \? ('\w+'|\[[^\]]*\]|true|false) : ('\w+'|\[[^\]]*\]|true|false)`)
	accounts := 0
	for name, text := range templates {
		private := choice.ReplaceAllString(text, "$1")
		n := strings.Count(text, "'Microsoft.Storage/storageAccounts@") - strings.Count(text, "'Microsoft.Storage/storageAccounts@2025-01-01' existing")
		accounts += n
		if n == 0 {
			continue
		}
		for _, setting := range []string{"publicNetworkAccess: 'Disabled'", "networkAcls: { defaultAction: 'Deny', bypass: 'None' }"} {
			if strings.Count(private, setting) != n {
				t.Errorf("%s: an account of a private network has not %s", name, setting)
			}
		}
	}
	if accounts < 2 {
		t.Errorf("%d storage accounts found, want those of files and of the host", accounts)
	}
	database := choice.ReplaceAllString(templates["modules/database.bicep"], "$1")
	for _, line := range []string{
		"var openings = concat([], allowedAddresses)",
		"network: { publicNetworkAccess: empty(openings) ? 'Disabled' : 'Enabled' }",
	} {
		if !strings.Contains(database, line) {
			t.Errorf("the database of a private network has not %s", line)
		}
	}
	for _, module := range []string{"data-storage", "host-storage", "database"} {
		used := regexp.MustCompile(`'modules/` + module + `\.bicep' = \{(?s:.*?)\n\}`).FindString(templates["main.bicep"])
		if !strings.Contains(used, "    privateNetwork: privateNetwork\n") {
			t.Errorf("main.bicep does not tell modules/%s.bicep of the private network", module)
		}
	}
}
