package targets

import (
	"context"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/targetstore"
	"sheetdrop/internal/task"
)

// TargetShare is a right that somebody else has on a target.
type TargetShare struct {
	Grantee string `json:"grantee" minLength:"1" maxLength:"1000" pattern:"^[^\\x00-\\x1f]*$" doc:"An owner, or role:NAME for those whose sign-in has the role."`
	May     string `json:"may" enum:"load,read,define"`
}

// TargetShares are the rights that others have on a target.
type TargetShares struct {
	Shares []TargetShare `json:"shares" maxItems:"1000"`
}

type sharesOutput struct{ Body TargetShares }

// getShares returns the rights that others have on a target of the caller's.
func (t *targets) getShares(ctx context.Context, in *TargetInput) (*sharesOutput, error) {
	found, err := t.allowed(ctx, in.ID, targetstore.MayOwn)
	if err != nil {
		return nil, err
	}
	shares, err := targetstore.Shares(ctx, t.DB, found.ID)
	if err != nil {
		return nil, err
	}
	shown := TargetShares{Shares: make([]TargetShare, len(shares))}
	for i, s := range shares {
		shown.Shares[i] = TargetShare(s)
	}
	return &sharesOutput{shown}, nil
}

type setSharesInput struct {
	TargetInput
	Body TargetShares
}

// setShares replaces the rights that others have on a target of the caller's.
func (t *targets) setShares(ctx context.Context, in *setSharesInput) (*sharesOutput, error) {
	shares := make([]targetstore.Share, len(in.Body.Shares))
	for i, s := range in.Body.Shares {
		shares[i] = targetstore.Share(s)
	}
	_, err := t.ActOn(ctx, task.NewID(), actShareTarget, in.ID, func(ctx context.Context, tx postgres.Tx) error {
		if _, err := lockTarget(ctx, tx, in.ID, targetstore.MayOwn); err != nil {
			return err
		}
		return targetstore.SetShares(ctx, tx, in.ID, shares)
	})
	if err != nil {
		return nil, err
	}
	return t.getShares(ctx, &in.TargetInput)
}
