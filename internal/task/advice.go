package task

// advice is what somebody can do about a failure, in both languages.
type advice struct {
	english, japanese string
	anotherFile       bool // no other options help
}

// Advice returns what somebody can do about the failure, in English and Japanese; "" for a code of a record, that of a header.
// It is the one place of these sentences: API, page and command line show them.
func (f Failure) Advice() (english, japanese string) {
	found := advices[f.Code]
	return found.english, found.japanese
}

// NeedsAnotherFile reports whether no options make the file as it is readable.
func (f Failure) NeedsAnotherFile() bool { return advices[f.Code].anotherFile }

var (
	runAgain = advice{"Run it again; if it fails once more, tell whoever runs this service.",
		"再実行してください。また失敗するときは、管理者にお問い合わせください。", false}
	thenUpload = advice{"Upload the new file.", "新しいファイルをアップロードしてください。", true} // how it is made, the message says
	split      = advice{"Split the file, or ask whoever runs this service.", "ファイルを分割するか、管理者にお問い合わせください。", true}
	fewer      = advice{"Leave sheets out, or read one of them with sheet.", "シートを減らすか、sheet で1つずつ読み取ってください。", false}
	saveAnew   = advice{"Export it again, or let Excel repair and save it; then upload it.", "もう一度出力するか、Excelで開いて保存し直してから、アップロードしてください。", true}
	lookFaults = advice{"Look at the rejects: the delimiter or encoding may be another one.",
		"エラー行を確認してください。区切り文字や文字コードが異なる可能性があります。", false}
	askOwner = advice{"Choose another target, or ask its owner.", "別の取り込み先を選ぶか、所有者にお問い合わせください。", false}
)

// advices has every code that a failure can have: those of files and tasks in docs/errors.md.
var advices = map[FailureCode]advice{
	"empty_file":              {"Look whether the right file was chosen.", "ファイルが正しいか確認してください。", false},
	"unsupported_format":      thenUpload,
	"damaged_file":            saveAnew,
	"encrypted":               thenUpload,
	"wrong_password":          {"Look whether the password is that of this workbook.", "このブックのパスワードか確認してください。", true},
	"no_such_sheet":           {"Choose another sheet and read it again.", "別のシートを指定して読み直してください。", false},
	"missing_column":          {"Look at the declared columns and read it again.", "列の宣言を確認して読み直してください。", false},
	"nothing_to_correct":      {"Upload the whole file again.", "ファイル全体をもう一度アップロードしてください。", true},
	"mapping_needed":          {"Match the columns, and read it again.", "列を対応付けて読み直してください。", false},
	"ambiguous_header":        {"Choose which header goes into the column, and read it again.", "列に対応付ける見出しを選んで読み直してください。", false},
	"format_ambiguous":        {"Choose the format in the mapping, and read it again.", "対応付けで書式を選んで読み直してください。", false},
	"sheet_needed":            {"Choose a sheet, and read it again.", "シートを選んで読み直してください。", false},
	"target_dropped":          askOwner,
	"target_refuses":          {"Look in the database what refers to the rows.", "これらの行を参照しているものをデータベースで確認してください。", false},
	"newer_load":              {"Undo the newer load first, or upload this file once more.", "新しい取り込みを取り消すか、このファイルをもう一度アップロードしてください。", true},
	"undo_expired":            {"Read it again with earlier=keep, or leave it.", "earlier=keep で読み直すか、そのままにしてください。", false},
	"row_rejected":            {"Look at the rejects, or allow rejects and read it again.", "エラー行を確認するか、エラーを許容して読み直してください。", false},
	"too_many_rejects":        lookFaults,
	"too_many_columns":        {"Look whether the delimiter is right.", "区切り文字が正しいか確認してください。", false},
	"too_many_columns_in_all": fewer,
	"headers_too_long":        fewer,
	"output_too_large":        split,
	"too_many_rows":           split,
	"too_many_cells":          split,
	"too_many_unique_values":  {"Declare fewer columns unique.", "一意とする列を減らしてください。", false},
	"too_complex":             {"Declare simpler patterns: fewer repetitions of long classes.", "パターンを簡単にしてください。", false},
	"package_too_large":       split,
	"unzipped_too_large":      split,
	"unzip_ratio":             {"Unpack it, and upload what is in it.", "展開して、中のファイルをアップロードしてください。", true},
	"too_many_parts":          saveAnew,
	WorkerDied:                runAgain,
	InternalError:             runAgain,
	TookTooLong:               runAgain,
	DatabaseFull:              {"Run it again once whoever runs this service has made room.", "管理者が空きを作った後に再実行してください。", false},
	ContentMissing:            {"Run it again once its bytes are back, or upload the file again.", "内容が復元された後に再実行するか、もう一度アップロードしてください。", false},
	ContentChanged:            {"Upload the file again.", "もう一度アップロードしてください。", true},
}
