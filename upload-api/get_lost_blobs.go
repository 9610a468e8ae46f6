package upload

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
)

const (
	lostBlobs      = 1000        // looked at in one request
	clocksDisagree = time.Minute // at most, those of database and blob store
	day            = 24 * time.Hour
)

// LostBlob is a blob without a file. Whether its upload was ever accepted is not known: the database that knew it is gone.
type LostBlob struct {
	Blob       string    `json:"blob" doc:"Its name in the container."`
	FileID     uuid.UUID `json:"file_id" format:"uuid"`
	Owner      string    `json:"owner" doc:"Empty where the blob does not tell; then it cannot be recovered."`
	Name       string    `json:"name" doc:"The file's."`
	SizeBytes  int64     `json:"size_bytes"`
	UploadedAt time.Time `json:"uploaded_at" doc:"By the blob store's clock."`
	Doubtful   bool      `json:"doubtful" doc:"Uploaded before the restore point, and so probably never accepted, or deleted and forgotten since."`
	NoOptions  bool      `json:"no_options" doc:"Its parse options were too long to be kept with the blob."`
}

// lostPlace is a place in the list: a day, and the blob store's marker within it.
type lostPlace struct {
	Day    time.Time `json:"d"`
	Marker string    `json:"m"`
}

// getLostBlobs lists the blobs of one day, or a part of them; a page may be empty and have a next one. The days begin with the first one on
// which an upload may have begun that was committed after the restore point.
func (h *Handler) getLostBlobs(ctx context.Context, in *ListInput) (*listOutput[LostBlob], error) {
	recovery, err := h.recovery(ctx)
	if err != nil {
		return nil, err
	}
	place, err := decodeCursor(in.Cursor, "lost-blobs", lostPlace{Day: recovery.RestoredTo.Add(-h.uploadMaxAge).Truncate(day)})
	if err != nil {
		return nil, err
	}
	listed, marker, err := h.blobs.ListNotes(ctx, place.Day.Format(blobFolder), place.Marker, min(in.limit(), lostBlobs))
	if err != nil {
		return nil, problem(StorageUnavailable, "The blob store does not answer. Please try again.").because(err)
	}
	if place.Marker = marker; marker == "" {
		place.Day = place.Day.Add(day)
	}
	lost, err := h.lostAmong(ctx, listed, recovery)
	if err != nil {
		return nil, err
	}
	out := &listOutput[LostBlob]{List[LostBlob]{Items: lost}}
	if !place.Day.After(recovery.NoticedAt) {
		next := encodeCursor("lost-blobs", place)
		out.Body.Next = &next
	}
	return out, nil
}

// lostAmong leaves out the blobs that a file has, and those of uploads that came too early, or too late, to be lost.
func (h *Handler) lostAmong(ctx context.Context, listed []azure.NotedBlob, recovery *postgres.Recovery) ([]LostBlob, error) {
	names := make([]string, len(listed))
	for i, b := range listed {
		names[i] = b.Name
	}
	orphans, err := h.db.OrphanBlobs(ctx, names)
	if err != nil {
		return nil, err
	}
	isOrphan := map[string]bool{}
	for _, name := range orphans {
		isOrphan[name] = true
	}
	lost := []LostBlob{}
	for _, b := range listed {
		if id, ok := fileIDOf(b.Name); ok && isOrphan[b.Name] && h.mayBeLost(b, recovery) {
			lost = append(lost, showLostBlob(b, id, recovery))
		}
	}
	return lost, nil
}

// mayBeLost leaves out what was uploaded too long before the restore point to be committed after it, and what may be under way.
func (h *Handler) mayBeLost(b azure.NotedBlob, recovery *postgres.Recovery) bool {
	return b.ModifiedAt.After(recovery.RestoredTo.Add(-h.uploadMaxAge-clocksDisagree)) && b.ModifiedAt.Before(recovery.NoticedAt.Add(clocksDisagree))
}

func showLostBlob(b azure.NotedBlob, id uuid.UUID, recovery *postgres.Recovery) LostBlob {
	n, known := decodeNote(b.Note)
	return LostBlob{
		Blob: b.Name, FileID: id, Owner: n.Owner, Name: n.Name, SizeBytes: b.SizeBytes, UploadedAt: b.ModifiedAt,
		Doubtful: b.ModifiedAt.Before(recovery.RestoredTo.Add(-clocksDisagree)), NoOptions: known && n.Options == nil,
	}
}

// fileIDOf returns the id of the file whose blob has this name; false for a name that is none of an upload's.
func fileIDOf(blob string) (uuid.UUID, bool) {
	if len(blob) <= len(blobFolder) {
		return uuid.Nil, false
	}
	_, dayErr := time.Parse(blobFolder, blob[:len(blobFolder)])
	id, idErr := uuid.Parse(blob[len(blobFolder):])
	return id, dayErr == nil && idErr == nil && strings.HasSuffix(blob, id.String())
}
