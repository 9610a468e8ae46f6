package export

import (
	"context"
	"slices"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/trace"

	"sheetdrop/internal/tracing"
)

// withoutContent keeps what customers have written, who they are, and secrets out of all that is exported, whichever library
// has put it into a span: attributes leave only by their names, and texts of errors, which may quote a cell or an address, do
// not.
type withoutContent struct{ sdk.SpanExporter }

// exported are the attributes that may be exported, besides those of sheetdrop itself. None has an address, a path, a statement
// or a header.
var exported = []attribute.Key{
	"http.request.method", "http.response.status_code", "http.route", "http.request.body.size", "http.response.body.size",
	"network.protocol.version", "error.type",
	"db.system.name", "db.operation.name", "pgx.rows_affected", "pgx.sql_state",
	"messaging.system", "messaging.operation.name", "messaging.message.id", "faas.invocation_id",
	"exception.type",
}

func mayLeave(a attribute.KeyValue) bool {
	return slices.Contains(exported, a.Key) || strings.HasPrefix(string(a.Key), tracing.Name+".")
}

func (w withoutContent) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	cleaned := make([]sdk.ReadOnlySpan, len(spans))
	for i, s := range spans {
		cleaned[i] = span{s}
	}
	return w.SpanExporter.ExportSpans(ctx, cleaned)
}

// span is a span as it is exported.
type span struct{ sdk.ReadOnlySpan }

func (s span) Attributes() []attribute.KeyValue { return leaving(s.ReadOnlySpan.Attributes()) }

func (s span) Events() []sdk.Event {
	events := slices.Clone(s.ReadOnlySpan.Events())
	for i := range events {
		events[i].Attributes = leaving(events[i].Attributes)
	}
	return events
}

func (s span) Status() sdk.Status { return sdk.Status{Code: s.ReadOnlySpan.Status().Code} }

// leaving returns those of the attributes that may be exported, in a slice of its own.
func leaving(attributes []attribute.KeyValue) []attribute.KeyValue {
	return slices.DeleteFunc(slices.Clone(attributes), func(a attribute.KeyValue) bool { return !mayLeave(a) })
}
