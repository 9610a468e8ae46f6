package house

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// need is a role on a resource of Bicep.
type need struct{ role, scope string }

var (
	files     = need{"storageBlobDataContributor", "account::blobs::files"}
	queue     = need{"storageQueueDataContributor", "account::queues::parse"}
	poison    = need{"storageQueueDataContributor", "account::queues::poison"}
	delegator = need{"storageBlobDelegator", "account"} // such a key is the account's, and has no smaller scope
)

// callsOfHandler are the calls that internal/azure makes of the Azure SDK, by the function that they stand in, with what the app's identity
// needs for each (Microsoft Learn, "Permissions for calling data operations" of blobs and of queues).
var callsOfHandler = map[string][]need{
	"put blockblob.Client.Upload":                           {files},
	"put blockblob.Client.UploadStream":                     {files},
	"Download blob.Client.DownloadStream":                   {files},
	"Download blob.DownloadStreamResponse.NewRetryReader":   {files}, // asks for the rest of a broken stream
	"Delete blob.Client.Delete":                             {files},
	"List runtime.Pager.NextPage":                           {files},
	"ListNotes runtime.Pager.NextPage":                      {files},
	"Ready container.Client.GetProperties":                  {files},
	"breakLease lease.BlobClient.BreakLease":                {files},
	"explain blob.Client.GetProperties":                     {files},
	"StagedBlocks blockblob.Client.GetBlockList":            {files},
	"CommitBlocks blockblob.Client.CommitBlockList":         {files},
	"Stat blob.Client.GetProperties":                        {files},
	"credential service.Client.GetUserDelegationCredential": {delegator},
	"Epoch container.Client.GetProperties":                  {files},
	"SetEpoch container.Client.SetMetadata":                 {files},
	"SetNote blob.Client.SetMetadata":                       {files},
	"Send azqueue.QueueClient.EnqueueMessage":               {queue},
	"length azqueue.QueueClient.GetProperties":              {queue, poison},
	"HasVisible azqueue.QueueClient.PeekMessage":            {queue},
	"Clock container.Client.GetProperties":                  {files},
	"Oldest azqueue.QueueClient.PeekMessages":               {queue},
	"TakePoison azqueue.QueueClient.DequeueMessages":        {poison},
	"DeletePoison azqueue.QueueClient.DeleteMessage":        {poison},
	"GetToken exported.TokenCredential.GetToken":            {}, // an identity gets tokens for itself
	"Provision container.Client.Create":                     {}, // for a laptop and for tests; deployed, Bicep makes container and queues
	"Provision azqueue.QueueClient.Create":                  {},
	"AllowPages service.Client.SetProperties":               {}, // likewise: deployed, Bicep lets pages in
	"ask blob.Client.DownloadStream":                        {files},
}

// callsOfHost are what the Functions host does under the same identity.
var callsOfHost = map[string]need{
	"receive, renew, release and delete messages": queue,
	"move a message that failed too often":        poison,
	"leases, keys and the package":                {"storageBlobDataOwner", "account"},
	"send telemetry":                              {"monitoringMetricsPublisher", "component"},
}

// The app's identity has each role that a call of its needs, where it needs it, and no other: a missing one shows only in Azure, where
// every upload would fail, and one too many only to whoever breaks in.
func TestRolesCoverCalls(t *testing.T) {
	t.Parallel()
	wanted, calls := map[need]bool{}, sdkCalls(t)
	for call, needs := range callsOfHandler {
		if !slices.Contains(calls, call) {
			t.Errorf("the table has %s, which is not called", call)
		}
		for _, n := range needs {
			wanted[n] = true
		}
	}
	for _, call := range calls {
		if _, known := callsOfHandler[call]; !known {
			t.Errorf("%s is not in the table: which role does it need?", call)
		}
	}
	for _, n := range callsOfHost {
		wanted[n] = true
	}
	given := givenRoles(t)
	for n := range wanted {
		if !slices.Contains(given, n) {
			t.Errorf("%s on %s is needed and not given", n.role, n.scope)
		}
	}
	for _, n := range given {
		if !wanted[n] {
			t.Errorf("%s on %s is given and not needed", n.role, n.scope)
		}
	}
}

