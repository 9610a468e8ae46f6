package doctor

// Checks are all that are made, in this order. A check stands behind those whose findings it would only repeat.
var Checks = []Check{
	{"settings.handler", "Does the handler accept its settings?", nil, (*examination).handlerSettings},
	{"settings.host", "Are the settings there that the Functions host reads?", nil, (*examination).hostSettings},
	{"settings.agree", "Do the settings of host and handler agree?", nil, (*examination).agreeingSettings},
	{"settings.names", "Is no setting misspelled?", nil, (*examination).settingNames},

	{"local.programs", "Are the programs there that `sheetdrop local` needs?", nil, (*examination).localPrograms},
	{"local.disk", "Is there room on the disk of the data?", nil, (*examination).localDisk},
	{"local.leftovers", "Has a killed `sheetdrop local` left no processes?", nil, (*examination).localLeftovers},
	{"local.ports", "Are the ports of the last start free?", nil, (*examination).localPorts},
	{"local.running", "Does a sheetdrop run on this machine?", nil, (*examination).localRunning},

	{"api.reach", "Does the API answer, over TLS that can be trusted?", after("local.running"), (*examination).apiReach},
	{"api.signin", "Does it accept the caller, as an operator?", after("api.reach"), (*examination).apiSignIn},

	{"database.reach", "Does PostgreSQL answer?", after("local.running"), (*examination).databaseReach},
	{"database.login", "Does it accept the login, and is the database there?", after("database.reach"), (*examination).databaseLogin},
	{"database.version", "Is it PostgreSQL 15 or newer?", after("database.login"), (*examination).databaseVersion},
	{"database.writable", "Does it accept writes?", after("database.login"), (*examination).databaseWritable},
	{"database.connections", "Are connections left?", after("database.login"), (*examination).databaseConnections},
	{"database.disk", "Is there room on its disk, where that can be seen?", after("database.login"), (*examination).databaseDisk},
	{"database.wraparound", "Are transaction ids frozen in time?", after("database.login"), (*examination).databaseAge},
	{"database.slots", "Does no replication slot hold back the log?", after("database.login"), (*examination).databaseSlots},

	{"schema.indexes", "Are all indexes valid?", after("database.login"), (*examination).schemaIndexes},
	{"schema.version", "Does the database have the schema that the program needs?", after("schema.indexes"), (*examination).schemaVersion},
	{"schema.partitions", "Are all partitions of the outbox's history there?", after("schema.version"), (*examination).schemaPartitions},
	{"schema.constraints", "Were all constraints validated?", after("schema.version"), (*examination).schemaConstraints},
	{"schema.triggers", "Are all triggers switched on?", after("schema.version"), (*examination).schemaTriggers},
	{"database.rights", "Does the app have the rights that it needs, and no others?", after("schema.version"), (*examination).databaseRights},
	{"server.version", "Do the server, its handler and this program need the same schema?", nil, (*examination).serverVersion},

	{"database.autovacuum", "Is autovacuum on?", after("database.login"), (*examination).databaseVacuum},
	{"database.transactions", "Is no transaction open for too long?", after("database.login"), (*examination).databaseTransactions},
	{"database.locks", "Does nobody wait for a lock for too long?", after("database.login"), (*examination).databaseLocks},
	{"database.deadrows", "Does autovacuum keep up?", after("database.autovacuum", "schema.version"), (*examination).databaseBloat},

	{"storage.reach", "Does the storage answer?", after("local.running"), (*examination).storageReach},
	{"clocks", "Do all clocks show the same time?", nil, (*examination).compareClocks},
	{"storage.rights", "Does it accept the key or the sign-in?", after("storage.reach"), (*examination).storageRights},
	{"storage.container", "Is the container of files there?", after("storage.rights"), (*examination).storageContainer},
	{"storage.queue", "Is the queue there?", after("storage.rights"), (*examination).storageQueue},
	{"storage.poison", "Is the poison queue there?", after("storage.queue"), (*examination).storagePoison},

	{"state.timer", "Does the timer run?", nil, (*examination).stateTimer},
	{"state.recovery", "Is no recovery of a restored database open?", after("state.timer"), (*examination).stateRecovery},
	{"state.leases", "Are expired leases reclaimed?", after("state.timer"), (*examination).stateLeases},
	{"state.outbox", "Are messages sent when they are due?", after("state.timer"), (*examination).stateOutbox},
	{"state.queue", "Are messages of the queue received?", after("storage.queue"), (*examination).stateQueue},
	{"state.poison", "Is the poison queue empty?", after("storage.poison"), (*examination).statePoison},
	{"state.failed", "Was no message given up?", after("state.timer"), (*examination).stateFailed},
	{"state.tasks", "Does no task wait for too long?", after("state.timer", "state.outbox"), (*examination).stateTasks},
	{"state.deadletters", "Has the worker handled all messages of the last day?", after("state.timer"), (*examination).stateDeadLetters},
	{"state.failures", "Did no task of the last day fail for a reason other than its file?", after("state.timer"), (*examination).stateFailures},
	{"state.purge", "Are deleted files removed?", after("state.timer"), (*examination).statePurge},
	{"state.webhooks", "Were no events of webhooks given up in the last day?", after("state.timer"), (*examination).stateWebhooks},

	{"api.ready", "Does the server have everything that it needs?", after("api.reach"), (*examination).apiReady},
}

// after are the checks that a check needs.
func after(ids ...string) []string { return ids }
