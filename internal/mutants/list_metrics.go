package main

// What would make metrics tell too much, or what is not.
var metricsMutants = []mutant{
	{
		"a label takes any number of words",
		"internal/metrics/instruments.go",
		"len(v.known) >= v.most || ",
		"",
		"./internal/metrics -run TestLabelsAreBounded",
	},
	{
		"a label takes any word",
		"internal/metrics/instruments.go",
		" || !plain.MatchString(word)",
		"",
		"./internal/metrics -run TestLabelsAreBounded",
	},
	{
		"figures are told for ever",
		"internal/metrics/figures.go",
		"at.age == nil || at.age() > at.limit",
		"at.age == nil",
		"./internal/metrics -run TestFiguresGrowOld",
	},
	{
		"metrics are for whoever has a name that leads here",
		"handler/metrics.go",
		"host != \"localhost\" && (err != nil || !address.IsLoopback())",
		"host == \"\"",
		"./handler -run TestMetricsAreForThisMachineAlone",
	},
	{
		"delayed messages are told as due",
		"internal/maintenance/outbox_stats.go",
		"Due: stats.Pending - stats.Delayed,",
		"Due: stats.Pending,",
		"./verify/e2e -run TestMetricsAreWhatHasHappened",
	},
	{
		"rejects of a failed attempt are told",
		"parse-worker/run.go",
		"\tif err == nil {\n\t\tw.recordLoad(",
		"\tw.recordLoad(r, found)\n\tif err == nil {\n\t\tw.recordLoad(",
		"./verify/e2e -run TestMetricsAreWhatHasHappened",
	},
}
