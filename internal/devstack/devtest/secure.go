package devtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sheetdrop/internal/devstack"
)

// SecureStack is a private stack whose parts are reached as Azure's are: over TLS, and without trust in who calls.
type SecureStack struct {
	*devstack.Stack // its storage takes bearer tokens; DatabaseURL is the superuser's, without TLS

	Roots       *x509.CertPool // who trusts them trusts the stack
	Certificate string         // the same as a PEM file
	Key         string         // of it, as a PEM file
}

// Secure is a stack with a certificate of its own for localhost and 127.0.0.1. It is gone after the test.
func Secure(t testing.TB) *SecureStack {
	t.Helper()
	s := &SecureStack{Roots: x509.NewCertPool()}
	folder := t.TempDir()
	s.Certificate, s.Key = filepath.Join(folder, "server.crt"), filepath.Join(folder, "server.key")
	certificate, key := newCertificate(t)
	s.Roots.AppendCertsFromPEM(certificate)
	for file, text := range map[string][]byte{s.Certificate: certificate, s.Key: key} {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.Stack = open(t, devstack.Options{Private: true, Certificate: s.Certificate, Key: s.Key})
	return s
}

// newCertificate makes a certificate that vouches for itself, and its key, as PEM.
func newCertificate(t testing.TB) (certificate, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	description := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "sheetdrop tests"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, description, description, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})
}

// StorageToken is a token for storage as Entra gives them, but for the signature, which the emulator does not look at. A lifetime below 0
// makes one that has expired.
func StorageToken(t testing.TB, lifetime time.Duration) string {
	t.Helper()
	return TokenFor(t, "https://storage.azure.com", lifetime)
}

// TokenFor is the same for another audience.
func TokenFor(t testing.TB, audience string, lifetime time.Duration) string {
	t.Helper()
	now := time.Now()
	claims, err := json.Marshal(map[string]any{
		"aud": audience, "iss": "https://sts.windows.net/ab1f708d-50f6-404c-a006-d71b2ac7a606/",
		"oid": "11059fcc-5514-4800-b5f8-49808b9cfab6", "tid": "ab1f708d-50f6-404c-a006-d71b2ac7a606",
		"iat": now.Add(-time.Hour).Unix(), "nbf": now.Add(-time.Hour).Unix(), "exp": now.Add(lifetime).Unix(),
	})
	if err != nil {
		t.Fatal(err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	return encode([]byte(`{"typ":"JWT","alg":"RS256"}`)) + "." + encode(claims) + "." + encode([]byte("signature"))
}

// RequireTLS has the stack's PostgreSQL take connections over TLS, with a password. Only its superuser goes on without either.
func (s *SecureStack) RequireTLS(t testing.TB) {
	t.Helper()
	for file, path := range map[string]string{"server.crt": s.Certificate, "server.key": s.Key} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s.writeServerFile(t, file, string(text))
	}
	s.writeServerFile(t, "pg_hba.conf", "host all sheetdrop 127.0.0.1/32 scram-sha-256\nhostssl all all 127.0.0.1/32 password\n")
	for _, sql := range []string{`alter system set ssl = on`, `select pg_reload_conf()`} {
		if err := execute(t.Context(), s.DatabaseURL, sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	overTLS := strings.Replace(s.DatabaseURL, "sslmode=disable", "sslmode=require", 1)
	for execute(t.Context(), overTLS, `select 1`) != nil { // until the server has taken note
		if err := execute(t.Context(), s.DatabaseURL, `select pg_sleep(0.02)`); err != nil {
			t.Fatal(err)
		}
	}
}

// URL is the address of a database on the server, for a user who trusts nobody but the stack and is not trusted either.
func (s *SecureStack) URL(t testing.TB, user, database string) string {
	t.Helper()
	u, err := url.Parse(withDatabase(s.DatabaseURL, database))
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.User(user)
	u.RawQuery = url.Values{"sslmode": {"verify-full"}, "sslrootcert": {s.Certificate}}.Encode()
	return u.String()
}

// writeServerFile writes a file into the server's data folder as the user that it runs as, who alone may read it.
func (s *SecureStack) writeServerFile(t testing.TB, name, text string) {
	t.Helper()
	lines := `select unnest(string_to_array('` + text + `', E'\n'))` // PEM and rules have no quotes and no backslashes
	if err := execute(t.Context(), s.DatabaseURL, `copy (`+lines+`) to program 'umask 077; cat > `+name+`'`); err != nil {
		t.Fatalf("write %s: %v", name, err)
	}
}