// The identity that deploys may give the roles that main.bicep gives, and no other.
func TestDeployerMayGiveTheseRoles(t *testing.T) {
	t.Parallel()
	var given []string
	for _, n := range givenRoles(t) {
		given = append(given, n.role)
	}
	slices.Sort(given)
	text := bicepFiles(t, ".bicep")["owner.bicep"]
	list := regexp.MustCompile(`(?s)grantable = join\(\s*\[(.*?)\]`).FindStringSubmatch(text)
	if list == nil {
		t.Fatal("no list of roles in owner.bicep")
	}
	grantable := submatches(`roles\.(\w+)`, list[1])
	slices.Sort(grantable)
	if want := slices.Compact(given); !slices.Equal(grantable, want) {
		t.Errorf("it may give %q, and must give %q", grantable, want)
	}
}

// It gives and takes them for the app's identity alone: with the same roles for anybody it could have somebody read all
// files. That identity is the one that main.bicep gives them to.
func TestDeployerAssignsRolesToTheAppOnly(t *testing.T) {
	t.Parallel()
	templates := bicepFiles(t, ".bicep")
	owner := templates["owner.bicep"]
	for list, attributes := range map[string]string{"granting": "@Request", "revoking": "@Resource"} {
		action := map[string]string{"granting": "write", "revoking": "delete"}[list]
		want := "var " + list + " = [\n" +
			"  'ActionMatches{\\'${assignment}/" + action + "\\'}'\n" +
			"  '" + attributes + "[${assignment}:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${grantable}}'\n" +
			"  '" + attributes + "[${assignment}:PrincipalId] ForAnyOfAnyValues:GuidEquals {${app.properties.principalId}}'\n]\n"
		if !strings.Contains(owner, want) {
			t.Errorf("owner.bicep does not have\n%s", want)
		}
	}
	condition := "condition: '((!(${granting[0]})) OR (${granting[1]} AND ${granting[2]})) AND ((!(${revoking[0]})) OR (${revoking[1]} AND ${revoking[2]}))'\n"
	if strings.Count(owner, "roles.roleBasedAccessControlAdministrator)") != 2 || strings.Count(owner, condition) != 1 {
		t.Errorf("a right to give roles is without its condition, %s", condition)
	}
	name := `^resource \w+ 'Microsoft.ManagedIdentity/userAssignedIdentities@[\d-]+' = \{\n  name: (resourceName\('id', .*)$`
	app, known := submatches(name, templates["main.bicep"]), submatches(name, owner)
	if len(app) != 1 || !slices.Equal(app, known) {
		t.Errorf("main.bicep makes the identity %q, owner.bicep knows %q", app, known)
	}
	for file, text := range templates {
		for _, principal := range submatches(`^    principalId: (.+)$`, text) {
			if file != "owner.bicep" && principal != "identity.properties.principalId" {
				t.Errorf("%s gives a role to %s", file, principal)
			}
		}
	}
}

// What any branch can run, a preview of a deployment, runs as an identity that can read resources, and neither change
// one nor see what is in it.
func TestPreviewsCanOnlyRead(t *testing.T) {
	t.Parallel()
	owner := bicepFiles(t, ".bicep")["owner.bicep"]
	var given []string
	for _, block := range regexp.MustCompile(`(?s)resource \w+ 'Microsoft\.Authorization/roleAssignments@.*?\n\}`).FindAllString(owner, -1) {
		if strings.Contains(block, "principalId: previewer.") {
			given = append(given, submatches(`roleDefinitionId: (.+)$`, block)...)
		}
	}
	slices.Sort(given)
	if want := []string{"preview.id", "subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.reader)"}; !slices.Equal(given, want) {
		t.Errorf("it has %q, want %q", given, want)
	}
	actions := "permissions: [{ actions: ['Microsoft.Resources/deployments/whatIf/action', 'Microsoft.Resources/deployments/validate/action'] }]"
	if strings.Count(owner, "permissions:") != 1 || !strings.Contains(owner, actions) {
		t.Errorf("its own role is not %s", actions)
	}
	preview, deploy := workflows(t)["what-if.yml"], workflows(t)["deploy.yml"]
	if got := submatches(`^    environment: (.+)$`, preview); !slices.Equal(got, []string{"${{ inputs.environment || 'dev' }}-what-if"}) {
		t.Errorf("it runs in %q", got)
	}
	if strings.Count(preview, "az deployment") != 1 || !strings.Contains(preview, "what-if --validation-level ProviderNoRbac") {
		t.Error("it asks for more than a reader may do")
	}
	if strings.Contains(deploy, "pull_request") || strings.Contains(deploy, "push:") {
		t.Error("a deployment can begin without a person")
	}
}

