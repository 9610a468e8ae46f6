package upload

import (
	"context"

	"sheetdrop/upload-api/internal/caller"
)

// Me is the caller, as the sign-in says.
type Me struct {
	Operator bool `json:"operator" doc:"Whether the caller may ask for what is for operators."`
}

type meOutput struct{ Body Me }

// getMe returns who is asking.
func getMe(ctx context.Context, _ *struct{}) (*meOutput, error) {
	return &meOutput{Me{caller.Of(ctx).Operator}}, nil
}
