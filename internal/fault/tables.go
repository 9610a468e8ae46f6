package fault

import (
	"errors"
	"io/fs"
	"net/http"
	"strings"
	"syscall"
)

// sqlStates maps SQLSTATEs and their classes to sides; a full SQLSTATE takes precedence over its class. Source:
// https://www.postgresql.org/docs/current/errcodes-appendix.html
var sqlStates = map[string]Side{
	"08":    Service, // connection
	"25006": Service, // read-only: the disk is full, or another server is the primary now
	"28":    Service, // login refused, as with an expired token
	"40":    Service, // rolled back
	"42501": Service, // a right that an operator has not granted
	"53":    Service, // resources
	"55P03": Service, // a lock was not available
	"57":    Service, // an operator, or the server's start and stop
	"58":    Service, // the server's system: I/O errors
	"F0":    Service, // its configuration

	"0A": Ours, // not supported
	"21": Ours, // cardinality
	"22": Ours, // data
	"23": Ours, // constraints
	"42": Ours, // syntax and names
	"54": Ours, // the server's limits
}

func ofSQLState(code string) Side {
	if side, ok := sqlStates[code]; ok || len(code) < 2 {
		return side
	}
	return sqlStates[code[:2]]
}

// ofAnswer classifies responses of the blob and the queue service. Source:
// https://learn.microsoft.com/rest/api/storageservices/common-rest-api-error-codes
func ofAnswer(status int, code string) Side {
	switch {
	case strings.HasSuffix(code, "BeingDeleted"), strings.HasSuffix(code, "BeingCreated"), status >= http.StatusInternalServerError:
		return Service
	default:
		return answers[status]
	}
}

var answers = map[int]Side{
	http.StatusUnauthorized:    Service, // a missing token or role
	http.StatusForbidden:       Service,
	http.StatusNotFound:        Service, // the queue or the container
	http.StatusRequestTimeout:  Service,
	http.StatusTooManyRequests: Service,

	http.StatusBadRequest:            Message,
	http.StatusLengthRequired:        Message,
	http.StatusRequestEntityTooLarge: Message,
	http.StatusRequestURITooLong:     Message,
	http.StatusUnsupportedMediaType:  Message,
}

// errnos are the errors of system calls on files that concern more than the file: a resource that the machine has run
// out of becomes available again.
var errnos = map[syscall.Errno]Side{
	syscall.EAGAIN: Service, syscall.EINTR: Service, syscall.EIO: Service,
	syscall.EMFILE: Service, syscall.ENFILE: Service, syscall.ENOMEM: Service,
}

// ofFile classifies errors of files, all of which are temporary files. A file that does not fit on the machine's disk
// is counted, or the task would be tried for ever.
func ofFile(e *fs.PathError) Side {
	if errno, ok := errors.AsType[syscall.Errno](e); ok && errnos[errno] != Unknown {
		return errnos[errno]
	}
	return Ours
}
