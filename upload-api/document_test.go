package upload

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// served is the document as clients read it.
type served struct {
	Tags       []struct{ Name string }
	Paths      map[string]map[string]servedOperation
	Components struct {
		SecuritySchemes map[string]any
	}
	Security []map[string]any
}

type servedOperation struct {
	OperationID, Summary string
	Tags                 []string
	Security             []map[string]any
	RequestBody          struct{ Content map[string]servedContent }
	Responses            map[string]struct {
		Headers map[string]any
		Content map[string]servedContent
	}
}

type servedContent struct {
	Example json.RawMessage
	Schema  json.RawMessage
}

// readServed returns the document, and a compiler of its schemas as they are.
func readServed(t *testing.T) (document served, schemas *jsonschema.Compiler) {
	t.Helper()
	text, err := newTestAPI(t).OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	schemas = jsonschema.NewCompiler()
	schemas.AssertFormat()
	if err := schemas.AddResource(documentURL, whole); err != nil {
		t.Fatal(err)
	}
	return document, schemas
}

// each calls f for each content of JSON that an operation receives or answers with, and where it stands.
func (d served) each(f func(id, pointer string, c servedContent, isResponse bool)) {
	for path, methods := range d.Paths {
		for method, o := range methods {
			for mediaType, c := range o.RequestBody.Content {
				if mediaType == "application/json" {
					f(o.OperationID, pointer("/paths", path, method, "requestBody", "content", mediaType, "schema"), c, false)
				}
			}
			for status, response := range o.Responses {
				for mediaType, c := range response.Content {
					if mediaType == "application/json" {
						f(o.OperationID+" "+status, pointer("/paths", path, method, "responses", status, "content", mediaType, "schema"), c, true)
					}
				}
			}
		}
	}
}

// A developer reads in an example what to send and what comes back: each operation with JSON has one that its schema allows.
func TestExamplesFollowTheirSchemas(t *testing.T) {
	t.Parallel()
	document, schemas := readServed(t)
	checked := 0
	document.each(func(id, at string, c servedContent, _ bool) {
		schema, err := schemas.Compile(documentURL + "#" + at)
		if err != nil {
			t.Fatal(err)
		}
		if c.Example == nil {
			t.Errorf("%s has no example", id)
			return
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(c.Example))
		if err == nil {
			err = schema.Validate(value)
		}
		if err != nil {
			t.Errorf("the example of %s: %v", id, err)
		}
		checked++
	})
	if checked < 50 {
		t.Errorf("only %d examples", checked)
	}
}

// A client that checks what it receives still works after a member has been added, and one that misspells a member of a
// request is told so.
func TestResponsesMayGainMembersAndRequestsMayNot(t *testing.T) {
	t.Parallel()
	document, schemas := readServed(t)
	document.each(func(id, at string, c servedContent, isResponse bool) {
		var object map[string]any
		if json.Unmarshal(c.Example, &object) != nil || id == "change-target" { // whose members are those of a definition
			return
		}
		object["member_of_tomorrow"] = 1.0
		schema, err := schemas.Compile(documentURL + "#" + at)
		if err != nil {
			t.Fatal(err)
		}
		if accepted := schema.Validate(object) == nil; accepted != isResponse {
			t.Errorf("%s: another member is accepted: %v", id, accepted)
		}
	})
}

// Generated documentation and clients have groups, names and ways to sign in.
func TestEveryOperationHasAGroupASummaryAndASignIn(t *testing.T) {
	t.Parallel()
	document, _ := readServed(t)
	if len(document.Components.SecuritySchemes) < 2 || len(document.Security) != 3 {
		t.Errorf("sign-in: %v, %v", document.Components.SecuritySchemes, document.Security)
	}
	names := map[string]int{}
	for _, tag := range document.Tags {
		names[tag.Name] = 0
	}
	for path, methods := range document.Paths {
		for method, o := range methods {
			if len(o.Tags) != 1 || o.Summary == "" || o.OperationID == "" {
				t.Errorf("%s %s: tags %q, summary %q, id %q", method, path, o.Tags, o.Summary, o.OperationID)
				continue
			}
			if _, known := names[o.Tags[0]]; !known {
				t.Errorf("%s %s: the tag %q is not described", method, path, o.Tags[0])
			}
			names[o.Tags[0]]++
			if own := path == "/health" || strings.HasPrefix(path, "/embed/"); (o.Security != nil) != own {
				t.Errorf("%s %s: security %v", method, path, o.Security)
			}
		}
	}
	for tag, operations := range names {
		if operations == 0 {
			t.Errorf("the tag %s has no operation", tag)
		}
	}
	if service := document.Paths["/health"]["get"].Tags; !slices.Equal(service, []string{"service"}) {
		t.Errorf("the health check is in %s", strings.Join(service, ", "))
	}
}
