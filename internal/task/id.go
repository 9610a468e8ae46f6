package task

import (
	"time"

	"github.com/google/uuid"
)

// ClockError returns by how much the time in new ids is shifted, as on a machine with a wrong clock; nil is no shift.
// Only tests set it.
var ClockError func() time.Duration

// NewID returns an id (RFC 9562, version 7) that sorts after those that this process made before. Ids of several
// machines sort by their clocks, as far as these agree: lists are ordered by id, and nothing else depends on the order.
func NewID() uuid.UUID {
	id := uuid.Must(uuid.NewV7()) // fails only if the system has no random bytes
	if ClockError != nil {
		stamp(&id, ClockError())
	}
	return id
}

// stamp shifts the time in an id: its first six bytes, in milliseconds since 1970.
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
