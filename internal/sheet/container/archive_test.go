package container

import (
	"errors"
	"io"
	"strings"
	"testing"

	"sheetdrop/internal/sheet/grid"
)

// P9: a part is counted while it is unpacked, whatever its directory says.
func TestUnpackedBytesAreCounted(t *testing.T) {
	t.Parallel()
	l := grid.DefaultLimits()
	l.UnzippedBytes = 1 << 20
	a := &Archive{src: &source{size: 1 << 30}, limits: l}
	_, err := io.Copy(io.Discard, &Reader{archive: a, r: strings.NewReader(strings.Repeat("<row/>", 1<<20))})
	if refused, ok := errors.AsType[*grid.Error](err); !ok || refused.Code != grid.UnzippedTooLarge {
		t.Errorf("a part that unpacks to more than the limit: %v", err)
	}
}
