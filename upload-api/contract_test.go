package upload

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

// contract is the OpenAPI document, which every answer in every test of this package is held against. That the document is valid, a test of the
// whole program says (verify/e2e).
type contract struct {
	compiling  *sync.Mutex // a compiler is not safe for concurrent use
	schemas    *jsonschema.Compiler
	router     *http.ServeMux
	operations map[string]described // by the router's pattern
}

// described is an operation: its place in the document, as a JSON pointer, and its answers by status.
type described struct {
	pointer   string
	Responses map[string]struct {
		Description string
		Headers     map[string]struct{ Required bool }
		Content     map[string]any
	}
}

const (
	documentURL = "file:///openapi.json"
	typeProblem = "application/problem+json"
)

func readContract(t testing.TB, h *Handler) contract {
	t.Helper()
	c, err := contractOf(h)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func contractOf(h *Handler) (c contract, err error) {
	text, err := h.OpenAPI()
	if err != nil {
		return c, err
	}
	var document struct {
		Servers []struct{ URL string }
		Paths   map[string]map[string]described
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return c, err
	}
	c = contract{new(sync.Mutex), jsonschema.NewCompiler(), http.NewServeMux(), map[string]described{}}
	c.schemas.AssertFormat()
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return c, err
	}
	closeSchemas(whole)
	if err := c.schemas.AddResource(documentURL, whole); err != nil {
		return c, err
	}
	for template, methods := range document.Paths {
		for method, operation := range methods {
			pattern := strings.ToUpper(method) + " " + document.Servers[0].URL + template
			c.router.Handle(pattern, http.NotFoundHandler())
			operation.pointer = pointer("/paths", template, method)
			c.operations[pattern] = operation
		}
	}
	return c, nil
}

// closeSchemas refuses members that the document does not name. It lets responses have them, for those of later versions;
// this one names all.
func closeSchemas(part any) {
	switch part := part.(type) {
	case map[string]any:
		if _, said := part["additionalProperties"]; part["type"] == "object" && part["properties"] != nil && !said {
			part["additionalProperties"] = false
		}
		for _, below := range part {
			closeSchemas(below)
		}
	case []any:
		for _, below := range part {
			closeSchemas(below)
		}
	}
}

// pointer is a JSON pointer, as a fragment of a URL, to a member below another pointer.
func pointer(to string, members ...string) string {
	for _, member := range members {
		to += "/" + strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(member)
	}
	return to
}

// check fails the test if the document has the request's operation and the answer is none that it describes.
func (c contract) check(t testing.TB, r *http.Request, a answer) {
	t.Helper()
	if err := c.errorOf(r, a); err != nil {
		t.Errorf("%s %s: the answer is not as documented: %v", r.Method, r.URL.Path, err)
	}
	if pattern, _, found := c.operation(r); found {
		seen.note(pattern, a.status)
	}
}

// errorOf says in what an answer is not as documented.
func (c contract) errorOf(r *http.Request, a answer) error {
	_, operation, found := c.operation(r)
	if !found {
		return nil
	}
	return c.checkAnswer(operation, a)
}

// operation returns the operation of a request with its pattern; none is found for a path or method that is not there.
func (c contract) operation(r *http.Request) (pattern string, found described, ok bool) {
	_, pattern = c.router.Handler(r)
	found, ok = c.operations[pattern]
	return pattern, found, ok && strings.HasPrefix(pattern, r.Method+" ") && path.Clean(r.URL.Path) == r.URL.Path
}

func (c contract) checkAnswer(operation described, a answer) error {
	status := strconv.Itoa(a.status)
	response, found := operation.Responses[status]
	if !found {
		return fmt.Errorf("status %d", a.status)
	}
	at := pointer(operation.pointer, "responses", status)
	for name, header := range response.Headers {
		values := a.header.Values(name)
		if len(values) == 0 && header.Required {
			return fmt.Errorf("no header %s", name)
		}
		for _, value := range values {
			if err := c.validate(pointer(at, "headers", name, "schema"), headerValue(value)); err != nil {
				return fmt.Errorf("header %s: %w", name, err)
			}
		}
	}
	if len(response.Content) == 0 {
		if len(a.body) > 0 {
			return fmt.Errorf("a body: %q", a.body)
		}
		return nil
	}
	mediaType, _, err := mime.ParseMediaType(a.header.Get("Content-Type"))
	if _, found := response.Content[mediaType]; err != nil || !found {
		return fmt.Errorf("Content-Type %q", a.header.Get("Content-Type"))
	}
	if mediaType != export.TypeJSON && mediaType != typeProblem {
		return nil
	}
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader(a.body))
	if err != nil {
		return err
	}
	if err := c.validate(pointer(at, "content", mediaType, "schema"), body); err != nil {
		return err
	}
	return checkCode(response.Description, mediaType, a)
}

// headerValue is a header's value as JSON has it: a number, or a text.
func headerValue(text string) any {
	if _, err := strconv.Atoi(text); err == nil {
		return json.Number(text)
	}
	return text
}

func (c contract) validate(schemaPointer string, value any) error {
	c.compiling.Lock()
	schema, err := c.schemas.Compile(documentURL + "#" + schemaPointer)
	c.compiling.Unlock()
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// checkCode is an error if the description of a problem's answer does not name the problem's code among those of its status.
func checkCode(description, mediaType string, a answer) error {
	if mediaType != typeProblem {
		return nil
	}
	var p problem.Problem
	if err := json.Unmarshal(a.body, &p); err != nil {
		return err
	}
	_, codes, _ := strings.Cut(description, ": ")
	if !slices.Contains(strings.Split(codes, ", "), string(p.Code)) {
		return fmt.Errorf("code %s is not among %s", p.Code, codes)
	}
	return nil
}
