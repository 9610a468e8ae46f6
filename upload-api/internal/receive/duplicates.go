package receive

import (
	"context"
	"net/url"
	"slices"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/problem"
)

// DuplicatesOption is the name of the parameter that says whether bytes that are already in another file are accepted.
const DuplicatesOption = "duplicates"

// The values of the parameter.
const (
	AcceptDuplicates = "accept"
	RefuseDuplicates = "refuse"
)

// takeDuplicates removes the parameter from others and reports whether duplicates are refused.
func takeDuplicates(query url.Values) (refuse bool, err error) {
	values := query[DuplicatesOption]
	query.Del(DuplicatesOption)
	switch {
	case len(values) == 0:
		return false, nil
	case len(values) == 1 && (values[0] == AcceptDuplicates || values[0] == RefuseDuplicates):
		return values[0] == RefuseDuplicates, nil
	}
	return false, problem.Option(problem.InvalidOption, DuplicatesOption, "It is accept or refuse, and is given once.")
}

// refuseEarlierPart refuses bytes that an earlier file of the same request has.
func (in *intake) refuseEarlierPart(content task.Hash) error {
	earlier := slices.IndexFunc(in.uploads, func(u postgres.Upload) bool { return u.File.SHA256 == content })
	if !in.refuseDuplicates || earlier < 0 {
		return nil
	}
	return problem.New(problem.Duplicate, "The same bytes are in file %d of this request.", earlier+1)
}

// refuseEqualParts refuses two files of the request with the same bytes.
func (in *intake) refuseEqualParts() error {
	all := in.uploads
	defer func() { in.uploads = all }()
	for i, u := range all {
		in.uploads = all[:i]
		if err := in.refuseEarlierPart(u.File.SHA256); err != nil {
			return err
		}
	}
	return nil
}

// lockContents keeps other requests from accepting the same bytes until the transaction ends, if duplicates are refused.
func (in *intake) lockContents(ctx context.Context, tx postgres.Tx) error {
	if !in.refuseDuplicates {
		return nil
	}
	return tx.LockContents(ctx, in.owner, in.contents())
}

// checkDuplicates refuses bytes that are in another file.
func (in *intake) checkDuplicates(ctx context.Context, tx postgres.Tx) error {
	found, err := tx.Duplicate(ctx, in.owner, in.contents(), in.fileIDs()...)
	if err != nil || found == nil {
		return err
	}
	refused := problem.OfDuplicate(found.Of)
	if in.isMultipart {
		refused = refused.OfPart(found.Index + 1)
	}
	return refused
}

func (in *intake) contents() []task.Hash {
	list := make([]task.Hash, len(in.uploads))
	for i, u := range in.uploads {
		list[i] = u.File.SHA256
	}
	return list
}
