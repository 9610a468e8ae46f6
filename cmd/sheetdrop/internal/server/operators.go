package server

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/client"
)

// RedriveMessage queues a FAILED message again.
func (s *Server) RedriveMessage(ctx context.Context, id uuid.UUID) error {
	_, err := ask[client.Changed](s.client.RedriveMessage(ctx, id))
	return err
}

// RedriveMessages queues all FAILED messages of a kind again, of any kind if event is empty, and returns how many.
func (s *Server) RedriveMessages(ctx context.Context, event string) (count int64, err error) {
	filter := client.RedriveFilter{EventType: given[string](event)}
	return untilNoMore(func() (client.Changed, error) { return ask[client.Changed](s.client.RedriveMessages(ctx, filter)) })
}

// RetryTasks queues those of the tasks again that have FAILED, and returns how many.
func (s *Server) RetryTasks(ctx context.Context, ids []uuid.UUID) (count int64, err error) {
	changed, err := ask[client.Changed](s.client.RetryTasks(ctx, client.RetryFilter{Ids: &ids}))
	return changed.Count, err
}

// RetryFailedTasks queues all tasks again that have FAILED with an error code, and returns how many.
func (s *Server) RetryFailedTasks(ctx context.Context, code string) (count int64, err error) {
	filter := client.RetryFilter{ErrorCode: &code}
	return untilNoMore(func() (client.Changed, error) { return ask[client.Changed](s.client.RetryTasks(ctx, filter)) })
}

// untilNoMore repeats a change that the service makes a part at a time.
func untilNoMore(change func() (client.Changed, error)) (count int64, err error) {
	for {
		changed, err := change()
		if count += changed.Count; err != nil || !changed.More {
			return count, err
		}
	}
}

// LostBlobs returns the blobs whose files a restore of the database has lost.
func (s *Server) LostBlobs(ctx context.Context) (all []client.LostBlob, err error) {
	params := &client.GetLostBlobsParams{}
	for {
		page, err := ask[client.ListLostBlob](s.client.GetLostBlobs(ctx, params))
		if err != nil {
			return nil, err
		}
		if all = append(all, page.Items...); page.Next == nil {
			return all, nil
		}
		params.Cursor = page.Next
	}
}

// RecoverFile makes the file of a lost blob again. With defaultOptions it is parsed without options if its own are not known.
func (s *Server) RecoverFile(ctx context.Context, blob string, defaultOptions bool) error {
	_, err := ask[client.FileAndTask](s.client.RecoverFile(ctx, client.RecoverFile{Blob: blob, DefaultOptions: &defaultOptions}))
	return err
}

// BeginRecovery stops the deletion of blobs without a file, after a restore of the database to that time. While maintenance runs, it is
// refused, and asked for again.
func (s *Server) BeginRecovery(ctx context.Context, restoredTo time.Time) error {
	_, err := askAgain[client.Recovery](ctx, s, func(ctx context.Context) (*http.Response, error) {
		return s.client.BeginRecovery(ctx, client.BeginRecovery{RestoredTo: restoredTo})
	})
	return err
}

// EndRecovery lets blobs without a file be deleted again.
func (s *Server) EndRecovery(ctx context.Context) error {
	_, err := ask[client.Changed](s.client.EndRecovery(ctx))
	return err
}
