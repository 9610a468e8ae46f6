package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"
)

// secretBytes is the length of a new secret; the specification asks for 24 to 64.
const secretBytes = 32

// NewSecret returns a new random secret.
func NewSecret() []byte {
	secret := make([]byte, secretBytes)
	rand.Read(secret) // which never returns an error
	return secret
}

// FormatSecret returns a secret as receivers get it: whsec_ and base64.
func FormatSecret(secret []byte) string {
	return "whsec_" + base64.StdEncoding.EncodeToString(secret)
}

// Message is an event for a receiver.
type Message struct {
	ID      string    // the same in each attempt, without full stops
	At      time.Time // of the attempt
	Body    []byte
	Secrets [][]byte // the newest first; each makes a signature
}

// timestamp is webhook-timestamp: whole seconds since 1970.
func (m Message) timestamp() string { return strconv.FormatInt(m.At.Unix(), 10) }

// signature is webhook-signature by the symmetric scheme v1 of Standard Webhooks 1.0.0: HMAC-SHA256 of id, timestamp and body, in base64.
// Several are separated by spaces.
func (m Message) signature() string {
	signatures := make([]string, len(m.Secrets))
	for i, secret := range m.Secrets {
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(m.ID + "." + m.timestamp() + "."))
		mac.Write(m.Body)
		signatures[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return strings.Join(signatures, " ")
}
