package tracing

import (
	"fmt"

	"go.opentelemetry.io/otel/attribute"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"

	"sheetdrop/internal/task"
)

// Task names a task.
func Task(id fmt.Stringer) Attribute { return attribute.Stringer(Name+".task.id", id) }

// Status is the state that a task is in.
func Status[S ~string](status S) Attribute {
	return attribute.String(Name+".task.status", string(status))
}

// Attempt counts the runs of a task.
func Attempt(n int) Attribute { return attribute.Int(Name+".task.attempt", n) }

// Outcome is how a run ended.
func Outcome(name string) Attribute { return attribute.String(Name+".task.outcome", name) }

// Owner is whose a task is.
func Owner(name string) Attribute { return attribute.String(Name+".owner.hash", task.OwnerHash(name)) }

// Count is a number of something: rows, bytes.
func Count(of string, n int64) Attribute { return attribute.Int64(Name+"."+of, n) }

// Message describes the sending or the processing of a message.
func Message[T ~string](operation string, eventType T, id fmt.Stringer) []Attribute {
	return []Attribute{
		semconv.MessagingSystemKey.String("azure_storage_queue"), semconv.MessagingOperationName(operation),
		semconv.MessagingMessageID(id.String()), attribute.String(Name+".event_type", string(eventType)),
	}
}

// Copy describes a COPY.
func Copy() []Attribute {
	return []Attribute{semconv.DBSystemNamePostgreSQL, semconv.DBOperationName("COPY")}
}

// Invocation is the host's id of the call, by which its own telemetry names it.
func Invocation(id string) Attribute { return semconv.FaaSInvocationID(id) }
