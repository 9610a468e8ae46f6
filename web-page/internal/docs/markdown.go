package docs

import (
	"bytes"
	"html"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// markdown renders GitHub's tables besides CommonMark, and no HTML that stands in the text.
var markdown = goldmark.New(
	// a style would need 'unsafe-inline'
	goldmark.WithExtensions(extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
)

// draft is a Markdown file while it is rendered.
type draft struct {
	source
	text     []byte
	ids      map[string]bool
	headings []Heading
	entries  []Entry
	html     string
}

// parse renders a file. What it links to that is no page here becomes plain text, for there is nothing to open.
func parse(s source, file []byte) *draft {
	m := &draft{source: s, text: file, ids: map[string]bool{}}
	document := markdown.Parser().Parse(text.NewReader(file))
	m.noteHeadings(document)
	m.noteRows(document)
	m.rewriteLinks(document)
	m.index(document)
	var out bytes.Buffer
	_ = markdown.Renderer().Render(&out, file, document) // a bytes.Buffer takes everything
	m.html = reachable.Replace(out.String())
	return m
}

func (m *draft) page() Page { return Page{m.path, m.title, m.html, m.headings} }

// reachable lets people who use the keyboard scroll what is wider than the page.
var reachable = strings.NewReplacer(
	"<pre>", `<pre tabindex="0">`, "<table>", `<div class="wide" tabindex="0" role="group" aria-label="Table"><table>`, "</table>", "</table></div>",
)

// noteHeadings collects the headings below the title.
func (m *draft) noteHeadings(document ast.Node) {
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		heading, ok := n.(*ast.Heading)
		if !ok {
			continue
		}
		text := m.plain(heading)
		if codeRow.MatchString(text) && strings.Contains(text, "_") { // a code is its own place: #not_found
			heading.SetAttributeString("id", []byte(text))
		}
		id := idOf(heading)
		m.ids[id] = true
		if heading.Level > 1 && heading.Level < 4 {
			m.headings = append(m.headings, Heading{id, text, heading.Level})
		}
	}
}

func idOf(n ast.Node) string {
	id, _ := n.AttributeString("id")
	text, _ := id.([]byte)
	return string(text)
}

// codeRow is what stands first in the row of a table that explains a code, a setting or an option.
var codeRow = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// noteRows makes the rows of tables that begin with a code places to which one can link: #empty_file.
func (m *draft) noteRows(document ast.Node) {
	walk(document, func(n ast.Node) {
		row, ok := n.(*east.TableRow)
		if !ok || row.FirstChild() == nil || row.FirstChild().ChildCount() != 1 {
			return
		}
		span, ok := row.FirstChild().FirstChild().(*ast.CodeSpan)
		if !ok {
			return
		}
		code := m.plain(span)
		if !codeRow.MatchString(code) || m.ids[code] {
			return
		}
		m.ids[code] = true
		row.SetAttributeString("id", []byte(code))
		m.entries = append(m.entries, Entry{urlOf(m.path) + "#" + code, m.title, code, m.plain(row)})
	})
}

// rewriteLinks lets links between the files lead from page to page. An image is left out: the pages have none.
func (m *draft) rewriteLinks(document ast.Node) {
	var dead []ast.Node
	walk(document, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Link:
			if to, ok := m.resolve(string(n.Destination)); ok {
				n.Destination = []byte(to)
			} else {
				dead = append(dead, n)
			}
		case *ast.Image:
			dead = append(dead, n)
		}
	})
	for _, n := range dead {
		parent := n.Parent()
		for child := n.FirstChild(); child != nil && n.Kind() == ast.KindLink; child = n.FirstChild() {
			parent.InsertBefore(parent, n, child)
		}
		parent.RemoveChild(parent, n)
	}
}

// resolve returns the address of what a file links to; false if it is not served here.
func (m *draft) resolve(destination string) (string, bool) {
	file, fragment, hasFragment := strings.Cut(destination, "#")
	if file == "" || strings.Contains(file, "://") {
		return destination, true
	}
	file = path.Join(path.Dir(m.file), file)
	for _, s := range sources {
		if s.file != file {
			continue
		}
		if hasFragment {
			return urlOf(s.path) + "#" + fragment, true
		}
		return urlOf(s.path), true
	}
	return "", false
}

// index adds the sections of a page to what search looks through.
func (m *draft) index(document ast.Node) {
	section := Entry{URL: urlOf(m.path), Page: m.title, Title: m.title}
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		if heading, ok := n.(*ast.Heading); ok && heading.Level > 1 {
			m.entries = append(m.entries, section)
			section = Entry{URL: urlOf(m.path) + "#" + idOf(heading), Page: m.title, Title: m.plain(heading)}
			continue
		}
		section.Text = strings.TrimSpace(section.Text + " " + m.plain(n))
	}
	m.entries = append(m.entries, section)
}

// plain returns the text of a node, in one line.
func (m *draft) plain(n ast.Node) string {
	var all strings.Builder
	walk(n, func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Text:
			all.Write(n.Segment.Value(m.text))
			if n.SoftLineBreak() {
				all.WriteByte(' ')
			}
		case *ast.String:
			all.Write(n.Value)
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			for i := range n.Lines().Len() {
				line := n.Lines().At(i)
				all.Write(line.Value(m.text))
			}
		case *east.TableCell, *ast.Paragraph, *ast.ListItem:
			all.WriteByte(' ')
		}
	})
	return html.UnescapeString(strings.Join(strings.Fields(all.String()), " "))
}

// walk visits a node and all below it, parents first.
func walk(n ast.Node, visit func(ast.Node)) {
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			visit(n)
		}
		return ast.WalkContinue, nil
	}) // neither visits nor the walk itself return an error
}
