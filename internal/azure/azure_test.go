package azure_test

import (
	"strings"
	"testing"

	"sheetdrop/internal/azure"
	"sheetdrop/internal/devstack/devtest"
)

func open(t *testing.T) (*azure.Blobs, *azure.Queue, devtest.StorageParts) {
	t.Helper()
	p := devtest.Storage(t)
	blobs, queue, err := azure.Open(azure.Settings{Connection: p.ConnectionString, Container: p.Container, Queue: p.Queue})
	if err != nil {
		t.Fatal(err)
	}
	return blobs, queue, p
}

// A broken connection string is reported without the key that stands in it.
func TestNoSecretsInErrors(t *testing.T) {
	t.Parallel()
	const secret = "c2VjcmV0"
	for _, connection := range []string{
		"AccountKey=" + secret, "AccountName=a;AccountKey=" + secret + "!;BlobEndpoint=http://127.0.0.1:1/a", "SharedAccessSignature=" + secret,
	} {
		_, _, err := azure.Open(azure.Settings{Connection: connection, Container: "files", Queue: "tasks"})
		if err == nil {
			t.Errorf("%q was accepted", connection)
		} else if strings.Contains(err.Error(), secret) {
			t.Errorf("the error tells the key: %v", err)
		}
	}
}

// A signature that stands in every request's address is not told where the service cannot be reached: errors go into the log and the outbox.
func TestNoSignaturesInErrors(t *testing.T) {
	t.Parallel()
	const closed = "http://127.0.0.1:1/account"
	blobs, queue, err := azure.Open(azure.Settings{
		Connection: "BlobEndpoint=" + closed + ";QueueEndpoint=" + closed + ";SharedAccessSignature=sv=2024-11-04&sig=s3cr3t", Container: "files", Queue: "tasks",
	})
	if err != nil {
		t.Fatal(err)
	}
	_, openErr := blobs.Open(t.Context(), "2026/01/01/file", "")
	for what, err := range map[string]error{
		"open": openErr, "delete": blobs.Delete(t.Context(), "2026/01/01/file"), "upload": blobs.Upload(t.Context(), "b", strings.NewReader("x")),
		"ready": blobs.Ready(t.Context()), "send": queue.Send(t.Context(), []byte("{}")), "queue ready": queue.Ready(t.Context()),
	} {
		if err == nil || !strings.Contains(err.Error(), "127.0.0.1:1") || strings.Contains(err.Error(), "s3cr3t") || strings.Contains(err.Error(), "?") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// The emulator's short form works, whatever the case and with or without a semicolon.
func TestDevelopmentStorage(t *testing.T) {
	t.Parallel()
	for _, short := range []string{"UseDevelopmentStorage=true", "usedevelopmentstorage=TRUE;", " UseDevelopmentStorage=true "} {
		long := azure.Settings{Connection: short}.ConnectionString()
		if !strings.Contains(long, "BlobEndpoint=http://127.0.0.1:10000/") || !strings.Contains(long, "QueueEndpoint=http://127.0.0.1:10001/") {
			t.Errorf("%q stands for %q", short, long)
		}
	}
}

// Provisioning creates what is missing and bears what is there.
func TestProvision(t *testing.T) {
	t.Parallel()
	p := devtest.Storage(t)
	s := azure.Settings{Connection: p.ConnectionString, Container: p.Container, Queue: p.Queue}
	for range 2 {
		if err := azure.Provision(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	blobs, queue, err := azure.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := blobs.Ready(t.Context()); err != nil {
		t.Error(err)
	}
	if err := queue.Ready(t.Context()); err != nil {
		t.Error(err)
	}
}
