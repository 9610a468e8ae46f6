package why

import "sheetdrop/internal/task"

// happened has a sentence for each kind of item.
var happened = map[Kind]sentence{
	Accepted:    {"Accepted: file, task and message are stored.", "受け付けました。ファイル、タスク、メッセージは保存済みです。"},
	MessageSent: {"Its message is in the queue.", "メッセージがキューに入りました。"},
	MessageRenewed: {"Maintenance wrote another message, because none seemed left ({n} so far).",
		"メッセージが失われたようなので、メンテナンスが書き直しました（これまで{n}回）。"},
	MessageRedriven: {"Its refused message was queued again.", "拒否されたメッセージを再送待ちに戻しました。"},
	DeadLetter: {"The queue gave a message up, because each delivery failed; the task does not depend on it.",
		"配信のたびに失敗したため、キューがメッセージを断念しました。タスクには影響しません。"},
	Started:  {"A worker began attempt {attempt}.", "ワーカーが{attempt}回目の処理を開始しました。"},
	Returned: {"Attempt {attempt} ended, and the task waits for another one.", "{attempt}回目の処理が中断し、タスクは次の処理を待ちます。"},
	Reclaimed: {"The lease of attempt {attempt} had expired, and the task waits for another one.",
		"{attempt}回目の処理のリースが切れ、タスクは次の処理を待ちます。"},
	CancelRequested: {"Somebody asked to cancel it.", "キャンセルが求められました。"},
	Retried:         {"Somebody had it run again.", "再実行が求められました。"},
	Completed:       {"COMPLETED: {n} rows are there.", "COMPLETED：{n}行が入りました。"},
	Failed:          {"FAILED.", "FAILED。"},
	Cancelled:       {"CANCELLED.", "CANCELLED。"},
	Loaded:          {"Loaded into its target, as load {n}.", "取り込み先に取り込みました（取り込み番号{n}）。"},
	LoadUndone:      {"Load {n} was undone.", "取り込み{n}は取り消されました。"},
	LoadSuperseded:  {"A later load took the place of load {n}.", "取り込み{n}は後の取り込みに置き換えられました。"},
	RowsDeleted:     {"What it found was deleted.", "読み取った結果が削除されました。"},
	FileDeleted:     {"The file was deleted.", "ファイルが削除されました。"},
	WebhookWaiting:  {"An event for a webhook waits to be delivered (attempts so far: {n}).", "Webhookへの通知が配信待ちです（これまで{n}回試行）。"},
}

// stands has a sentence for each code.
var stands = map[Code]sentence{
	DatabaseReadOnly: {"The database is read-only: nothing can go on.", "データベースが読み取り専用のため、何も進みません。"},
	TimerStopped:     {"The timer has not run: it sends what waits, and reclaims what died.", "送信と回収を行うタイマーが動いていません。"},
	WaitsForRelay:    {"Waits for its message to be sent to the queue.", "メッセージがキューに送られるのを待っています。"},
	QueueUnavailable: {"The queue does not take its message, which is sent again and again.", "キューがメッセージを受け付けないため、送信を繰り返しています。"},
	MessageRefused: {"The queue has refused its message for good; maintenance writes another one.",
		"キューがメッセージを拒否しました。メンテナンスが新しいメッセージを書きます。"},
	RetryPause: {"Pauses before its next attempt.", "次の処理まで間を置いています。"},
	TargetTurn: {"Waits for its turn in its target: {n} before it.", "取り込み先への取り込みの順番を待っています（前に{n}件）。"},
	OwnerShare: {"Waits for a worker, behind {n} earlier ones of its owner; owners take turns.",
		"ワーカーを待っています。同じ所有者の{n}件が先です（所有者ごとに交代）。"},
	RunsAlone:      {"Waits for a worker with nothing else to do: two of its workers died.", "ほかの処理がないワーカーを待っています。ワーカーが2回停止したためです。"},
	WaitsForWorker: {"Its message was sent to the queue; waits for a worker to receive it.", "メッセージはキューにあります。ワーカーが受け取るのを待っています。"},
	HeartbeatMissing: {"Its worker is silent. If it is dead, its lease expires and the task is reclaimed.",
		"ワーカーが応答していません。停止した場合はリースが切れ、タスクは回収されます。"},
	LeaseExpired: {"Its worker died. Maintenance reclaims the task.", "ワーカーが停止しました。メンテナンスがタスクを回収します。"},
	Cancelling:   {"Waits for its worker to stop.", "ワーカーが処理をやめるのを待っています。"},
	Running:      {"A worker is reading it.", "ワーカーが処理しています。"},
	IsCompleted:  {"COMPLETED.", "COMPLETED。"},
	IsFailed:     {"FAILED.", "FAILED。"},
	IsCancelled:  {"CANCELLED.", "CANCELLED。"},
	IsDeleted:    {"Its file was deleted.", "ファイルは削除されました。"},
}

