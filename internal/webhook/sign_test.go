package webhook

import (
	"encoding/base64"
	"testing"
	"time"
)

// The signature of the example of the specification's libraries. That independent implementations accept what is sent, a test of the whole
// program says.
func TestSignature(t *testing.T) {
	t.Parallel()
	secret, err := base64.StdEncoding.DecodeString("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	m := Message{ID: "msg_p5jXN8AQM9LWM0D4loKWxJek", At: time.Unix(1614265330, 0), Body: []byte(`{"test": 2432232314}`), Secrets: [][]byte{secret}}
	const want = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	if got := m.signature(); got != want {
		t.Errorf("the signature is %s, want %s", got, want)
	}
	if m.Secrets = append(m.Secrets, secret); m.signature() != want+" "+want {
		t.Errorf("with two secrets it is %s", m.signature())
	}
}

// Two secrets are never the same, and have the form that receivers expect.
func TestSecrets(t *testing.T) {
	t.Parallel()
	first, second := FormatSecret(NewSecret()), FormatSecret(NewSecret())
	if first == second || len(first) != len("whsec_")+44 || first[:6] != "whsec_" {
		t.Errorf("secrets %q and %q", first, second)
	}
}
