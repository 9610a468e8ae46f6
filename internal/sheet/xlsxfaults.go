package sheet

import (
	"errors"
	"strings"

	"sheetdrop/internal/sheet/xlsx"
)

// rowFaults maps the faults of workbook rows to the reasons to reject them.
var rowFaults = map[xlsx.Code]reason{
	xlsx.BadReference: {BadReference,
		"The reference in the file is invalid, so the position is unknown.",
		"ファイルに書かれた位置が正しくないため、どこに属するか分かりません。"},
	xlsx.DuplicateRow: {DuplicateRow,
		"An earlier row has the same number.",
		"同じ番号の行がすでにあります。"},
	xlsx.DuplicateCell: {DuplicateCell,
		"Another cell with a value has the same reference.",
		"このセルの位置には別の値があります。"},
	xlsx.MissingSharedString: {MissingSharedString,
		"The cell refers to a text that does not exist in the workbook.",
		"セルが指す文字列がブックにありません。"},
	xlsx.BadValue: {BadValue,
		"The cell is a boolean, but neither true nor false.",
		"真偽値のセルですが、真でも偽でもありません。"},
	xlsx.InvalidCharacter: hasNUL,
	xlsx.InvalidEncoding: {InvalidEncoding,
		"The cell's bytes are not valid text.",
		"セルの内容が文字として読めません。"},
	xlsx.CellTooLong: {CellTooLong,
		"The cell's text exceeds the limit and was truncated.",
		"セルのテキストが上限を超えています。先頭部分だけを残しました。"},
	xlsx.RecordTooLong: {RecordTooLong,
		"The row's text exceeds the limit and was truncated.",
		"行のテキストが上限を超えています。先頭部分だけを残しました。"},
	xlsx.TooManyColumns: {TooManyColumns,
		"The row has more columns than the limit and was truncated.",
		"行の列数が上限を超えています。先頭部分だけを残しました。"},
}

// The reasons to refuse a file because of the requested sheet.
var (
	noSheet = reason{NoSuchSheet,
		"The workbook has no worksheet %q; it has %s.",
		"ブックにワークシート%qがありません。あるのは%sです。"}
	noWorkbook = reason{NoSuchSheet,
		"The file has no sheet %q: it is text and has only sheet 1.",
		"テキストファイルにはシート%qはありません。シートは1だけです。"}
)

// fileFault turns a fault of the workbook into a Refusal and returns other errors unchanged.
func fileFault(err error) error {
	if fault, ok := errors.AsType[*xlsx.Error](err); ok {
		return refuse(Code(fault.Code), storable(fault.Message))
	}
	return err
}

// storable returns untrusted text, which may become part of a message or a sheet's name, without what a database's text
// cannot hold.
func storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "\ufffd")
}

// maxNameBytes is the length in bytes to which a name is truncated in a message.
const maxNameBytes = 60

// shortName returns a name for a message.
func shortName(name string) string { return storable(name[:min(len(name), maxNameBytes)]) }
