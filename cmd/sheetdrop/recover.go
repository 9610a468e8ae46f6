package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"
)

type recoverCommand struct {
	Blobs          []string  `arg:"" optional:"" name:"blob" help:"Lost blobs whose files are made again, by the names in the list."`
	All            bool      `help:"All lost blobs but those that are doubtful, or whose options or owner are not known."`
	DefaultOptions bool      `help:"Parse files without options whose own were too long to be kept."`
	Begin          time.Time `placeholder:"TIME" format:"2006-01-02T15:04:05Z07:00" help:"Stop the deletion of blobs without a file, after a restore to that moment that was not noticed."`
	End            bool      `help:"Let blobs without a file be deleted again."`
	server
}

// Validate is called by kong.
func (r *recoverCommand) Validate() error {
	ways := 0
	for _, way := range []bool{len(r.Blobs) > 0, r.All, !r.Begin.IsZero(), r.End} {
		if way {
			ways++
		}
	}
	if ways > 1 {
		return errors.New("give blobs, or --all, or --begin, or --end, or nothing for the list")
	}
	return nil
}

func (r *recoverCommand) Run(ctx context.Context, c *console) error {
	a, err := r.api()
	if err != nil {
		return err
	}
	switch {
	case !r.Begin.IsZero():
		return a.post(ctx, "/recovery", map[string]time.Time{"restored_to": r.Begin}, &struct{}{})
	case r.End:
		return a.post(ctx, "/recovery/end", struct{}{}, &struct{}{})
	case len(r.Blobs) > 0:
		return r.recoverEach(ctx, c, a, r.Blobs)
	}
	lost, err := a.lostBlobs(ctx)
	if err != nil {
		return err
	}
	if !r.All {
		listLost(c, lost)
		return nil
	}
	var names []string
	for _, b := range lost {
		if b.state() == "" || b.NoOptions && r.DefaultOptions && !b.Doubtful {
			names = append(names, b.Blob)
		}
	}
	err = r.recoverEach(ctx, c, a, names)
	if left := len(lost) - len(names); left > 0 {
		c.printf("%d are left; `sheetdrop recover` lists them\n", left)
	}
	return err
}

// recoverEach goes on behind one that is refused.
func (r *recoverCommand) recoverEach(ctx context.Context, c *console, a api, blobs []string) (err error) {
	count := 0
	for _, blob := range blobs {
		body := map[string]any{"blob": blob, "default_options": r.DefaultOptions}
		if refusal := a.post(ctx, "/recovery/files", body, &struct{}{}); refusal != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", blob, refusal))
			continue
		}
		count++
	}
	c.printf("%d recovered\n", count)
	return err
}

// lostBlob is a blob without a file.
type lostBlob struct {
	Blob       string
	Owner      string
	Name       string
	SizeBytes  int64     `json:"size_bytes"`
	UploadedAt time.Time `json:"uploaded_at"`
	Doubtful   bool
	NoOptions  bool `json:"no_options"`
}

// state says why --all leaves it; "" where it does not.
func (b lostBlob) state() string {
	switch {
	case b.Owner == "":
		return "owner unknown"
	case b.Doubtful:
		return "doubtful: may have been deleted"
	case b.NoOptions:
		return "options unknown"
	}
	return ""
}

func listLost(c *console, lost []lostBlob) {
	for _, b := range lost {
		c.printf("%s\t%s\t%d\t%s\t%q\t%s\n", b.Blob, b.UploadedAt.Format(time.RFC3339), b.SizeBytes, b.Owner, b.Name, b.state())
	}
	c.printf("%d lost\n", len(lost))
}

func (a api) lostBlobs(ctx context.Context) (lost []lostBlob, err error) {
	for cursor := ""; ; {
		var page struct {
			Items []lostBlob
			Next  *string
		}
		if err := a.get(ctx, "/recovery/blobs?cursor="+url.QueryEscape(cursor), &page); err != nil {
			return nil, err
		}
		lost = append(lost, page.Items...)
		if page.Next == nil {
			return lost, nil
		}
		cursor = *page.Next
	}
}