// steps say what somebody can do, or has to.
var steps = map[Code]sentence{
	DatabaseReadOnly: {"An operator must let the database write again: most often its disk is full.",
		"運用者がデータベースを書き込めるようにする必要があります（多くはディスク不足です）。"},
	TimerStopped:   {"An operator must see why the function outbox-relay does not run.", "運用者が関数outbox-relayの動かない理由を調べる必要があります。"},
	MessageRefused: {"To send it at once", "今すぐ送るには"},
	RetryPause:     {"To end it instead", "やめるには"},
	TargetTurn:     {"To end it instead", "やめるには"},
	OwnerShare:     {"To end it instead", "やめるには"},
	RunsAlone:      {"To end it instead", "やめるには"},
	WaitsForWorker: {"To end it instead", "やめるには"},
	Running:        {"To end it", "やめるには"},
	IsFailed:       {"Somebody must act", "対応が必要です"},
	IsCancelled:    {"To run it after all", "やはり実行するには"},
}

var by = map[By]sentence{ByOwner: {"its owner", "所有者"}, ByOperator: {"an operator", "運用者"}}

// counted follows a run that counts.
var counted = sentence{"It counts against the limit of 5.", "上限5回に数えます。"}

// reasons say why a run ended. Codes of input errors are their own text here: their sentences are with the task.
var reasons = map[string]sentence{
	string(task.ReasonWorkerDied):    {"Its worker died.", "ワーカーが停止しました。"},
	string(task.ReasonInternalError): {"An error of sheetdrop itself.", "sheetdrop自体のエラーです。"},
	string(task.ReasonTookTooLong):   {"It took longer than a run may.", "処理の制限時間を超えました。"},
	string(task.ReasonDatabaseFull):  {"It filled the database's disk.", "データベースのディスクがいっぱいになりました。"},
	string(task.ReasonTooLittleTime): {"It had begun too late in its worker's time.", "ワーカーの残り時間が足りませんでした。"},
	string(task.ReasonStopped):       {"Its worker was told to stop.", "ワーカーに停止の指示がありました。"},
	string(task.ReasonNewerVersion):  {"Its options need a newer version, which is being deployed.", "オプションに新しいバージョンが必要です（デプロイ中）。"},
	string(task.ReasonSheetChanged):  {"The sheet that it corrects had changed.", "修正先のシートが変わっていました。"},
	string(task.ReasonStorageAway):   {"The blob store did not answer.", "Blob ストアが応答しませんでした。"},
	string(task.ReasonServiceAway):   {"A service, most likely the database, did not answer.", "サービス（おそらくデータベース）が応答しませんでした。"},
	string(task.ReasonUnknown):       {"An error that sheetdrop does not know; the log has it.", "不明なエラーです（ログにあります）。"},
	string(task.ContentMissing):      {"Its bytes are missing from the blob store.", "Blob ストアにファイルの内容がありません。"},
	string(task.ContentChanged):      {"Its bytes in the blob store are not those that were uploaded.", "Blob ストアの内容がアップロード時と異なります。"},
}
