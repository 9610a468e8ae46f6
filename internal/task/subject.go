package task

import (
	"crypto/sha256"
	"encoding/hex"
	"log/slog"

	"github.com/google/uuid"
)

// Subject is the task that a log line is about.
type Subject struct {
	TaskID, FileID uuid.UUID
	Owner          string
	Attempt        int // the newest one
}

// Fields are those of each log line about the task, as one attribute without a name of its own.
func (s Subject) Fields() slog.Attr {
	return slog.Group("", "task_id", s.TaskID, "file_id", s.FileID, "owner_hash", OwnerHash(s.Owner), "attempt", s.Attempt)
}

// OwnerHash names an owner where the owner itself must not be told, as in logs: the first 12 digits of `printf %s OWNER | sha256sum`.
func OwnerHash(owner string) string {
	sum := sha256.Sum256([]byte(owner))
	return hex.EncodeToString(sum[:6])
}
