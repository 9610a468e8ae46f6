package parquet

import (
	"strings"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"sheetdrop/internal/sheet/grid"
)

// shape is what a group of values becomes in JSON.
type shape uint8

const (
	single  shape = iota // a value
	object               // of its children
	list                 // of the values in its only child, which is repeated
	mapping              // of the keys and values in its only child, which is repeated
)

// node is a field of the schema. Its levels are those of Parquet: a value whose definition level is at least def has the field, and one
// whose repetition level is rep goes on with a list that it is in.
type node struct {
	name     string
	shape    shape
	optional bool
	repeated bool
	def, rep int
	children []*node
	leaf     *leaf // of a single value
	first    *leaf // of all below
	wrapped  bool  // of a repeated one: its only child is the element
}

// leaf is a column of values in the file.
type leaf struct {
	index  int
	kind   format.Type
	length int // of values with a fixed length, in bytes
	node   *node
	nested bool // its values are parts of a JSON text
	text   func(dst []byte, v value) []byte
	bare   bool // the text is JSON as it stands
}

// schema is the tree of a file's fields.
type schema struct {
	columns []*node
	leaves  []*leaf
}

const maxNesting = 32 // of fields

// builder makes a schema from its elements, which stand depth first.
type builder struct {
	elements [][]byte
	next     int
	schema   *schema
	most     int // leaves
}

func newSchema(elements [][]byte, columns int) (*schema, error) {
	b := &builder{elements: elements, schema: &schema{}, most: columns}
	root, err := b.element()
	if err != nil {
		return nil, err
	}
	for range root.NumChildren.V {
		n, err := b.node(&node{}, 0)
		if err != nil {
			return nil, err
		}
		if n.shape != single || n.repeated {
			n.nest()
		}
		b.schema.columns = append(b.schema.columns, n)
	}
	if b.next != len(elements) {
		return nil, damaged("its schema has %d fields and says that it has %d", len(elements), b.next)
	}
	return b.schema, nil
}

func (b *builder) element() (*format.SchemaElement, error) {
	if b.next == len(b.elements) {
		return nil, damaged("its schema lacks fields")
	}
	e := &format.SchemaElement{}
	if _, err := decodeStruct(b.elements[b.next], e); err != nil {
		return nil, damaged("its schema: %v", err)
	}
	b.next++
	if e.NumChildren.V < 0 || int(e.NumChildren.V) > len(b.elements)-b.next {
		return nil, damaged("its schema has %d fields, of which one says that it has %d", len(b.elements), e.NumChildren.V)
	}
	return e, nil
}

// node reads a field and what is below it.
func (b *builder) node(parent *node, depth int) (*node, error) {
	e, err := b.element()
	if err != nil {
		return nil, err
	}
	if depth == maxNesting {
		return nil, damaged("its fields are nested too deeply")
	}
	n := &node{name: e.Name, def: parent.def, rep: parent.rep}
	switch e.RepetitionType.V {
	case format.Optional:
		n.optional = true
		n.def++
	case format.Repeated:
		n.repeated = true
		n.def++
		n.rep++
	}
	if e.Type.Valid && e.NumChildren.V == 0 {
		return n, b.value(n, e)
	}
	if e.NumChildren.V == 0 {
		return nil, damaged("the field %q has neither a type nor fields", e.Name)
	}
	for range e.NumChildren.V {
		child, err := b.node(n, depth+1)
		if err != nil {
			return nil, err
		}
		n.children = append(n.children, child)
	}
	n.first = n.children[0].first
	n.shape = shapeOf(n, e)
	return n, nil
}

// value makes the field a leaf.
func (b *builder) value(n *node, e *format.SchemaElement) error {
	if len(b.schema.leaves) == b.most {
		return &grid.Error{
			Code: grid.TooManyColumns, Message: "The Parquet file has more columns than the limit, those of nested fields included.",
			MessageJA: "Parquetファイルの列数（入れ子の列を含む）が上限を超えています。",
		}
	}
	l := &leaf{index: len(b.schema.leaves), kind: e.Type.V, length: int(e.TypeLength.V), node: n}
	known := format.Boolean <= l.kind && l.kind <= format.FixedLenByteArray
	if !known || l.kind == format.FixedLenByteArray && (l.length < 1 || l.length > maxPage) {
		return damaged("the field %q has an unknown type", e.Name)
	}
	l.text, l.bare = textOf(e)
	n.leaf, n.first = l, l
	b.schema.leaves = append(b.schema.leaves, l)
	return nil
}

// shapeOf tells lists and maps by their annotations and their form.
func shapeOf(n *node, e *format.SchemaElement) shape {
	if len(n.children) != 1 || !n.children[0].repeated {
		return object
	}
	inner := n.children[0]
	switch e.LogicalType.Value.(type) {
	case *format.ListType:
		return listOf(n, inner)
	case *format.MapType:
		return mapOf(inner)
	}
	if c := e.ConvertedType; c.Valid {
		switch c.V {
		case deprecated.List:
			return listOf(n, inner)
		case deprecated.Map, deprecated.MapKeyValue:
			return mapOf(inner)
		}
	}
	return object
}

// listOf is for a list, whose repeated field has the element as its only child, or in files of older programs is the element.
func listOf(n, inner *node) shape {
	inner.wrapped = inner.shape != single && len(inner.children) == 1 && inner.name != "array" && inner.name != n.name+"_tuple" &&
		!inner.children[0].repeated
	return list
}

func mapOf(inner *node) shape {
	if len(inner.children) == 2 && inner.children[0].shape == single && !inner.children[0].repeated {
		return mapping
	}
	return object
}

// nest notes that the values below are parts of a JSON text.
func (n *node) nest() {
	if n.leaf != nil {
		n.leaf.nested = true
	}
	for _, child := range n.children {
		child.nest()
	}
}

// names returns the names of the columns.
func (s *schema) names() []string {
	names := make([]string, len(s.columns))
	for i, n := range s.columns {
		names[i] = strings.ToValidUTF8(n.name, "\ufffd")
	}
	return names
}
