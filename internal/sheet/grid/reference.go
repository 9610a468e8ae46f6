package grid

import "strconv"

// Reference returns a cell's reference, such as AB12, from its column and row, both from 1.
func Reference(column int, row int64) string {
	var letters [8]byte
	i := len(letters)
	for ; column > 0; column = (column - 1) / 26 {
		i--
		letters[i] = byte('A' + (column-1)%26)
	}
	return string(letters[i:]) + strconv.FormatInt(row, 10)
}

// ParseReference parses a cell's reference; ok is false for a position outside any worksheet.
func ParseReference(ref []byte) (column int, row int64, ok bool) {
	i := 0
	for ; i < len(ref) && i < 4; i++ {
		letter := ref[i] &^ 0x20
		if letter < 'A' || letter > 'Z' {
			break
		}
		column = column*26 + int(letter-'A') + 1
	}
	row, ok = ParseRow(ref[i:])
	return column, row, ok && column >= 1 && column <= LastColumn
}

// ParseRow parses a row's number; ok is false for one outside any worksheet.
func ParseRow(text []byte) (row int64, ok bool) {
	if len(text) > 7 || len(text) == 0 || text[0] == '0' {
		return 0, false
	}
	for _, c := range text {
		if !isDigit(c) {
			return 0, false
		}
		row = row*10 + int64(c-'0')
	}
	return row, row <= LastRow
}
