package sheet

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"sheetdrop/internal/sheet/grid"
)

// reason is why a record or a file cannot be read: its code and the message in two languages, as formats of package fmt
// for the same values.
type reason struct {
	code              Code
	english, japanese string
}

// The reasons to reject a record.
var (
	noCell = reason{MissingCell,
		"The cell is missing: the record has %[2]s, but the header has %[3]d.",
		"セルがありません。このレコードのセルは%[2]d個、見出しは%[3]d個です。"}
	otherTable = reason{
		OtherTable,
		"The record belongs to a second table, below the first one. Save it as a file of its own.",
		"この行は2つ目の表のものです。別のファイルに保存してください。",
	}
	runsOn = reason{ExtraCell,
		"The text of this column runs into the next one: the line does not follow the text's fixed width.",
		"このセルの文字が次の列にはみ出しています。固定長の桁位置と合いません。"}
	leftOfTable = reason{ExtraCell,
		"The cell %s stands left of the table, whose first rows have nothing there.",
		"セル%sは表の左にあります。表の先頭の行では、その列は空です。"}
	besideMerged = reason{ExtraCell,
		"The cell %s stands beside another one of the same column, whose cells are merged in the rows above.",
		"セル%sは同じ列の別のセルの横にあります。上の行では、これらのセルは結合されています。"}
	oneTooMany = reason{ExtraCell,
		"One cell too many: the record has %[2]s, but the header has %[3]d.",
		"セルが余分です。このレコードのセルは%[2]d個、見出しは%[3]d個です。"}
	noCells = reason{MissingCell,
		"%d cells are missing: the record has %s, but the header has %d.",
		"%d個のセルがありません。このレコードのセルは%d個、見出しは%d個です。"}
	manyTooMany = reason{ExtraCell,
		"%d cells too many: the record has %s, but the header has %d.",
		"セルが%d個余分です。このレコードのセルは%d個、見出しは%d個です。"}
	openAtEnd = reason{UnbalancedQuote,
		"The quote that opens this cell is not closed before the end of the file; reading continued on the line after the quote.",
		"このセルの引用符がファイルの終わりまで閉じられていません。引用符の次の行から読み取りを続けました。"}
	openAtLimit = reason{UnbalancedQuote,
		"The quote that opens this cell is not closed within %d bytes; reading continued on the line after the quote.",
		"このセルの引用符が%dバイト以内に閉じられていません。引用符の次の行から読み取りを続けました。"}
	openAtQuote = reason{UnbalancedQuote,
		"The quote that opens this cell is not closed before another quoted cell begins; reading continued on the line after the quote.",
		"このセルの引用符が、別のセルの引用符の前に閉じられていません。引用符の次の行から読み取りを続けました。"}
	openInLine = reason{UnbalancedQuote,
		"The quote that opens this cell is not closed on its line, and the file has many such quotes; reading continued on the line after the quote.",
		"このセルの引用符が同じ行で閉じられておらず、このファイルにはそのような引用符が多くあります。引用符の次の行から読み取りを続けました。"}
	noText = reason{InvalidEncoding,
		"The text is not valid %s: the byte at offset %d of the file cannot be decoded.",
		"文字コード%sとして読めません（ファイルの先頭から%dバイト目）。"}
	hasNUL = reason{InvalidCharacter,
		"The cell contains the character U+0000, which the database cannot store.",
		"セルに文字U+0000があり、データベースのテキストに格納できません。"}
	noJSON = reason{InvalidJSON,
		"The record is not valid JSON.",
		"JSONとして正しくありません。"}
	noObject = reason{InvalidJSON,
		"The record is JSON, but not an object.",
		"JSONですが、オブジェクトではありません。"}
	openValue = reason{InvalidJSON,
		"The record does not end; reading continued on the next line.",
		"終わりがありません。次の行から読み取りを続けました。"}
	openArray = reason{InvalidJSON,
		"The bracket that closes the array is missing: the file may be truncated.",
		"配列を閉じる括弧がありません。ファイルが途中で切れている可能性があります。"}
	behindArray = reason{InvalidJSON,
		"The text follows the end of the array.",
		"配列の終わりの後にテキストがあります。"}
	unknownMember = reason{ExtraCell,
		"The member %q is in none of the first objects, from which the columns were taken.",
		"メンバー%qは、列を決めた先頭のオブジェクトにありません。"}
	twoMembers = reason{DuplicateCell,
		"The member %q occurs twice.",
		"メンバー%qが2つあります。"}
	longRecord = reason{RecordTooLong,
		"The record is longer than %d bytes and was truncated; reading continued on the next line.",
		"レコードが%dバイトを超えています。先頭部分だけを残し、次の行から読み取りを続けました。"}
	longCell = reason{CellTooLong,
		"The cell has %d bytes of text; the limit is %d.",
		"セルのテキストが%dバイトあります。上限は%dバイトです。"}
)

