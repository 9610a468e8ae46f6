package operate

import (
	"context"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/postgres"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/receive"
)

const (
	lostBlobs      = 1000        // examined in one request
	clocksDisagree = time.Minute // the largest difference expected between the clocks of database and blob store
	day            = 24 * time.Hour
)

// LostBlob is a blob without a file. Whether its upload was ever accepted is unknown: the database that knew is gone.
type LostBlob struct {
	Blob       string    `json:"blob" doc:"The blob's name in the container."`
	FileID     uuid.UUID `json:"file_id" format:"uuid"`
	Owner      string    `json:"owner" doc:"Empty if the blob does not say; it cannot be recovered then."`
	Name       string    `json:"name" doc:"The file's name."`
	SizeBytes  int64     `json:"size_bytes"`
	UploadedAt time.Time `json:"uploaded_at" doc:"When the blob was last modified, by the blob store's clock."`
	Doubtful   bool      `json:"doubtful" doc:"Uploaded before the restore point, so probably never accepted, or deleted since."`
	NoOptions  bool      `json:"no_options" doc:"The parse options were too long to be stored with the blob."`
}

// lostPlace is a position in the list: a day, and the blob store's marker within it.
type lostPlace struct {
	Day    time.Time `json:"d"`
	Marker string    `json:"m"`
}

// getLostBlobs lists the blobs of one day, or part of them; a page can be empty and still have a next one. The list
// begins with the first day on which an upload may have started that was committed after the restore point.
func (r *recoveries) getLostBlobs(ctx context.Context, in *export.ListInput) (*export.ListOutput[LostBlob], error) {
	recovery, err := r.recovery(ctx)
	if err != nil {
		return nil, err
	}
	place, err := export.DecodeCursor(in.Cursor, "lost-blobs", lostPlace{Day: recovery.RestoredTo.Add(-receive.MaxAge).Truncate(day)})
	if err != nil {
		return nil, err
	}
	listed, marker, err := r.blobs.ListNotes(ctx, place.Day.Format(receive.BlobFolder), place.Marker, min(in.PageSize(), lostBlobs))
	if err != nil {
		return nil, problem.New(problem.StorageUnavailable, "The blob store does not answer. Please try again.").Because(err)
	}
	if place.Marker = marker; marker == "" {
		place.Day = place.Day.Add(day)
	}
	lost, err := r.lostAmong(ctx, listed, recovery)
	if err != nil {
		return nil, err
	}
	out := &export.ListOutput[LostBlob]{Body: export.List[LostBlob]{Items: lost}}
	if !place.Day.After(recovery.NoticedAt) {
		out.SetNext(ctx, export.EncodeCursor("lost-blobs", place))
	}
	return out, nil
}

// lostAmong leaves out blobs that belong to a file, and those uploaded too early or too late to be lost.
func (r *recoveries) lostAmong(ctx context.Context, listed []azure.NotedBlob, recovery *postgres.Recovery) ([]LostBlob, error) {
	names := make([]string, len(listed))
	for i, b := range listed {
		names[i] = b.Name
	}
	orphans, err := r.DB.BlobsWithoutFile(ctx, names)
	if err != nil {
		return nil, err
	}
	isOrphan := map[string]bool{}
	for _, name := range orphans {
		isOrphan[name] = true
	}
	lost := []LostBlob{}
	for _, b := range listed {
		if id, ok := receive.FileIDOf(b.Name); ok && isOrphan[b.Name] && mayBeLost(b, recovery) {
			lost = append(lost, showLostBlob(b, id, recovery))
		}
	}
	return lost, nil
}

// mayBeLost reports whether an upload can have been committed after the restore point and cannot still be running.
func mayBeLost(b azure.NotedBlob, recovery *postgres.Recovery) bool {
	oldest, newest := recovery.RestoredTo.Add(-receive.MaxAge-clocksDisagree), recovery.NoticedAt.Add(clocksDisagree)
	return b.ModifiedAt.After(oldest) && b.ModifiedAt.Before(newest)
}

// noteOf returns what was noted with a blob; false where nothing was, or where it names another owner than the blob's own.
func noteOf(b azure.NotedBlob) (receive.Note, bool) {
	n, known := receive.DecodeNote(b.Note)
	if !known || !receive.BelongsTo(b.Name, n.Owner) {
		return receive.Note{}, false
	}
	return n, true
}

func showLostBlob(b azure.NotedBlob, id uuid.UUID, recovery *postgres.Recovery) LostBlob {
	n, known := noteOf(b)
	return LostBlob{
		Blob: b.Name, FileID: id, Owner: n.Owner, Name: n.Name, SizeBytes: b.SizeBytes, UploadedAt: b.ModifiedAt,
		Doubtful: b.ModifiedAt.Before(recovery.RestoredTo.Add(-clocksDisagree)), NoOptions: known && n.Options == nil,
	}
}
