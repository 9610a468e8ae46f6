package words

import "bytes"

// typeNames are names that programs give to types of columns, in a line of their own below the header.
var typeNames = listOf([]string{
	"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "integer", "long", "short", "bigint", "smallint",
	"float", "float32", "float64", "double", "real", "decimal", "numeric", "number", "num", "str", "string", "text", "char", "varchar",
	"nvarchar", "varchar2",
	"character", "bool", "boolean", "bol", "logical", "date", "datetime", "time", "timestamp", "categorical", "factor", "object", "json",
})

// IsTypeName reports whether the cell names the type of a column: with a word, which may have its size behind it, VARCHAR(80), or as RDB
// does, by the width of its cells and a letter for strings, numbers or days: 15s, 14n, 20d.
func IsTypeName(cell []byte) bool {
	if cell[0] < '0' || cell[0] > '9' {
		if word, size, found := bytes.Cut(cell, []byte("(")); found && len(word) > 0 && isSize(size) {
			cell = word
		}
		return typeNames.is(cell) || len(cell) == 1 && isTypeLetter(cell[0])
	}
	for i, c := range cell[:len(cell)-1] {
		if c < '0' || c > '9' || i == typeWidth {
			return false
		}
	}
	return isTypeLetter(cell[len(cell)-1])
}

// isSize reports whether the text is the size of a type and the bracket behind it: 80) or 10,2).
func isSize(text []byte) bool {
	digits, closed := bytes.CutSuffix(text, []byte(")"))
	return closed && len(digits) > 0 && len(bytes.Trim(digits, "0123456789, ")) == 0
}

func isTypeLetter(c byte) bool { return c|0x20 == 's' || c|0x20 == 'n' || c|0x20 == 'd' }
