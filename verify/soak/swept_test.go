//go:build linux

package soak

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
)

// checkSwept lets three days pass and the timer run, after which the store holds the accepted files and nothing else: no blob and no block of
// what was refused, aborted, abandoned or deleted. The instances have stopped.
func (s *soak) checkSwept(t *testing.T) {
	t.Helper()
	s.Exec(t, `create schema clock`)
	s.Exec(t, `create function clock.now() returns timestamptz stable language sql as $$select pg_catalog.now() + interval '3 days'$$`)
	handler := s.StartHandler(t, map[string]string{
		"DATABASE_URL": withParameter(t, s.Database.URL, "search_path", "clock,pg_catalog,public"), "DATA_STORAGE": s.direct.ConnectionString,
	})
	ctx, cancel := context.WithTimeout(t.Context(), settleTimeout)
	defer cancel()
	var wrong []string
	if !await(ctx, func() bool {
		<-handler.Relay(t)
		wrong = s.notSwept(t)
		return len(wrong) == 0
	}) {
		t.Errorf("seed %d: three days later %d things are wrong in the store: %v", s.seed, len(wrong), wrong[:min(len(wrong), mostComplaints)])
	}
	t.Logf("direct uploads by their fate: %v; %d times the command line was killed", s.fates, s.killed.Load())
}

// notSwept returns what is stored and should not be, and the other way round.
func (s *soak) notSwept(t *testing.T) (wrong []string) {
	t.Helper()
	kept := s.names(t, `select blob_name from sheetdrop.source_file where deleted_at is null order by blob_name`)
	stored := s.allBlobs(t)
	for _, name := range stored {
		if _, isKept := slices.BinarySearch(kept, name); !isKept {
			wrong = append(wrong, name+" is nobody's")
			continue
		}
		if blocks, err := s.blobs.StagedBlocks(t.Context(), name); err != nil || len(blocks) > 0 {
			wrong = append(wrong, fmt.Sprintf("%s has %d blocks that were not committed, %v", name, len(blocks), err))
		}
	}
	for _, name := range kept {
		if !slices.Contains(stored, name) {
			wrong = append(wrong, name+" is gone")
		}
	}
	for _, name := range s.names(t, `select name from sheetdrop.upload where status <> 'COMPLETED'`) {
		wrong = append(wrong, "the upload of "+name+" is still known")
	}
	return wrong
}

func (s *soak) names(t *testing.T, sql string) []string {
	t.Helper()
	rows, err := s.sql.Query(t.Context(), sql)
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// allBlobs are the names of all blobs, also of those of which only blocks are stored.
func (s *soak) allBlobs(t *testing.T) (names []string) {
	t.Helper()
	for marker := ""; ; {
		page, next, err := s.blobs.List(t.Context(), marker, 5000)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, page...)
		if next == "" {
			return names
		}
		marker = next
	}
}
