package receive

import (
	"strings"
	"time"

	"github.com/google/uuid"
)

// BlobFolder is the day of an upload's start, by the database's clock, as a layout of package time; the file's id is the rest of a blob's
// name.
const BlobFolder = "2006/01/02/"

func blobName(startedAt time.Time, fileID uuid.UUID) string {
	return startedAt.UTC().Format(BlobFolder) + fileID.String()
}

// FileIDOf returns the id of the file whose blob has this name; false for a name that is none of an upload's.
func FileIDOf(blob string) (uuid.UUID, bool) {
	if len(blob) <= len(BlobFolder) {
		return uuid.Nil, false
	}
	_, dayErr := time.Parse(BlobFolder, blob[:len(BlobFolder)])
	id, idErr := uuid.Parse(blob[len(BlobFolder):])
	return id, dayErr == nil && idErr == nil && strings.HasSuffix(blob, id.String())
}
