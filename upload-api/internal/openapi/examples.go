package openapi

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// samples are example values of members whose schemas have none, by their names.
var samples = map[string]any{ //nolint:gosec // the secrets are invented
	"name": "prices.csv", "file_name": "prices.csv", "media_type": "text/csv", "size_bytes": 2900,
	"label": "Nettopreis", "header": "Nettopreis",
	"sha256":      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	"column_name": "MwSt", "sql": "select * from data.prices", "owner": "local", "raw": "MDAxMTE7", "error_code": "missing_cell",
	"message": "3 cells are missing: the record has 4 cells, but the header has 7.", "message_ja": "セルが3個足りません。",
	"blob":   "2026/01/31/0192f0c1-0000-7000-8000-000000000001",
	"secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLlSw", "token": "sdu_Xb3xQzVwJk2mN8pR5tY7uA1sD4fG6hJ9kL0zX2cV4bN",
	"cursor": "eyJsIjoiZmlsZXMi", "event_type": "PARSE_TASK", "url": "https://example.blob.core.windows.net/files/2026/01/31/1?sig=…",
	"options": map[string]any{"encoding": "cp932"}, "dialect": map[string]any{"delimiter": ";", "header_rows": 1, "preamble_rows": 0},
}

// bodies are examples of schemas whose members do not all go together.
var bodies = map[string]any{
	"BulkRequest": node{"items": []any{node{"file_id": formats["uuid"]}}},
	"ViewRequest": node{"name": "current", "replace": true},
	"TargetDefinition": node{"name": "prices", "key": []any{"article"}, "mode": "upsert", "columns": []any{
		node{"name": "article", "type": "text", "required": true, "synonyms": []any{"Artikelnummer", "SKU"}},
		node{"name": "net", "type": "decimal", "digits": 12, "scale": 2, "min": "0"},
	}},
	"WebhookRequest": node{"url": "https://app.example.com/hooks", "states": []any{"FAILED"}},
	"WebhookChange":  node{"enabled": true},
	"MatchRequest":   node{"headers": []any{"SKU", "Nettopreis"}},
}

// formats are example values by format.
var formats = map[string]any{
	"uuid": "0192f0c1-0000-7000-8000-000000000001", "date-time": "2026-01-31T09:05:00Z", "uri": "https://example.com/",
	"uri-reference": "/api/docs/errors#not_found",
}

// maxDepth ends the example of a schema that has itself.
const maxDepth = 8

// addExamples adds an example to the body of each request and each successful response of JSON, and to parameters.
func (d doc) addExamples(o node) {
	if _, has := o["requestBody"]; has {
		d.addExample(member(o, "requestBody", "content"))
	}
	responses := member(o, "responses")
	for status := range responses {
		if strings.HasPrefix(status, "2") {
			d.addExample(member(responses, status, "content"))
			if len(member(responses, status, "content")) == 0 {
				delete(member(responses, status), "content")
			}
		}
	}
	parameters, _ := o["parameters"].([]any)
	for _, p := range parameters {
		p, _ := p.(node)
		schema, _ := p["schema"].(node)
		name, _ := p["name"].(string)
		if value, ok := d.example(schema, name, 0); ok && p["in"] == "path" {
			p["example"] = value
		}
	}
}

func (d doc) addExample(content node) {
	json, ok := content["application/json"].(node)
	if !ok || json["example"] != nil {
		return
	}
	if schema, ok := json["schema"].(node); ok {
		if value, ok := d.example(schema, "", 0); ok {
			json["example"] = value
		}
	}
}

// example returns a value of a schema, the value of a member of this name.
func (d doc) example(schema node, name string, depth int) (any, bool) {
	if body, ok := bodies[reference(schema)]; ok {
		return body, true
	}
	if target, ok := d.schemas[reference(schema)].(node); ok {
		schema = target
	}
	if examples, ok := schema["examples"].([]any); ok && len(examples) > 0 {
		return examples[0], true
	}
	for _, key := range []string{"example", "const", "default"} {
		if value, ok := schema[key]; ok {
			return value, true
		}
	}
	if values, ok := schema["enum"].([]any); ok && len(values) > 0 {
		return values[0], true
	}
	format, _ := schema["format"].(string)
	if value, ok := formats[format]; ok {
		return value, true
	}
	for _, choice := range []string{"anyOf", "oneOf"} {
		if choices, ok := schema[choice].([]any); ok && len(choices) > 0 {
			first, _ := choices[0].(node)
			return d.example(first, name, depth)
		}
	}
	kind := kindOf(schema)
	if value, ok := samples[name]; ok && (kind == "" || kind == kindOfValue(value)) {
		return value, true
	}
	return d.exampleOfKind(schema, kind, depth)
}

func (d doc) exampleOfKind(schema node, kind string, depth int) (any, bool) {
	switch kind {
	case "object":
		return d.exampleObject(schema, depth)
	case "array":
		items, _ := schema["items"].(node)
		value, ok := d.example(items, "", depth+1)
		if !ok || depth >= maxDepth {
			return []any{}, schema["minItems"] == nil
		}
		return []any{value}, true
	case "integer", "number":
		if least, ok := schema["minimum"].(float64); ok && least > 0 {
			return least, true
		}
		return 1, true
	case "boolean":
		return true, true
	case "string":
		if schema["pattern"] != nil {
			return nil, false
		}
		return "text", true
	}
	return nil, false
}

func (d doc) exampleObject(schema node, depth int) (any, bool) {
	value, properties := node{}, member(schema, "properties")
	required, _ := schema["required"].([]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		isRequired := slices.Contains(required, any(name))
		property, _ := properties[name].(node)
		if depth >= maxDepth && !isRequired {
			continue
		}
		if example, ok := d.example(property, name, depth+1); ok {
			value[name] = example
		} else if isRequired {
			return nil, false
		}
	}
	if len(properties) == 0 {
		delete(schema, "properties")
	}
	return value, true
}

// kindOf returns the type of a schema that is not null, or "".
func kindOf(schema node) string {
	switch kind := schema["type"].(type) {
	case string:
		return kind
	case []any:
		for _, one := range kind {
			if one, _ := one.(string); one != "null" {
				return one
			}
		}
	}
	return ""
}

func kindOfValue(value any) string {
	switch value.(type) {
	case string:
		return "string"
	case int, float64, json.Number:
		return "integer"
	default:
		return "object"
	}
}
