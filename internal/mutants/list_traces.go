package main

// traceMutants are mistakes in traces.
var traceMutants = []mutant{
	{
		"addresses and paths of callers leave in traces",
		"internal/tracing/export/content.go",
		"return slices.DeleteFunc(slices.Clone(attributes), func(a attribute.KeyValue) bool { return !mayLeave(a) })",
		"return attributes",
		"./internal/tracing/export",
	},
	{
		"errors that quote cells leave in traces",
		"internal/tracing/export/content.go",
		"return sdk.Status{Code: s.ReadOnlySpan.Status().Code}",
		"return s.ReadOnlySpan.Status()",
		"./internal/tracing/export",
	},
	{
		"below the Functions host nothing is ever exported",
		"internal/tracing/export/settings.go",
		"sdk.ParentBased(root, sdk.WithRemoteParentNotSampled(root))",
		"sdk.ParentBased(root)",
		"./internal/tracing/export",
	},
	{
		"what is done for a task is in the trace of the timer",
		"internal/tracing/tracing.go",
		"if !remote.IsValid() || remote.TraceID() == caller.TraceID() {",
		"if !remote.IsValid() || caller.IsValid() {",
		"./internal/tracing",
	},
	{
		"a run is in another trace than its upload",
		"outbox-relay/send.go",
		"queue.Send(ctx, traced(m.Payload, tracing.Parent(ctx)))",
		"queue.Send(ctx, m.Payload)",
		"./verify/e2e -run OneTrace",
	},
	{
		"nobody sees what a retry is the retry of",
		"internal/postgres/retry.go",
		"tracing.LinkTo(ctx, e.TraceContext) // from",
		"// from",
		"./verify/e2e -run TraceOfARetry",
	},
	{
		"a task that is cancelled before it has run has no end in its trace",
		"internal/postgres/postgres.go",
		"			c.trace(ctx)",
		"			_ = c",
		"./verify/e2e -run TraceOfACancelledTask",
	},
}
