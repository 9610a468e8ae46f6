package openapi

import (
	"maps"
	"strings"
)

// group is a tag of operations, with the beginnings of their paths.
type group struct {
	tag, description string
	paths            []string
}

// groups has each operation in the first group with a beginning of its path.
var groups = []group{
	{"results", "What was read: sheets, rows and rejects.", []string{"/tasks/{id}/sheets"}},
	{"bulk", "Many files at once.", []string{"/bulk"}},
	{"operators", "For operators alone: what waits, what failed, what people did, and how it is repaired.",
		[]string{"/overview", "/outbox", "/dead-letters", "/actions", "/recovery", "/tasks/retry"}},
	{"files", "Uploaded files.", []string{"/files"}},
	{"uploads", "Large files, straight to the blob store.", []string{"/uploads"}},
	{"tasks", "The parsing of a file, and how far it is.", []string{"/tasks", "/events"}},
	{"views", "Typed views of sheets, for SQL.", []string{"/views"}},
	{"webhooks", "Signed messages to your own server when tasks end.", []string{"/webhooks"}},
	{"embedding", "Uploads from pages of other origins, with a token.", []string{"/embed", "/upload-tokens"}},
	{"targets", "Tables of your own into which files are loaded.", []string{"/targets"}},
	{"service", "The service and the caller.", []string{"/health", "/ready", "/me"}},
}

// tag sorts the operations into groups.
func (d doc) tag() {
	for _, o := range d.operations() {
		o.node["tags"] = []any{groupOf(o.path)}
	}
	var tags []any
	for _, g := range groups {
		tags = append(tags, node{"name": g.tag, "description": g.description})
	}
	d.root["tags"] = tags
}

// groupOf returns the tag of a path; one that nobody has sorted is a service of its own.
func groupOf(path string) string {
	for _, g := range groups {
		for _, beginning := range g.paths {
			if strings.HasPrefix(path, beginning) {
				if g.tag == "results" && strings.HasSuffix(path, "/view") {
					return "views"
				}
				return g.tag
			}
		}
	}
	return "service"
}

// describeSignIn documents how callers sign in. None at all is what AUTH=local asks for.
func (d doc) describeSignIn() {
	maps.Copy(member(d.root, "components", "securitySchemes"), node{
		"entra": node{"type": "http", "scheme": "bearer", "bearerFormat": "JWT",
			"description": "Deployed: an access token of Microsoft Entra ID for the app, which App Service authentication checks (AUTH=easyauth)."},
		"session": node{"type": "apiKey", "in": "cookie", "name": "AppServiceAuthSession",
			"description": "Deployed: the session of a browser that has signed in at /.auth/login/aad."},
	})
	d.root["security"] = []any{node{"entra": []any{}}, node{"session": []any{}}, node{}}
	for _, o := range d.operations() {
		if o.path == "/health" {
			o.node["security"] = []any{node{}}
		}
	}
}
