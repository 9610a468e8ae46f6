package main

// uploadMutants are of uploads straight to the blob store.
var uploadMutants = []mutant{
	{
		"a blob that its owner has written over is taken for the upload",
		"upload-api/internal/direct/complete.go",
		"blob.SizeBytes != up.SizeBytes || blob.Note != noteOf(up)",
		"blob.SizeBytes != up.SizeBytes",
		"./upload-api -run Altered",
	},
	{
		"an aborted upload becomes a file",
		"upload-api/internal/direct/complete.go",
		"\t\tcase postgres.UploadAbandoned:\n\t\t\treturn gone()\n\t\tcase postgres.UploadOpen:",
		"\t\tcase postgres.UploadOpen, postgres.UploadAbandoned:",
		"./upload-api/internal/direct",
	},
	{
		"a file that was overwritten is read",
		"parse-worker/load.go",
		"r.task.BlobName, r.task.ETag)",
		`r.task.BlobName, "")`,
		"./parse-worker -run Overwritten",
	},
	{
		"an address can be used to read",
		"internal/azure/address.go",
		"sas.BlobPermissions{Write: true}",
		"sas.BlobPermissions{Write: true, Read: true}",
		"./upload-api -run Address",
	},
	{
		"who aborts and begins again in a loop has as many addresses as they like",
		"internal/postgres/direct_upload.go",
		"or writable_until > now()) limit",
		") limit",
		"./upload-api -run OpenUploads",
	},
	{
		"two at once begin more uploads than are allowed",
		"internal/postgres/direct_upload.go",
		"select pg_advisory_xact_lock(hashtextextended('upload ' || $1, 0))",
		"select 'upload ' || $1",
		"./upload-api -run OpenUploads",
	},
	{
		"blocks that nobody commits stay for ever",
		"internal/azure/blobs.go",
		"UncommittedBlobs: true",
		"UncommittedBlobs: false",
		"./internal/maintenance -run BlocksWithout",
	},
	{
		"a restore that nobody has noticed yet takes a file's bytes",
		"internal/maintenance/abandoned_uploads.go",
		"lateCompleted = day ",
		"lateCompleted = day / 2",
		"./internal/maintenance -run Abandoned",
	},
	{
		"a write that began in time leaves a blob that nobody knows",
		"internal/maintenance/abandoned_uploads.go",
		"5 * time.Minute",
		"0 * time.Minute",
		"./internal/maintenance -run Abandoned",
	},
	{
		"a recovery gives somebody the file of another owner",
		"upload-api/internal/receive/blob_name.go",
		`strings.HasSuffix(blob, "."+bindingOf(owner, id))`,
		`bindingOf(owner, id) != ""`,
		"./upload-api -run DirectFile",
	},
	{
		"a hash that somebody promises is the file's",
		"internal/postgres/direct_upload.go",
		"SizeBytes: u.SizeBytes, ETag: etag,",
		"SizeBytes: u.SizeBytes, ETag: etag, SHA256: u.SHA256,",
		"./upload-api -run PromisedHash",
	},
}
