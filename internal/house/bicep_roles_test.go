package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// need is a role on a resource of Bicep.
type need struct{ role, scope string }

var (
	files  = need{"storageBlobDataContributor", "account::blobs::files"}
	queue  = need{"storageQueueDataContributor", "account::queues::parse"}
	poison = need{"storageQueueDataContributor", "account::queues::poison"}
)

// callsOfHandler are the calls that internal/azure makes of the Azure SDK, with what the app's identity needs for each.
var callsOfHandler = map[string][]need{
	"blobs.go UploadStream":         {files},
	"blobs.go DownloadStream":       {files},
	"blobs.go NewRetryReader":       {files}, // asks for the rest of a broken stream
	"blobs.go Delete":               {files},
	"blobs.go GetProperties":        {files},
	"blobs.go NextPage":             {files}, // a list of names
	"blob_reader.go GetProperties":  {files},
	"blob_reader.go DownloadBuffer": {files},
	"queue.go EnqueueMessage":       {queue},
	"queue.go GetProperties":        {queue, poison},
	"identity.go GetToken":          {}, // an identity gets tokens for itself
	"poison.go DequeueMessages":     {poison},
	"poison.go DeleteMessage":       {poison},
	"azure.go Create":               {}, // for a laptop and for tests; deployed, Bicep makes container and queues
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
	wanted := map[need]bool{}
	for call, needs := range callsOfHandler {
		if !slices.Contains(sdkCalls(t), call) {
			t.Errorf("the table has %s, which is not called", call)
		}
		for _, n := range needs {
			wanted[n] = true
		}
	}
	for _, call := range sdkCalls(t) {
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

// sdkCalls are the calls in internal/azure that may go over the network: those of methods with a context.
func sdkCalls(t *testing.T) (calls []string) {
	for _, path := range goFiles(t, "internal/azure") {
		tree, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if method, ok := contextCall(n); ok {
				calls = append(calls, filepath.Base(path)+" "+method)
			}
			return true
		})
	}
	slices.Sort(calls)
	return slices.Compact(calls)
}

// contextCall gives the method's name where n calls one with a context.
func contextCall(n ast.Node) (method string, ok bool) {
	call, isCall := n.(*ast.CallExpr)
	if !isCall || len(call.Args) == 0 {
		return "", false
	}
	selector, isMethod := call.Fun.(*ast.SelectorExpr)
	if !isMethod {
		return "", false
	}
	if pkg, isName := selector.X.(*ast.Ident); isName && pkg.Name == "context" {
		return "", false
	}
	switch arg := call.Args[0].(type) {
	case *ast.Ident:
		return selector.Sel.Name, arg.Name == "ctx"
	case *ast.SelectorExpr:
		return selector.Sel.Name, arg.Sel.Name == "ctx"
	}
	return "", false
}
