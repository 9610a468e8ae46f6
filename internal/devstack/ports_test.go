package devstack

import (
	"fmt"
	"net"
	"net/url"
	"strings"
	"testing"
)

// An address of the database that somebody has put into another program is good after the next start, too. A port that is taken is said.
func TestDatabaseKeepsItsPort(t *testing.T) {
	t.Parallel()
	dir := newDir(t)
	openOn := func(port int) (url string, said string, err error) {
		stack, err := Open(t.Context(), Options{Dir: dir, DatabasePort: port, Log: func(format string, args ...any) {
			said += fmt.Sprintf(format+"\n", args...)
		}})
		if err != nil {
			return "", said, err
		}
		return stack.DatabaseURL, said, stack.Close()
	}
	first, _, err := openOn(0)
	if err != nil {
		t.Fatal(err)
	}
	if again, said, err := openOn(0); again != first || err != nil {
		t.Errorf("at %s, then at %s, %v: %s", first, again, err, said)
	}

	taken := listen(t, portOf(t, first))
	other, said, err := openOn(0)
	if err != nil || other == first || !strings.Contains(said, "is taken by another program: PostgreSQL is at port "+portOf(t, other)) {
		t.Errorf("where its port is taken: %s, %v: %s", other, err, said)
	}
	var port int
	fmt.Sscan(portOf(t, first), &port)
	if _, _, err := openOn(port); err == nil || !strings.Contains(err.Error(), "port "+portOf(t, first)+" is taken by another program") {
		t.Errorf("a port that is taken: %v", err)
	}
	taken.Close()
	if again, _, err := openOn(0); again != first || err != nil {
		t.Errorf("at %s once it is free, not at %s: %v", again, first, err)
	}

	chosen := listen(t, "0")
	_, wanted, _ := net.SplitHostPort(chosen.Addr().String())
	chosen.Close()
	fmt.Sscan(wanted, &port)
	for _, flag := range []int{port, 0} {
		if url, said, err := openOn(flag); err != nil || portOf(t, url) != wanted {
			t.Errorf("port %s was chosen, and it is at %s, %v: %s", wanted, url, err, said)
		}
	}
}

// Clients of the storage find it at the same addresses after the next start, too.
func TestStorageKeepsItsPorts(t *testing.T) {
	t.Parallel()
	dir := newDir(t)
	openStorage := func() (connection, said string) {
		t.Helper()
		stack, err := Open(t.Context(), Options{Dir: dir, Log: func(format string, args ...any) {
			said += fmt.Sprintf(format+"\n", args...)
		}})
		if err != nil {
			t.Fatal(err)
		}
		connection = stack.BlobURL + " " + stack.QueueURL
		if err := stack.Close(); err != nil {
			t.Fatal(err)
		}
		return connection, said
	}
	first, _ := openStorage()
	if again, said := openStorage(); again != first {
		t.Errorf("at %s, then at %s: %s", first, again, said)
	}
	address, err := url.Parse(strings.Fields(first)[0])
	if err != nil {
		t.Fatal(err)
	}
	taken := listen(t, address.Port())
	other, said := openStorage()
	if other == first || !strings.Contains(said, "port "+address.Port()+" is taken by another program: Azurite (blobs) is at port ") {
		t.Errorf("where its port is taken: %s: %s", other, said)
	}
	taken.Close()
	if again, said := openStorage(); again != first {
		t.Errorf("once the port is free: %s, not %s: %s", again, first, said)
	}
}

func listen(t *testing.T, port string) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener
}

func portOf(t *testing.T, databaseURL string) string {
	t.Helper()
	_, rest, _ := strings.Cut(databaseURL, "@127.0.0.1:")
	port, _, found := strings.Cut(rest, "/")
	if !found {
		t.Fatalf("no port in %q", databaseURL)
	}
	return port
}
