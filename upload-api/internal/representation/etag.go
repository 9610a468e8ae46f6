package representation

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// ETag returns a strong entity tag of a content.
func ETag(content []byte) string {
	hash := sha256.Sum256(content)
	return `"` + hex.EncodeToString(hash[:16]) + `"`
}

// Matches reports whether the value of If-Match or If-None-Match has an entity tag; a missing value and * have each. A tag
// of a compressed response stands for that of the content.
func Matches(condition, etag string) bool {
	if condition == "" || strings.TrimSpace(condition) == "*" {
		return true
	}
	for listed := range strings.SplitSeq(condition, ",") {
		listed = strings.TrimPrefix(strings.TrimSpace(listed), "W/")
		for _, coding := range []string{gzipCoding, zstdCoding} {
			if tag, compressed := strings.CutSuffix(listed, "-"+coding+`"`); compressed {
				listed = tag + `"`
			}
		}
		if listed == etag {
			return true
		}
	}
	return false
}

// tagOf returns the entity tag of a content in a coding.
func tagOf(etag, coding string) string {
	return strings.TrimSuffix(etag, `"`) + "-" + coding + `"`
}
