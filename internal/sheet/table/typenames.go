package table

// typeNames are names that programs give to types of columns, in a line of their own below the header.
var typeNames = wordsOf([]string{
	"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "integer", "long", "short", "bigint", "smallint",
	"float", "float32", "float64", "double", "real", "decimal", "numeric", "number", "num", "str", "string", "text", "char", "varchar",
	"character", "bool", "boolean", "bol", "logical", "date", "datetime", "time", "timestamp", "categorical", "factor", "object", "json",
})

// isTypeName reports whether the cell names the type of a column: with a word, or as RDB does, by the width of its cells and a letter for
// strings, numbers or days: 15s, 14n, 20d.
func isTypeName(cell []byte) bool {
	if cell[0] < '0' || cell[0] > '9' {
		return typeNames.is(cell) || len(cell) == 1 && isTypeLetter(cell[0])
	}
	for i, c := range cell[:len(cell)-1] {
		if c < '0' || c > '9' || i == typeWidth {
			return false
		}
	}
	return isTypeLetter(cell[len(cell)-1])
}

func isTypeLetter(c byte) bool { return c|0x20 == 's' || c|0x20 == 'n' || c|0x20 == 'd' }

// namesTypes reports whether the record names the types of the columns, some of which have other values:
//
//	site	day	flow
//	15s	20d	14n
//	02177000	2012-09-01	191
func (c columns) namesTypes(r row) bool {
	if r.blank || r.broken || !r.types || r.width != c.width || r.width < leastNumbered || share(r.filled, seen(r.width)) < headerFilled {
		return false
	}
	return c.isUnlike(r)
}
