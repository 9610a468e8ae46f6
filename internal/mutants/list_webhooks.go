package main

// webhookMutants are mistakes in what is sent when tasks end.
var webhookMutants = []mutant{
	{
		"a name is called at whatever address it has by now (DNS rebinding)",
		"internal/outbound/transport.go",
		"if !c.Allowed(to.Addr().Unmap()) {",
		"if !c.Allowed(to.Addr().Unmap()) && false {",
		"./internal/webhook -run Rebinding",
	},
	{
		"an address in IPv6's form is judged as none of IPv4",
		"internal/outbound/address.go",
		"ip = ip.Unmap()",
		"",
		"./internal/outbound -run OnlyPublic",
	},
	{
		"the signature leaves the time out, so that old events can be sent again",
		"internal/webhook/sign.go",
		`m.ID + "." + m.timestamp() + "."`,
		`m.ID + "."`,
		"./internal/webhook -run Signature",
	},
	{
		"a later end of a task overtakes an earlier one",
		"internal/postgres/webhookstore/outbox.go",
		"e.task_id = d.task_id and e.seq < d.seq and e.status = 'PENDING')",
		"e.task_id = d.task_id and e.seq < d.seq and false)",
		"./internal/postgres/webhookstore -run Overtakes",
	},
	{
		"one owner's events take all places",
		"internal/postgres/webhookstore/outbox.go",
		"place <= $4 - coalesce",
		"place <= 1000 + $4 - coalesce",
		"./internal/postgres/webhookstore -run Share",
	},
	{
		"who has lost the lease writes the outcome",
		"internal/postgres/webhookstore/outbox.go",
		"  where id = $1 and locked_by = $2\n  returning webhook_id",
		"  where id = $1 and $2::uuid is not null\n  returning webhook_id",
		"./internal/postgres/webhookstore -run Lease",
	},
	{
		"what is due is left, where all that was under way ended during a claim",
		"internal/webhook/dispatch/dispatch.go",
		"len(claimed) == 0 && idle",
		"len(claimed) == 0 && s.receivers.sending() == 0",
		"./internal/webhook/dispatch -run DueEvents -count 20",
	},
	{
		"a receiver that fails again and again is called without a pause",
		"internal/webhook/dispatch/receivers.go",
		"most[id] = 0\n",
		"most[id] = r.each\n",
		"./internal/webhook/dispatch -run Failing",
	},
}
