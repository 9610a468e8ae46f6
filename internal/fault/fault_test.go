package fault_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/jackc/pgx/v5/pgconn"

	"sheetdrop/internal/fault"
)

// P2: an outage of any kind is never counted against a task or a message; what would fail again for ever is. Who is to
// blame for what nobody has thought of is not known, and then nothing is counted, either.
func TestOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want fault.Side
	}{
		"database: connection":          {sqlState("08006"), fault.Service},
		"database: read-only":           {sqlState("25006"), fault.Service},
		"database: login":               {sqlState("28000"), fault.Service},
		"database: deadlock":            {sqlState("40P01"), fault.Service},
		"database: missing right":       {sqlState("42501"), fault.Service},
		"database: disk full":           {sqlState("53100"), fault.Service},
		"database: lock":                {sqlState("55P03"), fault.Service},
		"database: shutdown":            {sqlState("57P01"), fault.Service},
		"database: I/O error":           {sqlState("58030"), fault.Service},
		"database: configuration":       {sqlState("F0000"), fault.Service},
		"database: not supported":       {sqlState("0A000"), fault.Ours},
		"database: cardinality":         {sqlState("21000"), fault.Ours},
		"database: data":                {sqlState("22021"), fault.Ours},
		"database: constraint":          {sqlState("23505"), fault.Ours},
		"database: syntax":              {sqlState("42601"), fault.Ours},
		"database: limit":               {sqlState("54000"), fault.Ours},
		"database: transaction state":   {sqlState("25P02"), fault.Unknown},
		"database: prerequisite":        {sqlState("55000"), fault.Unknown},
		"database: internal error":      {sqlState("XX000"), fault.Unknown},
		"database: no SQLSTATE":         {sqlState(""), fault.Unknown},
		"storage: role":                 {answer(403, "AuthorizationPermissionMismatch"), fault.Service},
		"storage: no queue":             {answer(404, "QueueNotFound"), fault.Service},
		"storage: slow down":            {answer(503, "ServerBusy"), fault.Service},
		"storage: queue being deleted":  {answer(409, "QueueBeingDeleted"), fault.Service},
		"storage: folder being deleted": {answer(409, "ContainerBeingDeleted"), fault.Service},
		"storage: other conflict":       {answer(409, "BlobImmutableDueToPolicy"), fault.Unknown},
		"storage: too large":            {answer(413, "RequestBodyTooLarge"), fault.Message},
		"storage: bad request":          {answer(400, "InvalidUri"), fault.Message},
		"temporary file: disk full":     {onFile(syscall.ENOSPC), fault.Ours},
		"temporary file: no folder":     {noFolder(), fault.Ours},
		"temporary file: no right":      {onFile(syscall.EACCES), fault.Ours},
		"temporary file: closed":        {&fs.PathError{Op: "read", Err: os.ErrClosed}, fault.Ours},
		"too many open files":           {onFile(syscall.EMFILE), fault.Service},
		"I/O error of the machine":      {onFile(syscall.EIO), fault.Service},
		"network: refused":              {&net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}, fault.Service},
		"network: no buffers":           {&net.OpError{Op: "write", Err: syscall.ENOSPC}, fault.Service},
		"network: name":                 {&net.DNSError{Err: "no such host"}, fault.Service},
		"network: HTTP":                 {&url.Error{Op: "Put", Err: io.EOF}, fault.Service},
		"network: cut":                  {io.ErrUnexpectedEOF, fault.Service},
		"time-out":                      {context.DeadlineExceeded, fault.Service},
		"network: cut while cancelled":  {errors.Join(context.Canceled, &net.OpError{Op: "read", Err: syscall.ECONNRESET}), fault.Unknown},
		"the caller is gone":            {&url.Error{Op: "Put", Err: context.Canceled}, fault.Unknown},
		"marked":                        {fault.Mark(fault.Ours, io.ErrUnexpectedEOF), fault.Ours},
		"anything":                      {errors.New("index out of range"), fault.Unknown},
		"nothing":                       {nil, fault.Unknown},
	} {
		err := c.err
		if err != nil {
			err = fmt.Errorf("wrapped: %w", err)
		}
		if got := fault.Of(err); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
		if counted := c.want == fault.Ours || c.want == fault.Message; fault.IsCounted(err) != counted {
			t.Errorf("%s: counted %t, want %t", name, !counted, counted)
		}
	}
}

func sqlState(code string) error {
	return &pgconn.PgError{Severity: "ERROR", SeverityUnlocalized: "ERROR", Code: code}
}

func answer(status int, code string) error {
	return &azcore.ResponseError{StatusCode: status, ErrorCode: code}
}

func onFile(errno syscall.Errno) error { return &fs.PathError{Op: "write", Path: "/tmp/x", Err: errno} }

func noFolder() error {
	_, err := os.Create(filepath.Join(os.DevNull, "x"))
	return err
}