// The reasons to reject a record of a file of corrections.
var (
	keyUnknown = reason{KeyUnknown,
		"The key is not that of a reject of the sheet that the file corrects.",
		"キーが、修正対象のシートのエラー行のものではありません。"}
	noHeader = reason{ExtraCell,
		"The cell stands in a column without a name.",
		"列名のない列に値があります。"}
)

// The reasons to refuse a file.
var (
	noBytes = reason{EmptyFile,
		"The file is empty.",
		"ファイルが空です。"}
	blankLines = reason{EmptyFile,
		"The file contains only blank lines.",
		"ファイルには空行しかありません。"}
	allSkipped = reason{EmptyFile,
		"The file has %d records, and the first %d are skipped: nothing is left to read.",
		"ファイルのレコードは%d件で、先頭の%d件を除く指定のため、読み取るものが残りません。"}
	noObjects = reason{EmptyFile,
		"The file has no JSON objects with members.",
		"ファイルにメンバーのあるJSONオブジェクトがありません。"}
	noColumns = reason{EmptyFile,
		"The file has no columns.",
		"ファイルに列がありません。"}
	wideHeader = reason{TooManyColumns,
		"The header has %d columns; the limit is %d.",
		"見出しが%d列あります。上限は%d列です。"}
	manyColumns = reason{ManyFileColumns,
		"The sheets have more columns in total than the limit of %d.",
		"すべてのシートを合わせた列数が上限の%d列を超えています。"}
	longHeaders = reason{HeadersTooLong,
		"The headers of all sheets have more text in total than the limit of %d bytes.",
		"すべてのシートの見出しを合わせたテキストが上限の%dバイトを超えています。"}
	largeOutput = reason{OutputTooLarge,
		"The rows need more space in the database than the limit of %d bytes plus %d times the file's size.",
		"行のデータベース上のサイズが上限（%dバイトにファイルサイズの%d倍を加えた値）を超えています。"}
	manyRows = reason{TooManyRows,
		"The sheet has more records than the limit of %d.",
		"シートのレコードが上限の%d件を超えています。"}
	manyCells = reason{TooManyCells,
		"The file has more cells than the limit of %d.",
		"ファイルのセルが上限の%d個を超えています。"}
	tooManyRejects = reason{TooManyRejects,
		"More records were rejected than the limit of %s.",
		"エラー行が上限（%s）を超えています。"}
	largeRejects = reason{TooManyRejects,
		"The rejected records need more space in the database than the limit of %d bytes plus %d times the file's size.",
		"エラー行のデータベース上のサイズが上限（%dバイトにファイルサイズの%d倍を加えた値）を超えています。"}
	nothingToCorrect = reason{NothingToCorrect,
		"The sheet whose rejects the file corrects does not exist, or not any more.",
		"修正対象のシートが存在しないか、すでに削除されています。"}
	wideCorrections = reason{TooManyColumns,
		"Only the rejects of a sheet with at most %d columns can be corrected by a file.",
		"ファイルで修正できるのは、列数が%d以下のシートのエラー行だけです。"}
	noColumn = reason{MissingColumn,
		"The sheet does not have the declared columns: %s. It has: %s.",
		"宣言された列がシートにありません: %s。ある列: %s。"}
	manyUnique = reason{TooManyUnique,
		"The unique columns have more distinct values than the limit of %d.",
		"一意であるべき列の値が、比較できる上限の%d個を超えています。"}
	complexPatterns = reason{TooComplex,
		"Matching the patterns of the declared columns takes more work than is allowed for a file of this size.",
		"宣言された列のパターンの処理量が、このサイズのファイルの上限を超えています。"}
)

// The reasons to refuse a file because of one record; the record's own reason follows.
var (
	badHeader = reason{"", "The header (%s) cannot be read. ", "見出し（%s）を読めません。"}
	oneReject = reason{RowRejected, "A record was rejected, and the policy allows none (%s). ", "エラー行があるため、ファイル全体を中止しました（%s）。"}
)

// refuse returns the reason as that of a file.
func (r reason) refuse(values ...any) *Refusal {
	return &Refusal{r.code, fmt.Sprintf(r.english, values...), fmt.Sprintf(r.japanese, values...)}
}

// refuse returns an error of record no as the reason to refuse the file.
func (e Error) refuse(code Code, no int64, why reason) *Refusal {
	english, japanese := fmt.Sprintf("record %d", no), fmt.Sprintf("レコード%d", no)
	if e.ColumnNo > 0 {
		english += fmt.Sprintf(", column %d", e.ColumnNo)
		japanese += fmt.Sprintf("、%d列目", e.ColumnNo)
	}
	return &Refusal{code, fmt.Sprintf(why.english, english) + e.Message, fmt.Sprintf(why.japanese, japanese) + e.MessageJA}
}

