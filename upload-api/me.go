package upload

import (
	"context"

	"sheetdrop/upload-api/internal/caller"
)

// Me is the caller, as the sign-in says.
type Me struct {
	Owner    string `json:"owner" doc:"As which others share with the caller."`
	Operator bool   `json:"operator" doc:"Whether the caller may ask for what is for operators."`
}

type meOutput struct{ Body Me }

// getMe returns who is asking.
func getMe(ctx context.Context, _ *struct{}) (*meOutput, error) {
	who := caller.Of(ctx)
	return &meOutput{Me{who.Owner, who.Operator}}, nil
}
