package crash

// effect is a place where the handler changes, or asks, something outside of itself, and how to bring it there. The name is the function
// that wants it and the method of postgres or azure that does it; what these do in a goroutine of their own is named by it alone, and what the
// SDK does in one by the HTTP call.
type effect struct {
	name     string
	scenario string
}

// openBlob is the reading of a blob's beginning, which for a small file is all of it.
const openBlob = "parse-worker.Worker.load Open"

// withAnIdentity is what calls storage only where the app has an identity, which it has not here: for the key that signs addresses.
const withAnIdentity = "direct.Uploads.findAddress WriteAddress"

// effects are all there are. TestEffectsAreListed finds what is missing in the source, and each case what was reached and is not here.
var effects = []effect{
	// These begin, because a message that was taken out of the poison queue is seen again only after half a minute.
	{"maintenance.deadLetters.receive TakePoison", "a message is poisoned"},
	{"maintenance.deadLetters.store InTx", "a message is poisoned"},
	{"maintenance.deadLetters.delete DeletePoison", "a message is poisoned"},

	{"upload-api.tasks.cancelTask InTx", "a waiting task is cancelled"},
	{"upload-api.tasks.cancelTask InTx", "a running task is cancelled"},
	{"upload-api.files.deleteFile InTx", "a file is deleted"},
	{"upload-api.files.deleteWithLoads InTx", "a file is deleted with its loads"},
	{"export.Exporter.Open Download", "a file is read again"},
	{"export.Exporter.Open Download", "a stored file is previewed"},
	{"upload-api.state.getReady Ready", "readiness is asked for"},
	{"upload-api.tasks.deleteRows InTx", "a task's rows are deleted"},
	{"upload-api.tasks.postTask InTx", "a file is parsed again"},
	{"upload-api.bulks.postBulk InTx", "many files are parsed again"},
	{"upload-api.tasks.retryTask InTx", "a task is retried"},
	{"upload-api.views.makeView InTx", "a view is made"},
	{"upload-api.views.dropView InTx", "a view is dropped"},
	{"targets.targets.createTarget InTx", "a target is created"},
	{"targets.targets.changeTarget InTx", "a target is changed"},
	{"targets.targets.setShares InTx", "a target is shared"},
	{"targets.targets.setChoices InTx", "columns of a target are chosen"},
	{"targets.targets.forgetChoices InTx", "columns of a target are chosen"},
	{"targets.targets.dropTarget InTx", "a target is dropped"},
	{"targets.targets.undo InTx", "a load is undone"},
	{"webhooks.webhooks.create InTx", "a webhook is created"},
	{"webhooks.webhooks.change InTx", "a webhook is changed"},
	{"webhooks.webhooks.rotate InTx", "a webhook's secret is rotated"},
	{"webhooks.webhooks.test InTx", "a webhook is tested"},
	{"webhooks.webhooks.redeliver InTx", "an event is sent again"},
	{"webhooks.webhooks.remove InTx", "a webhook is deleted"},
	{"operate.operators.retryTasks InTx", "failed tasks are retried"},
	{"operate.operators.redriveMessage InTx", "a message is redriven"},
	{"operate.operators.redriveMessages InTx", "failed messages are redriven"},
	{"operate.recoveries.beginRecovery InTx", "a restore is reported"},
	{"operate.recoveries.getLostBlobs ListNotes", "a lost file is recovered"},
	{"operate.recoveries.readLost ListNotes", "a lost file is recovered"},
	{"operate.recoveries.measure Download", "a lost file is recovered"},
	{"operate.recoveries.recoverFile InTx", "a lost file is recovered"},
	{"operate.recoveries.endRecovery InTx", "a lost file is recovered"},
	{"receive.intake.write InsertUpload", "a file is uploaded"},
	{"receive.intake.write InStatement", "a file is uploaded twice"},
	{"receive.intake.write InTx", "a file is uploaded as no duplicate"},
	{"receive.intake.earlier InTx", "a file is fetched"},
	{"upload-api.uploadTokens.create InTx", "an upload token is made"},
	{"upload-api.uploadTokens.delete InTx", "an upload token is deleted"},
	{"receive.intake.discard Discard", "a file is uploaded twice"},
	{"receive.intake.setOptions SetNote", "options come behind a file"},
	{"receive.intake.store Upload", "a file is uploaded"},
	{"receive.intake.store Upload", "a large file is uploaded"},
	{"PUT block", "a large file is uploaded"},

	{"direct.Uploads.Begin InTx", "a file goes to the store"},
	{"direct.Uploads.needRoom StagedBlocks", "a file goes to the store"},
	{"direct.Uploads.findAddress ExtendDirectUpload", "a file goes to the store"},
	{"direct.Uploads.Staged StagedBlocks", "a file goes to the store"},
	{"direct.Uploads.commitBlocks CommitBlocks", "a file goes to the store"},
	{"direct.Uploads.recognize Stat", "a file goes to the store"},
	{"direct.Uploads.commitFile InTx", "a file goes to the store"},
	{"direct.Uploads.Abort InTx", "an upload is aborted"},
	{"operate.recoveries.readDirect Stat", "a lost file of the store is recovered"},

	{"outbox-relay.Relay.claim ClaimMessages", "a message waits"},
	{"outbox-relay.Relay.deliverNudged ClaimMessagesByID", "a file is uploaded"},
	{"outbox-relay.Relay.renewLease RenewMessages", "sending takes long"},
	{"outbox-relay.parseQueue Send", "a message waits"},
	{"outbox-relay.blobDeletion Delete", "a file is deleted"},
	{"outbox-relay.Relay.settle Settle", "a message waits"},

	{"maintenance.acquire TakeReconciler", "a worker has died"},
	{"maintenance.lease.renew RenewReconciler", "a worker has died"},
	{"maintenance.expiredLeases.release InTx", "a worker has died"},
	{"maintenance.expiredLeases.release InTx", "a worker has died for the fifth time"},
	{"maintenance.alerts.announce DeleteAlerts", "a worker has died for the fifth time"},
	{"maintenance.forgottenTasks.waitingTime HasVisible", "a message was lost"},
	{"maintenance.forgottenTasks.enqueueBatch InTx", "a message was lost"},
	{"maintenance.purge.oldFiles InTx", "a file is old"},
	{"maintenance.views.refresh InTx", "a file with a view is deleted"},
	{"maintenance.views.refresh InTx", "a file with a view is parsed again"},
	{"maintenance.purge.sheetsOfDeletedFiles InTx", "a deleted file has rows"},
	{"maintenance.purge.rows InTx", "a deleted file has rows"},
	{"maintenance.purge.deletedFiles InTx", "a file was deleted a week ago"},
	{"maintenance.purge.records InTx", "records are old"},
	{"maintenance.purge.webhookDeliveries InTx", "webhook deliveries are old"},
	{"maintenance.purge.usage InTx", "an owner has been away"},
	{"maintenance.purge.settledLoads InTx", "loads of a target are old"},
	{"maintenance.purge.targetHistory InTx", "loads of a target are old"},
	{"maintenance.restoreCheck.readEpoch Epoch", "a blob has no file"},
	{"maintenance.restoreCheck.compareEpochs RaiseEpoch", "a blob has no file"},
	{"maintenance.restoreCheck.storeEpoch SetEpoch", "a blob has no file"},
	{"maintenance.orphanBlobs.list List", "a blob has no file"},
	{"maintenance.orphanBlobs.delete Discard", "a blob has no file"},
	{"maintenance.orphanBlobs.sweepPage StoreSweep", "a blob has no file"},
	{"maintenance.abandonedUploads.remove InTx", "an upload was abandoned"},
	{"maintenance.abandonedUploads.discard Discard", "an upload was abandoned"},
	{"maintenance.abandonedUploads.remove RemoveAbandonedUploads", "an upload was abandoned"},
	{"maintenance.history.truncate TruncateHistory", "a day of the history is over"},
	{"maintenance.outboxStats.write Lengths", "a message was lost"},
	{"maintenance.lease.release ReleaseReconciler", "a worker has died"},

	{"dispatch.Sender.expire InTx", "a webhook hears of a file"},
	{"dispatch.Sender.claim InTx", "a webhook hears of a file"},
	{"dispatch.Sender.settle InTx", "a webhook hears of a file"},
	{"parse-worker.run.complete Complete", "a webhook hears of a file"},

	{"parse-worker.delivery.claim InTx", "a file is uploaded"},
	{"parse-worker.delivery.claimWaiting InTx", "another owner's file waits"},
	{openBlob, "a file is uploaded"},
	{"parse-worker.source.ReadAt ReadAt", "a large file is uploaded"},
	{"azure.BlobReader.fetch", "a large file is uploaded"},
	{"parse-worker.run.sheets NewSheetID", "a file is uploaded"},
	{"parse-worker.Worker.makeRoom InTx", "a large file is uploaded"},
	{"parse-worker.heart.renew Heartbeat", "loading takes long"},
	{"parse-worker.run.complete Complete", "a file is uploaded"},
	{"parse-worker.run.complete Complete", "corrected rejects are sent back"},
	{"parse-worker.run.complete Complete", "corrected rejects of a target are sent back"},
	{"parse-worker.run.complete Complete", "a load with corrections is undone"},
	{"parse-worker.delivery.claim InTx", "files of a target wait"},
	{"parse-worker.targetRun.decide InTx", "files of a target wait"},
	{"parse-worker.targetRun.freeze InTx", "files of a target wait"},
	{"parse-worker.targetRun.intoTarget NewSheetID", "files of a target wait"},
	{"parse-worker.targetRun.intoTarget NewLoadID", "files of a target wait"},
	{"parse-worker.run.complete Complete", "files of a target wait"},
	{"parse-worker.run.complete Complete", "a file is inserted into one"},
	{"parse-worker.run.complete Complete", "a file is appended to one"},
	{"parse-worker.run.complete Complete", "a file replaces a target's"},
	{"parse-worker.run.complete Complete", "a file follows another of its series"},
	{"parse-worker.run.complete Complete", "a load is undone"},
	{"parse-worker.run.complete Complete", "a file is deleted with its loads"},
	{"parse-worker.Worker.returnTask InTx", "a target's load is interrupted"},
	{"parse-worker.Worker.fail InTx", "a file is no sheet"},
	{"parse-worker.Worker.cancel InTx", "a running task is cancelled"},
	{"parse-worker.Worker.returnTask InTx", "the handler is told to stop"},
	{"parse-worker.Worker.returnTask InTx", "a load's connection breaks"},
}

func listed(name string) bool {
	for _, e := range effects {
		if e.name == name {
			return true
		}
	}
	return false
}
