// Package crashpoint is where the crash matrix (package crash) takes hold of the handler: every statement that
// PostgreSQL is sent and every call of storage passes here. The process can die by SIGKILL right before or after a
// named effect, or lose its answer. Only a handler that is built with the tag crashpoints has this package in it.
package crashpoint

import "strings"

// changes are the beginnings of statements, or parts of them, that leave something behind.
var changes = [...]string{"insert into ", "update sheetdrop.", "delete from ", "merge into ", "truncate ", "nextval("}

// Changes reports whether a statement changes anything when it is committed.
func Changes(sql string) bool {
	sql = strings.ToLower(sql)
	for _, change := range changes {
		if strings.Contains(sql, change) {
			return true
		}
	}
	return false
}
