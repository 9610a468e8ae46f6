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

// With a private network nobody reaches files, queue, host storage or database from outside of it, whatever keys or
// roles he has, unless his address was let in: each resource is looked at as it is deployed then.
func TestPrivateNetworkClosesEverything(t *testing.T) {
	t.Parallel()
	templates := bicepFiles(t, ".bicep")
	choice := regexp.MustCompile(`privateNetwork(?: && empty\(allowedAddresses\))? \? ('\w+'|\[[^\]]*\]|true|false) : ('\w+'|\[[^\]]*\]|true|false)`)
	accounts := 0
	for name, text := range templates {
		private := choice.ReplaceAllString(text, "$1")
		n := strings.Count(text, "'Microsoft.Storage/storageAccounts@") - strings.Count(text, "'Microsoft.Storage/storageAccounts@2025-01-01' existing")
		accounts += n
		if n == 0 {
			continue
		}
		for _, setting := range []string{"publicNetworkAccess: 'Disabled'", "networkAcls: { defaultAction: 'Deny', bypass: 'None'"} {
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

// Who gives addresses closes everything to others: the API, the publishing site, the files and the database. Nobody is
// let in by default, and no environment of this repository does it.
func TestAllowedAddressesExcludeAllOthers(t *testing.T) {
	t.Parallel()
	templates := bicepFiles(t, ".bicep")
	for file, lines := range map[string][]string{
		"main.bicep": {
			"param callerAddresses string[] = []", "param publisherAddresses string[] = []", "param storageAddresses string[] = []",
			"param databaseAddresses addressRange[] = []", "    callerAddresses: callerAddresses", "    publisherAddresses: publisherAddresses",
			"    allowedAddresses: allowedStorageAddresses", "    allowedAddresses: databaseAddresses",
		},
		"modules/app.bicep": {
			"func defaultAction(addresses string[]) string => empty(addresses) ? 'Allow' : 'Deny'",
			"      ipSecurityRestrictions: restrictions(callerAddresses)", "      ipSecurityRestrictionsDefaultAction: defaultAction(callerAddresses)",
			"      scmIpSecurityRestrictions: restrictions(publisherAddresses)", "      scmIpSecurityRestrictionsDefaultAction: defaultAction(publisherAddresses)",
			"      scmIpSecurityRestrictionsUseMain: false",
		},
		"modules/data-storage.bicep": {
			"var ipRules = map(allowedAddresses, address => { value: address, action: 'Allow' })",
			"    networkAcls: { defaultAction: privateNetwork ? 'Deny' : 'Allow', bypass: 'None', ipRules: ipRules }",
		},
	} {
		for _, line := range lines {
			if !strings.Contains(templates[file], line+"\n") {
				t.Errorf("%s does not say %s", file, line)
			}
		}
	}
	for file, text := range bicepFiles(t, ".bicepparam") {
		if opened := submatches(`^param (\w+Addresses) =`, text); len(opened) > 0 {
			t.Errorf("%s gives %q", file, opened)
		}
	}
}

// Who read, changed or signed in to what can be looked up afterwards: the resources that hold data, or the program, send these logs to the
// workspace.
func TestAccessIsLogged(t *testing.T) {
	t.Parallel()
	templates := bicepFiles(t, ".bicep")
	for file, logs := range map[string][]string{
		"modules/app.bicep":          {"FunctionAppLogs", "AppServiceAuthenticationLogs"},
		"modules/data-storage.bicep": {"StorageRead", "StorageWrite", "StorageDelete"},
		"modules/host-storage.bicep": {"StorageWrite", "StorageDelete"},
		"modules/database.bicep":     {"PostgreSQLLogs"},
	} {
		settings := strings.Join(regexp.MustCompile(`(?s)'Microsoft\.Insights/diagnosticSettings@.*?\n\}`).FindAllString(templates[file], -1), "\n")
		for _, log := range logs {
			if !strings.Contains(settings, "'"+log+"'") || !strings.Contains(settings, "workspaceId: workspaceId") {
				t.Errorf("%s sends no %s", file, log)
			}
		}
	}
	for _, parameter := range []string{"log_connections: 'on'", "log_statement: 'ddl'", "log_parameter_max_length: '0'"} {
		if !strings.Contains(templates["modules/database.bicep"], "    "+parameter) {
			t.Errorf("the database has not %s", parameter)
		}
	}
}

// Who may write users' files does not by that write the program: the package is in another account. And who reads the
// files' account for people finds no package there.
func TestPackagesAndFilesHaveSeparateAccounts(t *testing.T) {
	t.Parallel()
	templates := bicepFiles(t, ".bicep")
	data, host := templates["modules/data-storage.bicep"], templates["modules/host-storage.bicep"]
	if strings.Contains(data, "packages") || !strings.Contains(host, "name: 'packages'") || strings.Contains(host, "containerName") {
		t.Error("files and packages are in one account")
	}
	if names := append(submatches(`accountName\('(\w+)'`, data), submatches(`accountName\('(\w+)'`, host)...); len(names) != 2 || names[0] == names[1] {
		t.Errorf("the accounts are %q", names)
	}
	if !strings.Contains(templates["main.bicep"], "    packagesUrl: hostStorage.outputs.packagesUrl\n") {
		t.Error("the app takes its package from elsewhere")
	}
}
