package export

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/upload-api/internal/problem"
)

// A cursor is either one that this list could have given out, or rejected: never an internal error.
func FuzzCursor(f *testing.F) {
	f.Add(EncodeCursor("outbox", uuid.Max))
	f.Add(EncodeCursor("rejects/1", rejectPlace{1, 2}))
	f.Add("bnVsbA")
	f.Fuzz(func(t *testing.T, text string) {
		place, err := DecodeCursor(text, "rejects/1", rejectPlace{})
		if err != nil {
			if p, ok := errors.AsType[*problem.Problem](err); !ok || p.Code != problem.InvalidCursor {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if again, err := DecodeCursor(EncodeCursor("rejects/1", place), "rejects/1", rejectPlace{}); err != nil || again != place {
			t.Errorf("%q gives %v, which comes back as %v, %v", text, place, again, err)
		}
	})
}
