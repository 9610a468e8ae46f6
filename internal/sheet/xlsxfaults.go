package sheet

import "sheetdrop/internal/sheet/xlsx"

// faultTexts say what is wrong with a row or a cell of a workbook.
var faultTexts = map[xlsx.Code]string{
	xlsx.BadReference:        "The place that the file gives cannot be right, so nobody can say where this belongs.",
	xlsx.DuplicateRow:        "A row of this number came before.",
	xlsx.DuplicateCell:       "The place of this cell has another value.",
	xlsx.MissingSharedString: "The cell points to a text that is not in the workbook.",
	xlsx.BadValue:            "The cell is neither true nor false, though it is marked as one of these.",
	xlsx.InvalidCharacter:    "The cell holds the character U+0000, which a database's text cannot.",
	xlsx.InvalidEncoding:     "The cell's bytes are no text.",
	xlsx.CellTooLong:         "The cell's text is longer than can be read; its beginning is kept.",
	xlsx.RecordTooLong:       "The row's texts are longer than can be read; the first ones are kept.",
	xlsx.TooManyColumns:      "The row has more columns than can be read; the first ones are kept.",
}

func faultText(code xlsx.Code) string { return faultTexts[code] }
