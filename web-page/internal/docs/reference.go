package docs

import (
	_ "embed"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"
)

//go:embed reference.tmpl
var referenceText string

//go:embed codes.tmpl
var codesText string

var functions = template.FuncMap{
	"typeOf": typeOf, "members": members, "codes": linkCodes, "sorted": func(m map[string]struct{ Schema *schema }) []string {
		return slices.Sorted(maps.Keys(m))
	},
}

var (
	referenceTemplate = template.Must(template.New("reference").Funcs(functions).Parse(referenceText))
	codesTemplate     = template.Must(template.New("codes").Parse(codesText))
)

// group are the operations of one matter: those with a tag or, without one, those whose paths begin alike.
type group struct {
	Name       string
	ID         string
	Operations []*operation
}

// renderReference makes the page of all operations, with what search finds on it.
func renderReference(d *document) (Page, []Entry, error) {
	p := Page{Path: "reference", Title: "API reference"}
	groups := d.groups()
	names := slices.Sorted(maps.Keys(d.Comps.Schemas))
	var out strings.Builder
	err := referenceTemplate.Execute(&out, map[string]any{
		"Description": d.Info.Description, "Groups": groups, "Schemas": d.Comps.Schemas, "Names": names, "Codes": d.codes(),
	})
	if err != nil {
		return p, nil, fmt.Errorf("reference: %w", err)
	}
	p.HTML = reachable.Replace(out.String())
	var entries []Entry
	for _, g := range groups {
		p.Headings = append(p.Headings, Heading{g.ID, g.Name, 2})
		for _, op := range g.Operations {
			entries = append(entries, Entry{p.URL() + "#" + op.ID, p.Title, op.Method + " " + op.Path, op.Summary + " " + op.Description})
		}
	}
	p.Headings = append(p.Headings, Heading{"schemas", "Schemas", 2})
	for _, name := range names {
		entries = append(entries, Entry{p.URL() + "#schema-" + name, p.Title, name, d.Comps.Schemas[name].Description})
	}
	return p, entries, nil
}

func (d *document) groups() (all []group) {
	for _, op := range d.operations() {
		name, _, _ := strings.Cut(strings.TrimPrefix(op.Path, "/api/"), "/")
		if len(op.Tags) > 0 {
			name = op.Tags[0]
		}
		at := slices.IndexFunc(all, func(g group) bool { return g.Name == name })
		if at < 0 {
			at = len(all)
			all = append(all, group{Name: name, ID: "group-" + strings.ReplaceAll(strings.ToLower(name), " ", "-")})
		}
		all[at].Operations = append(all[at].Operations, op)
	}
	return all
}

// typeOf returns in words what values a schema allows.
func typeOf(s *schema) template.HTML {
	if s == nil {
		return ""
	}
	escape := template.HTMLEscapeString
	if name, ok := strings.CutPrefix(s.Ref, schemaRef); ok {
		return template.HTML(fmt.Sprintf(`<a href="#schema-%s">%s</a>`, escape(name), escape(name))) //nolint:gosec // it is escaped
	}
	words := make([]string, 0, 4)
	switch {
	case len(s.OneOf) > 0:
		for _, one := range s.OneOf {
			words = append(words, string(typeOf(one)))
		}
		return template.HTML(strings.Join(words, " or ")) //nolint:gosec // its parts are escaped
	case s.Items != nil:
		return "list of " + typeOf(s.Items)
	}
	types, isList := s.Type.([]any)
	if !isList && s.Type != nil {
		types = []any{s.Type}
	}
	for _, t := range types {
		words = append(words, escape(fmt.Sprint(t)))
	}
	text := strings.Join(words, " or ")
	if s.Format != "" {
		text += " (" + escape(s.Format) + ")"
	}
	if len(s.Enum) > 0 && len(s.Enum) < 12 {
		values := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			values[i] = "<code>" + escape(fmt.Sprint(v)) + "</code>"
		}
		text += ": " + strings.Join(values, ", ")
	}
	return template.HTML(text + bounds(s)) //nolint:gosec // its parts are escaped
}

func bounds(s *schema) (text string) {
	if s.Minimum != nil {
		text += fmt.Sprintf(", at least %.0f", *s.Minimum)
	}
	if s.Maximum != nil {
		text += fmt.Sprintf(", at most %.0f", *s.Maximum)
	}
	if s.Default != nil {
		text += ", by default " + template.HTMLEscapeString(fmt.Sprint(s.Default))
	}
	return text
}

// member is a property of an object.
type member struct {
	Name     string
	Required bool
	Schema   *schema
}

// members are the properties of an object, by name; none of what is no object.
func members(s *schema) (all []member) {
	if s == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		all = append(all, member{name, slices.Contains(s.Required, name), s.Properties[name]})
	}
	return all
}

// linkCodes returns the description of a response, whose codes lead to the page of errors.
func linkCodes(description string, known []string) template.HTML {
	before, after, _ := strings.Cut(description, ": ")
	words := strings.Split(after, ", ")
	for i, word := range words {
		if !slices.Contains(known, word) {
			return template.HTML(template.HTMLEscapeString(description)) //nolint:gosec // it is escaped
		}
		words[i] = fmt.Sprintf(`<a href="%s#%s"><code>%s</code></a>`, urlOf("errors"), word, word)
	}
	return template.HTML(template.HTMLEscapeString(before) + ": " + strings.Join(words, ", ")) //nolint:gosec // codes are words
}

// requestCodes lists the codes of problems that the page of errors does not explain itself, and where they come from.
func requestCodes(d *document, m *draft) string {
	type row struct {
		Code, Status string
		Operations   []*operation
	}
	var rows []row
	for _, code := range d.codes() {
		if m.ids[code] {
			continue
		}
		m.ids[code] = true
		r := row{Code: code}
		for _, op := range d.operations() {
			if status := op.statusOf(code); status != "" {
				r.Status = status
				r.Operations = append(r.Operations, op)
			}
		}
		rows = append(rows, r)
		m.entries = append(m.entries, Entry{urlOf(m.path) + "#" + code, m.title, code, "Answer to a request " + r.Status})
	}
	if len(rows) == 0 {
		return ""
	}
	m.headings = append(m.headings, Heading{"answers-to-requests", "Answers to requests", 2})
	var out strings.Builder
	if err := codesTemplate.Execute(&out, rows); err != nil {
		return "" // the template fits the rows
	}
	return reachable.Replace(out.String())
}
