package grid

// Step is what people can do with a file that is not read, in English and Japanese.
type Step struct{ English, Japanese string }

// The steps.
var (
	SaveAsWorkbook = Step{
		"Open it in a spreadsheet program and save it as an Excel workbook (xlsx).",
		"表計算ソフトで開き、Excelブック（xlsx）として保存してください。",
	}
	CopyTable = Step{
		"Copy its table into a spreadsheet and save that as an Excel workbook (xlsx) or CSV.",
		"表を表計算ソフトにコピーし、Excelブック（xlsx）かCSVとして保存してください。",
	}
	ExportTable = Step{
		"Export its table as CSV or an Excel workbook (xlsx).",
		"表をCSVかExcelブック（xlsx）として書き出してください。",
	}
	SaveAsUTF8 = Step{
		"Save it as text in UTF-8.",
		"UTF-8のテキストとして保存してください。",
	}
	Unpack = Step{
		"Unpack it, and send the tables in it or a zip archive of them.",
		"展開して、中の表か、それらのzipアーカイブを送ってください。",
	}
)

// Unsupported returns the Error of a file of a format that is not read: what it is, in English and Japanese, and what to do.
func Unsupported(what, whatJA string, next Step) *Error {
	return &Error{
		Code:      UnsupportedFormat,
		Message:   "The file is " + what + ", which cannot be read. " + next.English,
		MessageJA: "このファイルは" + whatJA + "で、読めません。" + next.Japanese,
	}
}
