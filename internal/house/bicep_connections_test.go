package house

import (
	"slices"
	"strconv"
	"testing"
)

// Every environment's parameters keep within the connections that its database server gives, so that load never turns into refusals; the
// smallest server carries not even the least number of instances. The processes are counted here as the handler opens its pools.
func TestConnectionBudget(t *testing.T) {
	t.Parallel()
	budget := bicepFiles(t, ".bicep")["connections.bicep"]
	limits := map[string]int{}
	for _, name := range submatches(`^  (Standard_\w+): \d+`, budget) {
		limits[name] = number(t, `^  `+name+`: (\d+)`, budget)
	}
	reserved := number(t, `^var reserved = (\d+)`, budget)
	beside := number(t, `=> parseConcurrency \+ (\d+)`, budget)
	if got := matches(t, `db\.MaxConns\(\)-(\d)`, "parse-worker/worker.go"); !slices.Contains(got, strconv.Itoa(beside)) {
		t.Errorf("the handler wants %q connections beside its loads, the pool has %d", got, beside)
	}
	if got := matches(t, `alone\.MaxConns = (\d+)`, "handler/services.go"); !slices.Equal(got, []string{"1"}) {
		t.Errorf("the heartbeat's pool has %q connections; the budget counts 1", got)
	}
	wanted := func(instances, concurrency int) int {
		pool := concurrency + beside
		http, parsing, relays := instances*pool, instances*(pool+1), 2*pool
		return http + parsing + relays
	}

	environments := bicepFiles(t, ".bicepparam")
	if len(environments) < 2 {
		t.Fatalf("only %d environments", len(environments))
	}
	for name, text := range environments {
		sku := submatches(`^param databaseSku = '(\w+)'`, text)[0]
		need := wanted(number(t, `^param maximumInstanceCount = (\d+)`, text), number(t, `^param parseConcurrency = (\d+)`, text))
		if need > limits[sku]-reserved {
			t.Errorf("%s may want %d connections, %s gives %d", name, need, sku, limits[sku]-reserved)
		}
	}
	if least := wanted(40, 1); least <= limits["Standard_B1ms"]-reserved {
		t.Errorf("Standard_B1ms would carry %d connections; the documentation says it does not", least)
	}
}

func number(t *testing.T, expression, text string) int {
	t.Helper()
	found := submatches(expression, text)
	if len(found) != 1 {
		t.Fatalf("%s: %d matches, want 1", expression, len(found))
	}
	n, err := strconv.Atoi(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}
