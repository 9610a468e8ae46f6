package main

import (
	"context"
	"errors"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
)

type recoverCommand struct {
	Blobs          []string  `arg:"" optional:"" name:"blob" help:"Lost blobs whose files are made again, by the names in the list."`
	All            bool      `help:"All lost blobs but those that are doubtful, or whose options or owner are not known."`
	DefaultOptions bool      `help:"Parse files without options whose own were too long to be kept."`
	Begin          time.Time `placeholder:"TIME" format:"2006-01-02T15:04:05Z07:00" help:"Stop the deletion of blobs without a file, after a restore to this time that was not noticed."`
	End            bool      `help:"Let blobs without a file be deleted again."`
	serverFlags
}

// Validate is called by kong: its errors are bad usage.
func (r *recoverCommand) Validate() error {
	ways := 0
	for _, way := range []bool{len(r.Blobs) > 0, r.All, !r.Begin.IsZero(), r.End} {
		if way {
			ways++
		}
	}
	if ways > 1 {
		return words.New("name blobs, or use one of --all, --begin and --end; without any of them the lost blobs are listed")
	}
	return nil
}

func (r *recoverCommand) Run(ctx context.Context, c *terminal.Console) error {
	s, err := r.server()
	if err != nil {
		return err
	}
	switch {
	case !r.Begin.IsZero():
		return s.BeginRecovery(ctx, r.Begin)
	case r.End:
		return s.EndRecovery(ctx)
	case len(r.Blobs) > 0:
		return r.recoverEach(ctx, c, s, r.Blobs)
	}
	lost, err := s.LostBlobs(ctx)
	if err != nil {
		return err
	}
	if !r.All {
		listLost(c, lost)
		return nil
	}
	var names []string
	for _, b := range lost {
		if whyNotAll(b) == "" || b.NoOptions && r.DefaultOptions && !b.Doubtful {
			names = append(names, b.Blob)
		}
	}
	err = r.recoverEach(ctx, c, s, names)
	if left := len(lost) - len(names); left > 0 {
		c.Result(map[string]int{"left": left}, "%d are left; `sheetdrop recover` lists them\n", left)
	}
	return err
}

// recoverEach recovers the blobs one by one, and continues after one that is refused.
func (r *recoverCommand) recoverEach(ctx context.Context, c *terminal.Console, s *server.Server, blobs []string) (err error) {
	count := 0
	for _, blob := range blobs {
		if refusal := s.RecoverFile(ctx, blob, r.DefaultOptions); refusal != nil {
			err = errors.Join(err, words.Errorf("%s: %w", blob, refusal))
			continue
		}
		count++
	}
	c.Result(map[string]int{"recovered": count}, "%d recovered\n", count)
	return err
}

// whyNotAll returns the reason why --all skips a blob, "" if it does not.
func whyNotAll(b client.LostBlob) string {
	switch {
	case b.Owner == "":
		return words.In("owner unknown")
	case b.Doubtful:
		return words.In("doubtful: may have been deleted")
	case b.NoOptions:
		return words.In("options unknown")
	}
	return ""
}

func listLost(c *terminal.Console, lost []client.LostBlob) {
	for _, b := range lost {
		c.Result(b, "%s\t%s\t%d\t%s\t%q\t%s\n", b.Blob, b.UploadedAt.Format(time.RFC3339), b.SizeBytes, b.Owner, b.Name, whyNotAll(b))
	}
	c.Printf("%d lost\n", len(lost))
}
