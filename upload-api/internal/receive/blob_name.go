package receive

import (
	"strings"
	"time"

	"github.com/google/uuid"
)

// BlobFolder is the first part of a blob's name, as a layout of package time: the day on which the upload started, by
// the database's clock. The file's id is the rest.
const BlobFolder = "2006/01/02/"

func blobName(startedAt time.Time, fileID uuid.UUID) string {
	return startedAt.UTC().Format(BlobFolder) + fileID.String()
}

// FileIDOf returns the id of the file to which the blob of this name belongs; false if the name is not that of an
// upload.
func FileIDOf(blob string) (uuid.UUID, bool) {
	if len(blob) <= len(BlobFolder) {
		return uuid.Nil, false
	}
	_, dayErr := time.Parse(BlobFolder, blob[:len(BlobFolder)])
	id, idErr := uuid.Parse(blob[len(BlobFolder):])
	return id, dayErr == nil && idErr == nil && strings.HasSuffix(blob, id.String())
}
