package parse

import (
	"fmt"
	"time"

	"sheetdrop/internal/task"
)

// The failures other than input errors.
var (
	contentMissing = task.Failure{
		Code:      task.ContentMissing,
		Message:   "The file's bytes are no longer in the blob store.",
		MessageJA: "ファイルの内容が Blob ストアに残っていません。",
	}
	contentChanged = task.Failure{
		Code:      task.ContentChanged,
		Message:   "The file's bytes in the blob store are not those that were uploaded.",
		MessageJA: "Blob ストアにあるファイルの内容が、アップロードされたものと異なります。",
	}
	internalError = task.Failure{
		Code:      task.InternalError,
		Message:   fmt.Sprintf("A fault of the program ended %d runs; its log has the details.", task.MaxCrashes),
		MessageJA: fmt.Sprintf("プログラムの不具合により処理が%d回中断しました。詳細はログにあります。", task.MaxCrashes),
	}
)

// databasePause is about how long a task waits whose file has filled the disk: until the server has freed what was
// rolled back, or an operator or the platform has enlarged the disk. Meanwhile other tasks can use the remaining space.
const databasePause = 30 * time.Minute

var databaseFull = task.Failure{
	Code:      task.DatabaseFull,
	Message:   fmt.Sprintf("Its rows filled the database's disk in %d runs.", task.MaxCrashes),
	MessageJA: fmt.Sprintf("読み込んだ行でデータベースのディスクが%d回一杯になりました。", task.MaxCrashes),
}

func tookTooLong(limit time.Duration) task.Failure {
	return task.Failure{
		Code:      task.TookTooLong,
		Message:   fmt.Sprintf("It took longer than %s in %d runs.", limit, task.MaxCrashes),
		MessageJA: fmt.Sprintf("処理に%sを超えた実行が%d回ありました。", limit, task.MaxCrashes),
	}
}
