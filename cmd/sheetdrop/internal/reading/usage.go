package reading

import (
	"errors"

	"sheetdrop/cmd/sheetdrop/internal/terminal"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/sheet"
)

// BadUsageStatus is the exit status of a command line that makes no sense.
const BadUsageStatus = 2

// badUsage is an error of the command line, not of the file.
type badUsage struct{ error }

// ExitCode is called by kong.
func (badUsage) ExitCode() int { return BadUsageStatus }

// asBadUsage makes bad usage of the refusal that a sheet is not there, for which the flag is to blame and not the file.
func asBadUsage(in *input, err error) error {
	if refusal, ok := errors.AsType[*sheet.Refusal](err); ok && refusal.Code == sheet.NoSuchSheet {
		return badUsage{words.Errorf("--sheet: %s: %s", in.name, terminal.Printable(words.Localized(refusal.Message, refusal.MessageJA)))}
	}
	return err
}
