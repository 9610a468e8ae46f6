// Package runbooks rehearses the pages of docs/runbooks: each fault is brought about in a running sheetdrop, and the
// commands of its page are run as they stand there. All of it is tests.
package runbooks
