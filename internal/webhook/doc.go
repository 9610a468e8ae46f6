// Package webhook sends one signed event to one address: which addresses may be called (Policy), how an event is signed (Sign), and the
// request itself (Client), which reaches public networks alone. It knows no database; package dispatch decides what is sent when.
package webhook