// givenRoles are the role assignments of main.bicep and its modules.
func givenRoles(t *testing.T) (given []need) {
	assignment := regexp.MustCompile(`(?s)resource \w+ 'Microsoft\.Authorization/roleAssignments@.*?\n\}`)
	for name, text := range bicepFiles(t, ".bicep") {
		if name == "owner.bicep" {
			continue
		}
		for _, block := range assignment.FindAllString(text, -1) {
			scope, role := submatches(`^  scope: (\S+)$`, block), submatches(`roleDefinitions', roles\.(\w+)\)`, block)
			if len(scope) != 1 || len(role) != 1 {
				t.Fatalf("%s: an assignment without one scope and one role:\n%s", name, block)
			}
			given = append(given, need{role[0], scope[0]})
		}
	}
	return given
}

// Pages of the app, and of products that embed its drop zone, put blocks into the account of files from a browser, and can do nothing else there.
func TestOnlyOwnPagesReachTheFiles(t *testing.T) {
	t.Parallel()
	templates := bicepFiles(t, ".bicep")
	storage := templates["modules/data-storage.bicep"]
	if origins := submatches(`allowedOrigins: (.+)`, storage); !slices.Equal(origins, []string{"concat([pageOrigin], embedOrigins)"}) {
		t.Errorf("origins %q", origins)
	}
	settings, main := templates["modules/settings.bicep"], templates["main.bicep"]
	if !strings.Contains(settings, "CORS_ORIGINS: join(embedOrigins, ',')") || strings.Count(main, "embedOrigins: embedOrigins") != 2 ||
		!strings.Contains(main, "param embedOrigins string[] = []") || !strings.Contains(main, "embedded: !empty(embedOrigins)") {
		t.Error("the store, the handler and the sign-in do not have the same origins of other products, or have some by default")
	}
	if methods := submatches(`allowedMethods: (.+)`, storage); !slices.Equal(methods, []string{"['PUT']"}) {
		t.Errorf("methods %q", methods)
	}
	site := submatches(`^resource site 'Microsoft.Web/sites@[\d-]+' = \{\n  name: (.+)$`, templates["modules/app.bicep"])
	origin := submatches(`pageOrigin: (.+)`, templates["main.bicep"])
	if len(site) != 1 || !slices.Equal(origin, []string{"'https://${" + site[0] + "}.azurewebsites.net'"}) {
		t.Errorf("the app is %q, the pages are of %q", site, origin)
	}
	local, err := os.ReadFile(filepath.Join(root, "internal", "azure", "pages.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range []string{"allowedHeaders", "exposedHeaders"} {
		deployed := strings.NewReplacer("'", "", "[", "", "]", "", " ", "").Replace(strings.Join(submatches(list+`: (.+)`, storage), ""))
		if here := submatches(`(?i)`+list+`: +new\("(.+)"\)`, string(local)); !slices.Equal(here, []string{deployed}) {
			t.Errorf("%s: %s deployed, and %q on a development machine", list, deployed, here)
		}
	}
	for name, text := range templates {
		if name != "modules/data-storage.bicep" && strings.Contains(text, "corsRules") {
			t.Errorf("%s has rules, too", name)
		}
	}
}
