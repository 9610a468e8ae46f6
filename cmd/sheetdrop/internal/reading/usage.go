package reading

import (
	"errors"
	"fmt"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/internal/sheet"
)

// BadUsageStatus is the exit status of a command line that makes no sense.
const BadUsageStatus = 2

// badUsage is an error of whoever called the program, not of the file.
type badUsage struct{ error }

// ExitCode is called by kong.
func (badUsage) ExitCode() int { return BadUsageStatus }

// asBadUsage makes bad usage of the refusal that a sheet is not there, for which the flag is to blame and not the file.
func asBadUsage(in *input, err error) error {
	if refusal, ok := errors.AsType[*sheet.Refusal](err); ok && refusal.Code == sheet.NoSuchSheet {
		return badUsage{fmt.Errorf("--sheet: %s: %s", in.name, terminal.Printable(refusal.Message))}
	}
	return err
}
