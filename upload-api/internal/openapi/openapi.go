// Package openapi completes the OpenAPI document that is generated from the operations with what holds for all of them:
// tags, how callers sign in, conditional requests, examples, and that responses may have more members one day.
package openapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// node is an object of the document.
type node = map[string]any

// Complete returns the document, JSON, with what the package adds.
func Complete(generated []byte) ([]byte, error) {
	var document node
	if err := json.Unmarshal(generated, &document); err != nil {
		return nil, fmt.Errorf("read the generated document: %w", err)
	}
	d := doc{document, member(document, "components", "schemas")}
	d.describeSignIn()
	d.tag()
	d.openResponses()
	d.describeRows()
	for _, o := range d.operations() {
		documentConditions(o.node)
		documentLink(o.node)
		d.addExamples(o.node)
	}
	return json.Marshal(document)
}

// doc is a document with its schemas.
type doc struct{ root, schemas node }

// operation is one of the document.
type operation struct {
	node

	path string
}

// operations returns all, in the order of their paths.
func (d doc) operations() (all []operation) {
	paths := member(d.root, "paths")
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		methods := member(paths, path)
		for _, method := range slices.Sorted(maps.Keys(methods)) {
			all = append(all, operation{member(methods, method), path})
		}
	}
	return all
}

// member returns an object below an object, which is made if it is missing.
func member(n node, names ...string) node {
	for _, name := range names {
		below, ok := n[name].(node)
		if !ok {
			below = node{}
			n[name] = below
		}
		n = below
	}
	return n
}

// reference returns the name of the schema that an object refers to, or "".
func reference(n node) string {
	name, _ := n["$ref"].(string)
	return strings.TrimPrefix(name, "#/components/schemas/")
}

// reach adds the names of all schemas that a part of the document refers to.
func (d doc) reach(part any, names map[string]bool) {
	switch part := part.(type) {
	case node:
		if name := reference(part); name != "" && !names[name] {
			names[name] = true
			d.reach(d.schemas[name], names)
		}
		for _, below := range part {
			d.reach(below, names)
		}
	case []any:
		for _, below := range part {
			d.reach(below, names)
		}
	}
}

// openResponses lets responses have members that the document does not name: a client that checks what it receives is not
// broken by one that is added. Requests are checked by the server, and a schema that both have says so where it is sent.
func (d doc) openResponses() {
	received := map[string]bool{}
	for _, o := range d.operations() {
		d.reach(o.node["responses"], received)
	}
	for name := range received {
		openSchema(d.schemas[name])
	}
	for _, o := range d.operations() {
		for _, mediaType := range member(o.node, "requestBody", "content") {
			mediaType, _ := mediaType.(node)
			if schema, _ := mediaType["schema"].(node); received[reference(schema)] {
				schema["unevaluatedProperties"] = false
			}
		}
		if len(member(o.node, "requestBody", "content")) == 0 {
			delete(o.node, "requestBody")
		}
	}
}

// openSchema takes the refusal of other members from a schema and those within it.
func openSchema(part any) {
	switch part := part.(type) {
	case node:
		if closed, isBool := part["additionalProperties"].(bool); isBool && !closed {
			delete(part, "additionalProperties")
		}
		for _, below := range part {
			openSchema(below)
		}
	case []any:
		for _, below := range part {
			openSchema(below)
		}
	}
}

// changing is the operation whose answer has the present time in it, so that it is another one each time.
const changing = "get-overview"

// documentConditions documents that a GET of JSON has an entity tag, and answers 304 to who has that.
func documentConditions(o node) {
	responses := member(o, "responses")
	content := member(member(responses, "200"), "content")
	if len(member(responses, "200")) == 1 && len(content) == 0 {
		delete(responses, "200")
	}
	id, _ := o["operationId"].(string)
	if !strings.HasPrefix(id, "get-") || id == changing || content["application/json"] == nil {
		return
	}
	member(responses, "200", "headers")["ETag"] = node{
		"schema":      node{"type": "string"},
		"description": "A hash of the content, of JSON up to 256 KiB. Send it back as If-None-Match.",
	}
	responses["304"] = node{"description": "Not Modified: the content is that of the ETag that the request has as If-None-Match."}
}

// documentLink documents the link to the next page of lists that are written by their operations.
func documentLink(o node) {
	parameters, _ := o["parameters"].([]any)
	for _, p := range parameters {
		if p, _ := p.(node); p["name"] == "cursor" {
			member(o, "responses", "200", "headers")["Link"] = node{
				"schema": node{"type": "string"}, "description": `The next page, as rel="next" (RFC 8288). Of sheets, rows and rejects: of JSON with a limit of up to 5,000.`,
			}
		}
	}
}
