// Package devtest provides each test with its own part of a real PostgreSQL and a real storage emulator (see package
// devstack): a database with all migrations, a blob container and a queue. Nothing has to be set up, and nothing
// remains. The services run once for all test packages that run at the same time.
package devtest

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"testing"
	"time"

	"sheetdrop/internal/devstack"
)

// shared is the stack that the whole test process uses; its lease ends with the process.
var shared = sync.OnceValues(func() (*devstack.Stack, error) {
	return devstack.Open(context.Background(), devstack.Options{})
})

// Shared returns the stack that tests share. They must not close it.
func Shared(t testing.TB) *devstack.Stack {
	t.Helper()
	stack, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return stack
}

// Private returns a stack of the test's own, whose services it may stop and start, even if the environment names
// servers. It is deleted after the test.
func Private(t testing.TB) *devstack.Stack {
	t.Helper()
	return open(t, devstack.Options{Private: true})
}

// open opens a stack until the test ends.
func open(t testing.TB, o devstack.Options) *devstack.Stack {
	t.Helper()
	stack, err := devstack.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stack.Close(); err != nil {
			t.Error(err)
		}
	})
	return stack
}

// uniqueName returns a name that is valid for a database, a container and a queue.
func uniqueName() string { return "test-" + strings.ToLower(rand.Text()) }

// ending returns a context for cleanup after a test, when the test's own context has ended.
func ending() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), time.Minute)
}
