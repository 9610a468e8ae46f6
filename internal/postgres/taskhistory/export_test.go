package taskhistory

// SnapshotSQL is for tests.
var SnapshotSQL = snapshotSQL
