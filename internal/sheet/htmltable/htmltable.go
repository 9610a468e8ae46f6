// Package htmltable reads the tables of HTML pages, which many programs write under the name of xls. Each table with a text
// of its own is a sheet; those that only hold others are not. A cell's value is the text that it shows.
//
// For example, <table><tr><th>a<th>b<tr><td colspan=2>1</table> is returned as row 1 with a in column A and b in B, and row 2
// with 1 in column A.
package htmltable

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sheetdrop/internal/sheet/grid"
)

// Options configure how a page is read.
type Options struct {
	FillDown bool // repeat a cell's value in each row that it spans
	Limits   grid.Limits
}

// Book is an open page. It and its Rows are not safe for concurrent use.
type Book struct {
	options Options
	src     io.ReaderAt
	size    int64
	tables  []table
	cells   int64 // read so far
}

// table is a table's place.
type table struct {
	offset int64 // of its tag
	name   string
	filled bool // a cell of its own has a text
}

// maxDepth is how deep tables may be nested: each level is read once more.
const maxDepth = 16

// maxTag limits the bytes of a tag or a comment.
const maxTag = 1 << 20

// Open lists the tables of a page in UTF-8. A file that cannot be read is a *grid.Error. Any other error is that of src.
func Open(src io.ReaderAt, size int64, o Options) (*Book, error) {
	if size > o.Limits.PackageBytes {
		return nil, grid.Refuse(grid.PackageTooLarge, fmt.Sprintf("The page has %d bytes; the limit is %d.", size, o.Limits.PackageBytes))
	}
	b := &Book{options: o, src: src, size: size}
	if err := b.list(); err != nil {
		return nil, err
	}
	kept := b.tables[:0]
	for _, t := range b.tables {
		if t.filled {
			kept = append(kept, t)
		}
	}
	if b.tables = kept; len(kept) == 0 {
		return nil, grid.Unsupported("an HTML page without a table", "表のないHTMLページ", grid.ExportTable)
	}
	return b, nil
}

// list finds the tables.
func (b *Book) list() error {
	var open []int // the tables around, by their index
	cells := 0     // of the innermost one
	p := b.page(0)
	for {
		kind := p.next()
		switch {
		case kind == html.ErrorToken:
			return p.err()
		case kind == html.TextToken && len(open) > 0 && cells > 0 && len(bytes.TrimSpace(p.Raw())) > 0:
			b.tables[open[len(open)-1]].filled = true
		case kind == html.StartTagToken && p.tag == atom.Table:
			if len(open) == maxDepth || len(b.tables) == b.options.Limits.Parts {
				return grid.Refuse(grid.TooManyParts, fmt.Sprintf("The page has more than %d tables, or more than %d in one another.",
					b.options.Limits.Parts, maxDepth))
			}
			open, cells = append(open, len(b.tables)), 0
			b.tables = append(b.tables, table{offset: p.start})
		case len(open) == 0:
		case kind == html.EndTagToken && p.tag == atom.Table:
			open, cells = open[:len(open)-1], 1 // a table inside of another stands in a cell of it
		case kind == html.StartTagToken && (p.tag == atom.Td || p.tag == atom.Th):
			cells++
		}
	}
}

// page is a page from some place on.
type page struct {
	*html.Tokenizer
	start, end int64     // of the current token in the file
	tag        atom.Atom // the current tag
}

func (b *Book) page(from int64) *page {
	p := &page{html.NewTokenizer(io.NewSectionReader(b.src, from, b.size-from)), from, from, 0}
	p.SetMaxBuf(maxTag)
	return p
}

// next goes to the next token.
func (p *page) next() html.TokenType {
	kind := p.Next()
	p.start = p.end
	p.end += int64(len(p.Raw()))
	p.tag = 0
	if kind == html.StartTagToken || kind == html.EndTagToken || kind == html.SelfClosingTagToken {
		p.tag = tagOf(p.Raw())
	}
	if kind == html.SelfClosingTagToken {
		kind = html.StartTagToken // HTML has none: the slash means nothing
	}
	return kind
}

// tagOf returns the name of a tag, of which the tokenizer would make a copy.
func tagOf(raw []byte) atom.Atom {
	var buffer [longestName]byte
	name := buffer[:0]
	for _, c := range bytes.TrimLeft(raw, "</") {
		if c <= ' ' || c == '/' || c == '>' || len(name) == longestName {
			break
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		name = append(name, c)
	}
	return atom.Lookup(name)
}

// longestName is more than the bytes of any name that means something here.
const longestName = 16

// err returns why the page ended.
func (p *page) err() error {
	switch err := p.Err(); {
	case errors.Is(err, io.EOF):
		return nil
	case errors.Is(err, html.ErrBufferExceeded):
		return grid.Damaged("a tag or a text of it is longer than %d bytes", maxTag)
	default:
		return err
	}
}

// Sheets lists the tables in the page's order. They have no names.
func (b *Book) Sheets() []grid.Sheet {
	list := make([]grid.Sheet, len(b.tables))
	for i, t := range b.tables {
		list[i] = grid.Sheet{Number: i + 1, Name: t.name, Kind: grid.Worksheet, Visibility: grid.Visible}
	}
	return list
}

// Rows starts reading the table with that number.
func (b *Book) Rows(number int) (grid.Rows, error) {
	if number < 1 || number > len(b.tables) {
		return nil, fmt.Errorf("the page has no table %d", number)
	}
	p := b.page(b.tables[number-1].offset)
	p.next()
	return &Rows{book: b, page: p, builder: grid.Builder{Limits: b.options.Limits, Cells: &b.cells, FillDown: b.options.FillDown}}, nil
}

// Close does nothing: the page has neither files nor goroutines.
func (b *Book) Close() error { return nil }