// inJapanese has a message in Japanese for each code of files that are not text; the message in English may be more
// specific.
var inJapanese = map[Code]string{ //nolint:gosec // words about passwords, not passwords
	UnsupportedFormat: "この形式のファイルは読めません。Excelブック（xlsx）かCSVとして保存してください。",
	DamagedFile:       "ブックが壊れているため読めません。",
	Encrypted:         "ブックがパスワードで保護されています。パスワードなしで保存してください。",
	WrongPassword:     "パスワードが違うため、ブックを開けません。",
	TooManyRows:       "シートの行数が上限を超えています。",
	TooManyCells:      "ブックのセルの数が上限を超えています。",
	PackageTooLarge:   "ブックのサイズが上限を超えています。",
	UnzippedTooLarge:  "ブックの展開後のサイズが上限を超えています。",
	UnzipRatio:        "ブックの圧縮率が上限を超えています。",
	TooManyParts:      "ブックの部品の数が上限を超えています。",
}

func refuse(code Code, english string) *Refusal { return &Refusal{code, english, inJapanese[code]} }

// archiveInJapanese has the sentences of archives of other files, where inJapanese speaks of a workbook.
var archiveInJapanese = map[Code]string{
	DamagedFile:      "アーカイブが壊れているため読めません。",
	Encrypted:        "アーカイブがパスワードで保護されています。パスワードなしで保存してください。",
	UnzippedTooLarge: "アーカイブの展開後のサイズが上限を超えています。",
	UnzipRatio:       "アーカイブの圧縮率が上限を超えています。",
}

func refuseArchive(code Code, english string) *Refusal {
	return &Refusal{code, english, archiveInJapanese[code]}
}

// fail adds a reason to reject the record.
func (r *Record) fail(why reason, column int, values ...any) {
	r.failWith(
		Error{Code: why.code, ColumnNo: column, Message: fmt.Sprintf(why.english, values...), MessageJA: fmt.Sprintf(why.japanese, values...)},
	)
}

// failRange adds one reason for n of the columns from first to last.
func (r *Record) failRange(one, several reason, first, last, n, width, want int) {
	why := several
	if n == 1 {
		why, last = one, first
	}
	r.failWith(Error{
		Code: why.code, ColumnNo: first, LastColumn: last,
		Message: fmt.Sprintf(why.english, n, cells(width), want), MessageJA: fmt.Sprintf(why.japanese, n, width, want),
	})
}

// cells returns so many cells in English.
func cells(n int) string {
	if n == 1 {
		return "1 cell"
	}
	return fmt.Sprintf("%d cells", n)
}

func (r *Record) failWith(e Error) {
	e.LastColumn = max(e.LastColumn, e.ColumnNo)
	if len(r.Errors) < maxErrors {
		r.Errors = append(r.Errors, e)
	}
}

// rowFaults maps the faults of workbook rows to the reasons to reject them.
var rowFaults = map[grid.Code]reason{
	grid.BadReference: {BadReference,
		"The reference in the file is invalid, so the position is unknown.",
		"ファイルに書かれた位置が正しくないため、どこに属するか分かりません。"},
	grid.DuplicateRow: {DuplicateRow,
		"An earlier row has the same number.",
		"同じ番号の行がすでにあります。"},
	grid.DuplicateCell: {DuplicateCell,
		"Another cell with a value has the same reference.",
		"このセルの位置には別の値があります。"},
	grid.MissingSharedString: {MissingSharedString,
		"The cell refers to a text that does not exist in the workbook.",
		"セルが指す文字列がブックにありません。"},
	grid.BadValue: {BadValue,
		"The cell is a boolean, but neither true nor false.",
		"真偽値のセルですが、真でも偽でもありません。"},
	grid.InvalidCharacter: hasNUL,
	grid.InvalidEncoding: {InvalidEncoding,
		"The cell's bytes are not valid text.",
		"セルの内容が文字として読めません。"},
	grid.CellTooLong: {CellTooLong,
		"The cell's text exceeds the limit and was truncated.",
		"セルのテキストが上限を超えています。先頭部分だけを残しました。"},
	grid.RecordTooLong: {RecordTooLong,
		"The row's text exceeds the limit and was truncated.",
		"行のテキストが上限を超えています。先頭部分だけを残しました。"},
	grid.TooManyColumns: {TooManyColumns,
		"The row has more columns than the limit and was truncated.",
		"行の列数が上限を超えています。先頭部分だけを残しました。"},
}

// The reasons to refuse a file because of the requested sheet.
var (
	noSheet = reason{NoSuchSheet,
		"The workbook has no worksheet %q; it has %s.",
		"ブックにワークシート%qがありません。あるのは%sです。"}
	oneTable = reason{NoSuchSheet,
		"The file has no sheet %q: it has one table, sheet 1.",
		"ファイルにはシート%qはありません。表は1つで、シート1です。"}
	noWorkbook = reason{NoSuchSheet,
		"The file has no sheet %q: it is text and has only sheet 1.",
		"テキストファイルにはシート%qはありません。シートは1だけです。"}
)

// fileFault turns a fault of the workbook into a Refusal and returns other errors unchanged.
func fileFault(err error) error {
	if fault, ok := errors.AsType[*grid.Error](err); ok {
		refusal := refuse(Code(fault.Code), storable(fault.Message))
		refusal.MessageJA = cmp.Or(fault.MessageJA, refusal.MessageJA)
		return refusal
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
