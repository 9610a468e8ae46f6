package crash

import (
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"sheetdrop/internal/crashpoint"
)

// Libraries that reach outside.
const (
	pgxPath  = "github.com/jackc/pgx/v5"
	azureSDK = "github.com/Azure/azure-sdk-for-go/sdk/"
)

// TestEffectsAreListed finds, in the source, every call by which a room has an effect outside: a new one needs a line in effects, and so a
// scenario that brings the handler there.
func TestEffectsAreListed(t *testing.T) {
	t.Parallel()
	found, _ := effectsOf(readSource(t))
	for _, name := range found {
		if !listed(name) && name != withAnIdentity {
			t.Errorf("the effect %q is not listed", name)
		}
	}
	if len(found) < 20 {
		t.Errorf("%d effects found in the source: the search itself is broken", len(found))
	}
}

// effectsOf returns the names of all effects that the rooms have, and the functions of theirs that only do what they are given: the effects
// of these are named by who calls them.
func effectsOf(read source) (names, through []string) {
	methods := map[string][]string{} // of the stores, by the function through which they are called
	statements := slices.Concat(read[databasePath], read[postgresPath])
	for _, reachOut := range []map[string]string{effectful(statements, commitsOrChanges), effectful(read[azurePath], callsAzure)} {
		for function, method := range reachOut {
			methods[function] = []string{method}
		}
	}
	rooms := maps.Clone(read)
	delete(rooms, databasePath)
	delete(rooms, postgresPath)
	delete(rooms, azurePath)
	functions := slices.Concat(slices.Collect(maps.Values(rooms))...)
	for grown := true; grown; {
		grown = false
		for _, f := range functions {
			if called := callsOf(f, methods); f.given && len(called) > len(methods[f.name]) {
				methods[f.name], grown = called, true
			}
		}
	}
	for _, f := range functions {
		called := callsOf(f, methods)
		if f.given && len(called) > 0 {
			through = append(through, f.short)
			continue
		}
		for _, method := range called {
			names = append(names, f.short+" "+method)
		}
	}
	return names, through
}

func callsOf(f function, methods map[string][]string) (called []string) {
	for _, used := range f.uses {
		called = append(called, methods[used.FullName()]...)
	}
	slices.Sort(called)
	return slices.Compact(called)
}

// effectful returns the functions of a package that have an effect, themselves or through others of the package, with their short names. The
// methods of Tx have none: what they change takes effect by COMMIT.
func effectful(functions []function, direct func(function) bool) map[string]string {
	found := map[string]string{}
	for grown := true; grown; {
		grown = false
		for _, f := range functions {
			if found[f.name] == "" && !strings.HasPrefix(f.short, "postgres.Tx.") && (direct(f) || slices.ContainsFunc(f.uses, func(u *types.Func) bool { return found[u.FullName()] != "" })) {
				found[f.name], grown = f.short[strings.LastIndexByte(f.short, '.')+1:], true
			}
		}
	}
	return found
}

// commitsOrChanges is true of what commits a transaction, or changes something.
func commitsOrChanges(f function) bool {
	if slices.ContainsFunc(f.uses, func(u *types.Func) bool { return packageOf(u) == pgxPath && u.Name() == "Commit" }) {
		return true
	}
	return slices.ContainsFunc(f.texts, crashpoint.Changes)
}

// callsAzure is true of what calls something of storage that takes a context, as all that leaves the process does.
func callsAzure(f function) bool {
	return slices.ContainsFunc(f.uses, func(u *types.Func) bool {
		storage := strings.HasPrefix(packageOf(u), azureSDK+"storage/") || packageOf(u) == azureSDK+"azcore/runtime" // whose are the pages of lists
		parameters := u.Signature().Params()
		return storage && parameters.Len() > 0 && parameters.At(0).Type().String() == "context.Context"
	})
}

// TestNothingGoesByTheSeam holds that package crashpoint can see every connection to the database and every client of storage.
func TestNothingGoesByTheSeam(t *testing.T) {
	t.Parallel()
	pools, clients, options := 0, 0, 0
	for _, functions := range readSource(t) {
		for _, f := range functions {
			if slices.ContainsFunc(f.uses, opensPool) {
				pools++
				if !f.calls("(sheetdrop/internal/postgres/database.Settings).configure") {
					t.Errorf("%s connects to the database without the hook of its settings", f.short)
				}
			}
			for _, made := range f.makes {
				switch made.what {
				case "net/http.Client":
					if f.short == "outbound.Client" {
						continue // it reads what others have, and changes nothing
					}
					clients++
					if !f.calls("(sheetdrop/internal/azure.Settings).transport") {
						t.Errorf("%s makes an HTTP client without the hook of its settings", f.short)
					}
				case azureSDK + "azcore/policy.ClientOptions":
					options++
					if !slices.Contains(made.fields, "Transport") {
						t.Errorf("%s leaves a client of storage the transport of the SDK", f.short)
					}
				}
			}
		}
	}
	if pools == 0 || clients == 0 || options == 0 {
		t.Errorf("%d pools, %d HTTP clients and %d options found in the source: the search itself is broken", pools, clients, options)
	}
}

func opensPool(u *types.Func) bool {
	opens := strings.HasPrefix(u.Name(), "Connect") || strings.HasPrefix(u.Name(), "New")
	return opens && u.Signature().Recv() == nil && strings.HasPrefix(packageOf(u), pgxPath)
}

func (f function) calls(method string) bool {
	return slices.ContainsFunc(f.uses, func(u *types.Func) bool { return u.FullName() == method })
}
