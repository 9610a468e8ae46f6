package task

import (
	"time"

	"github.com/google/uuid"
)

// ClockError returns by how much ids are to be off, as those of a machine with a wrong clock are; nil is for a right one. Tests set it.
var ClockError func() time.Duration

// NewID makes an id (RFC 9562, version 7) that sorts behind those that this process made before. Ids of several machines sort by their
// clocks, as well as these agree: lists are ordered by them, and nothing is decided by them.
func NewID() uuid.UUID {
	id := uuid.Must(uuid.NewV7()) // it fails only where the system has no random bytes
	if ClockError != nil {
		stamp(&id, ClockError())
	}
	return id
}

// stamp moves the time in an id, its first six bytes in milliseconds since 1970.
func stamp(id *uuid.UUID, by time.Duration) {
	var at int64
	for _, b := range id[:6] {
		at = at<<8 | int64(b)
	}
	at += by.Milliseconds()
	for i := range 6 {
		id[5-i] = byte(at >> (8 * i))
	}
}
