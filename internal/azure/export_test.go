package azure

import "time"

// WithStall returns blobs whose answers are given up once no byte has come for that long.
func (b *Blobs) WithStall(stall time.Duration) *Blobs {
	changed := *b
	changed.stall = stall
	return &changed
}
