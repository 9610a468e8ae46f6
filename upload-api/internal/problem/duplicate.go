package problem

import "sheetdrop/internal/task"

// OfDuplicate returns the problem of bytes that the caller has in another file already.
func OfDuplicate(same task.SameFile) *Problem {
	p := New(Duplicate, "The same bytes were uploaded as %s. Nothing was stored.", clip(same.Name))
	p.SameAs = &same
	return p
}
