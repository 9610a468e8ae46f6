package azure

import (
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/storage/azqueue"

	"sheetdrop/internal/devstack/devtest"
)

// A poison message that somebody else has taken or deleted meanwhile does not fail the reconciler's run, which would leave all that comes
// behind it undone.
func TestPoisonMessageInOtherHands(t *testing.T) {
	t.Parallel()
	parts := devtest.Storage(t)
	_, queue, err := Open(Settings{Connection: parts.ConnectionString, Container: parts.Container, Queue: parts.Queue})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := queue.poison.Create(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := queue.poison.EnqueueMessage(t.Context(), "x", nil); err != nil {
		t.Fatal(err)
	}
	take := func() PoisonMessage {
		t.Helper()
		taken, err := queue.TakePoison(t.Context())
		if err != nil || len(taken) != 1 {
			t.Fatalf("%d messages, %v, want 1", len(taken), err)
		}
		return taken[0]
	}
	first := take()
	visible := &azqueue.UpdateMessageOptions{VisibilityTimeout: new(int32)}
	if _, err := queue.poison.UpdateMessage(t.Context(), first.ID, first.receipt, "x", visible); err != nil {
		t.Fatal(err)
	}
	second := take()
	if err := queue.DeletePoison(t.Context(), first); err != nil {
		t.Errorf("taken by somebody else: %v", err)
	}
	for range 2 {
		if err := queue.DeletePoison(t.Context(), second); err != nil {
			t.Errorf("deleted already: %v", err)
		}
	}
	if _, left, err := queue.Lengths(t.Context()); left != 0 || err != nil {
		t.Errorf("%d messages are left, %v", left, err)
	}
}
