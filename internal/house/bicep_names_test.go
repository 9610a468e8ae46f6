package house

import (
	"maps"
	"regexp"
	"slices"
	"testing"
)

// bicepResource is a resource of a template: what follows its header, up to the next one, has its name and its scope.
type bicepResource struct {
	symbol, kind, name string
	existing           bool
	names              []string // identifiers on which its name and its scope rest
}

// A preview of a deployment (what-if) leaves out resources whose name it cannot compute, and nobody would see that they
// change. So what a module names its resources by is known when the deployment starts. The compiler's rule for it,
// what-if-short-circuiting, is experimental and off.
func TestPreviewShowsEveryResource(t *testing.T) {
	t.Parallel()
	templates := bicepFiles(t, ".bicep")
	module := regexp.MustCompile(`(?s)\nmodule (\w+) '([^']+)' = .*?\n\}`)
	argument := regexp.MustCompile(`(?m)^    (\w+): (.*\.(?:outputs|properties)\..*)$`)
	found := 0
	for _, call := range module.FindAllStringSubmatch(templates["main.bicep"], -1) {
		text := templates[call[2]]
		inNames := identifiersInNames(text)
		for _, late := range argument.FindAllStringSubmatch(call[0], -1) {
			found++
			if inNames[late[1]] {
				t.Errorf("%s names resources by its parameter %s, which is known only during the deployment: %s", call[2], late[1], late[2])
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d arguments that are known late; there are more", found)
	}
}

// What a template looks up by its name is made under the same name by another: a deployment would end there.
func TestExistingResourcesAreMade(t *testing.T) {
	t.Parallel()
	made, lookedUp := map[string]bool{}, map[string]string{}
	for file, text := range bicepFiles(t, ".bicep") {
		for _, r := range bicepResources(text) {
			switch key := r.kind + " " + r.name; {
			case !r.existing:
				made[key] = true
			case regexp.MustCompile(`^(resource|account)Name\(`).MatchString(r.name):
				lookedUp[key] = file
			}
		}
	}
	if len(lookedUp) < 3 {
		t.Errorf("only %q are looked up; there are more", slices.Collect(maps.Keys(lookedUp)))
	}
	for key, file := range lookedUp {
		if !made[key] {
			t.Errorf("%s looks for %s, which nobody makes", file, key)
		}
	}
}

// identifiersInNames are the identifiers on which names and scopes of a template's resources rest, through variables and other resources.
func identifiersInNames(text string) map[string]bool {
	restsOn := map[string][]string{}
	for _, variable := range regexp.MustCompile(`(?m)^var (\w+) = (.+)$`).FindAllStringSubmatch(text, -1) {
		restsOn[variable[1]] = identifiers(variable[2])
	}
	var open []string
	for _, r := range bicepResources(text) {
		restsOn[r.symbol] = r.names
		open = append(open, r.names...)
	}
	seen := map[string]bool{}
	for len(open) > 0 {
		next := open[0]
		if open = open[1:]; !seen[next] {
			seen[next] = true
			open = append(open, restsOn[next]...)
		}
	}
	return seen
}

func bicepResources(text string) (resources []bicepResource) {
	header := regexp.MustCompile(`(?m)^ *resource (\w+) '([^'@]+)(?:@[\w-]+)?'( existing)? = `)
	starts := header.FindAllStringSubmatchIndex(text, -1)
	for i, at := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		r := bicepResource{symbol: text[at[2]:at[3]], kind: text[at[4]:at[5]], existing: at[6] >= 0}
		body := text[at[1]:end]
		r.name = submatches(`^ +name: (.+)$`, body)[0]
		r.names = identifiers(r.name)
		for _, above := range submatches(`^ +(?:scope|parent): (.+)$`, body) {
			r.names = append(r.names, identifiers(above)...)
		}
		resources = append(resources, r)
	}
	return resources
}

// identifiers are the names that stand in an expression, without those of properties.
func identifiers(expression string) []string {
	return submatches(`(?:^|[^.\w])([A-Za-z]\w*)`, expression)
}
