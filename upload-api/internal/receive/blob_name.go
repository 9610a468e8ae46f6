package receive

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/google/uuid"
)

// BlobFolder is the day of an upload's start, by the database's clock, as a layout of package time; the file's id follows in a blob's name.
const BlobFolder = "2006/01/02/"

func blobName(startedAt time.Time, fileID uuid.UUID) string {
	return startedAt.UTC().Format(BlobFolder) + fileID.String()
}

// DirectName is the rest, behind the folder, of the name of a blob that its owner writes: the file's id, and what binds the blob to its owner. The
// owner may be able to write the blob's metadata too, and with them a note in which somebody else is the owner, but cannot choose the name.
func DirectName(owner string, fileID uuid.UUID) string {
	return fileID.String() + "." + bindingOf(owner, fileID)
}

func bindingOf(owner string, fileID uuid.UUID) string {
	sum := sha256.Sum256([]byte(fileID.String() + " " + owner))
	return hex.EncodeToString(sum[:16])
}

// FileIDOf returns the id of the file whose blob has this name; false for a name that is none of an upload's.
func FileIDOf(blob string) (uuid.UUID, bool) {
	if len(blob) <= len(BlobFolder) {
		return uuid.Nil, false
	}
	name, _, _ := strings.Cut(blob[len(BlobFolder):], ".")
	_, dayErr := time.Parse(BlobFolder, blob[:len(BlobFolder)])
	id, idErr := uuid.Parse(name)
	return id, dayErr == nil && idErr == nil && name == id.String()
}

// IsDirect reports whether the name of an upload's blob is one of those that their owners write.
func IsDirect(blob string) bool { return strings.Contains(blob, ".") }

// BelongsTo reports whether the blob of this name can be that owner's, as its note says.
func BelongsTo(blob, owner string) bool {
	id, ok := FileIDOf(blob)
	return ok && (!IsDirect(blob) || strings.HasSuffix(blob, "."+bindingOf(owner, id)))
}
