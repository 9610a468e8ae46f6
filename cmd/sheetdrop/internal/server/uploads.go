package server

import (
	"context"
	"errors"
	"net/http"

	"github.com/google/uuid"

	"sheetdrop/internal/client"
)

// BeginUpload begins an upload straight to the blob store, or finds the one that was begun under the same idempotency key.
func (s *Server) BeginUpload(ctx context.Context, f File) (client.BegunUpload, error) {
	params := &client.BeginUploadParams{
		IdempotencyKey: given[string](f.Key), Options: given[string](f.Options), Corrects: given[string](s.Corrects),
	}
	if f.RefuseDuplicates {
		params.Duplicates = new(client.BeginUploadParamsDuplicatesRefuse)
	}
	body := client.BeginUpload{Name: f.Name, SizeBytes: f.Size, Sha256: given[string](f.SHA256)}
	return askAgain[client.BegunUpload](ctx, s, func(ctx context.Context) (*http.Response, error) {
		return s.client.BeginUpload(ctx, params, body, s.into)
	})
}

// FindUpload returns an upload with what is stored of it.
func (s *Server) FindUpload(ctx context.Context, id uuid.UUID) (client.StoredUpload, error) {
	return askAgain[client.StoredUpload](ctx, s, func(ctx context.Context) (*http.Response, error) { return s.client.GetUpload(ctx, id) })
}

// RenewAddress returns an address to which the blocks of an upload can be written, for some minutes.
func (s *Server) RenewAddress(ctx context.Context, id uuid.UUID) (client.BlobAddress, error) {
	return askAgain[client.BlobAddress](ctx, s, func(ctx context.Context) (*http.Response, error) { return s.client.RenewAddress(ctx, id) })
}

// CompleteUpload makes the file of an upload whose blocks are stored, once however often it is called, and returns the task that parses it.
func (s *Server) CompleteUpload(ctx context.Context, id uuid.UUID) (client.Task, error) {
	made, err := askAgain[client.FileAndTask](ctx, s, func(ctx context.Context) (*http.Response, error) {
		return s.client.CompleteUpload(ctx, id)
	})
	return made.Task, err
}

// AbortUpload has the service remove what is stored of an upload.
func (s *Server) AbortUpload(ctx context.Context, id uuid.UUID) error {
	answer, err := s.client.DeleteUpload(ctx, id)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// DuplicateOf returns the file of the same bytes because of which an upload was refused; nil for any other error.
func DuplicateOf(err error) *client.SameFile {
	problem, ok := errors.AsType[*client.Problem](err)
	if !ok || problem.Code != client.ProblemCodeDuplicate {
		return nil
	}
	return problem.SameAs
}

// HasCode reports whether an error is a problem of the service with one of these codes.
func HasCode(err error, codes ...client.ProblemCode) bool {
	problem, ok := errors.AsType[*client.Problem](err)
	for _, code := range codes {
		if ok && problem.Code == code {
			return true
		}
	}
	return false
}
