package docs

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// document is what the reference shows of an OpenAPI document.
type document struct {
	Info  struct{ Description string }
	Paths map[string]map[string]*operation // by path, then by method
	Comps struct {
		Schemas map[string]*schema
	} `json:"components"`
	Servers []struct{ URL string }
}

type operation struct {
	ID          string `json:"operationId"`
	Summary     string
	Description string
	Tags        []string
	Parameters  []parameter
	RequestBody *struct {
		Required bool
		Content  map[string]struct{ Schema *schema }
	}
	Responses map[string]struct {
		Description string
		Content     map[string]struct{ Schema *schema }
	}

	Method, Path string `json:"-"`
}

type parameter struct {
	Name, In, Description string
	Required              bool
	Schema                *schema
}

// schema is a JSON schema, as far as the document uses it.
type schema struct {
	Ref         string `json:"$ref"`
	Type        any    // a word, or a list of words
	Format      string
	Description string
	Enum        []any
	Properties  map[string]*schema
	Required    []string
	Items       *schema
	OneOf       []*schema
	Default     any
	Minimum     *float64
	Maximum     *float64
	Additional  json.RawMessage `json:"additionalProperties"`
}

func readDocument(files fs.FS) (*document, error) {
	text, err := fs.ReadFile(files, referenceFile)
	if err != nil {
		return nil, err
	}
	d := &document{}
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("%s: %w", referenceFile, err)
	}
	for path, methods := range d.Paths {
		for method, op := range methods {
			op.Method, op.Path = strings.ToUpper(method), d.Servers[0].URL+path
		}
	}
	return d, nil
}

// operations are in the order of their paths, and of one path in the order of a life: read, make, change, delete.
func (d *document) operations() (all []*operation) {
	order := []string{"GET", "POST", "PUT", "PATCH", "DELETE"}
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		methods := slices.Collect(maps.Values(d.Paths[path]))
		slices.SortFunc(methods, func(a, b *operation) int { return slices.Index(order, a.Method) - slices.Index(order, b.Method) })
		all = append(all, methods...)
	}
	return all
}

// codes are those that a problem can have.
func (d *document) codes() (all []string) {
	problem := d.Comps.Schemas["Problem"]
	if problem == nil || problem.Properties["code"] == nil {
		return nil
	}
	code := problem.Properties["code"]
	if name, ok := strings.CutPrefix(code.Ref, schemaRef); ok {
		code = d.Comps.Schemas[name]
	}
	for _, value := range code.Enum {
		all = append(all, fmt.Sprint(value))
	}
	return all
}

const schemaRef = "#/components/schemas/"

// statusOf returns the status with which an operation answers with a code; "" if it never does. The description of a response
// names the codes behind a colon.
func (op *operation) statusOf(code string) string {
	for status, response := range op.Responses {
		_, codes, _ := strings.Cut(response.Description, ": ")
		if slices.Contains(strings.Split(codes, ", "), code) {
			return status
		}
	}
	return ""
}
