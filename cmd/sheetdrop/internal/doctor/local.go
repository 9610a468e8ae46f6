package doctor

import (
	"context"
	"strings"

	"sheetdrop/cmd/sheetdrop/internal/instance"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/devstack"
)

// Local is a sheetdrop of this machine.
type Local struct {
	Root    string // of the checkout, or the release
	Data    string // the data folder
	Running bool   // its addresses are there
	Taken   bool   // by one that starts, runs or ends
	HostPID int    // of its host, by these
}

// Alive reports whether its addresses are those of one that runs.
func (l *Local) Alive() bool { return l.Running && devstack.IsProcess(l.HostPID) }

func (e *examination) localPrograms(context.Context) Finding {
	if missing := instance.MissingTools(e.Local.Root); len(missing) > 0 {
		return problem(words.Sprintf("Programs are not on the PATH: %s", strings.Join(missing, "; ")),
			words.In("`sheetdrop local` cannot start without them."), words.In("Install them, and open a new terminal."))
	}
	return fine(words.In("All programs are on the PATH."))
}

func (e *examination) localDisk(context.Context) Finding {
	return e.room(e.Local.Data, words.In("PostgreSQL stops when it can write no more, and Azurite forgets at its end which files it has taken since."))
}

// room judges the free bytes of the disk of a folder, or of the next one above that is there.
func (e *examination) room(folder, means string) Finding {
	free, err := devstack.FreeBytes(folder)
	if err != nil {
		return unreadable(err)
	}
	found := words.Sprintf("%s has %d MB left.", folder, free>>20)
	next := words.In("Make room on this disk, or move the data to another one.")
	switch t := e.Thresholds; {
	case free < t.DiskProblem:
		return problem(found, means, next)
	case free < t.DiskWarning:
		return warning(found, means, next)
	}
	return fine(found)
}

func (e *examination) localLeftovers(context.Context) Finding {
	left, err := devstack.Leftovers(e.Local.Data)
	if err != nil {
		return unreadable(err)
	}
	if len(left) > 0 {
		return problem(words.Sprintf("Processes of a killed `sheetdrop local` still run on %s: %s", e.Local.Data, strings.Join(left, ", ")),
			words.In("They hold the data and the ports."),
			words.In("`sheetdrop local` ends them in order when it starts."))
	}
	return fine(words.In("Nothing was left."))
}

func (e *examination) localPorts(ctx context.Context) Finding {
	if e.Local.Running || e.Local.Taken {
		return fine(words.In("It runs, and has its ports."))
	}
	if taken := instance.TakenPorts(ctx, e.Local.Data); len(taken) > 0 {
		return warning(words.Sprintf("Another program listens at the ports of the last start: %s", strings.Join(taken, ", ")),
			words.In("`sheetdrop local` takes other ports, so addresses in other programs do not lead to it."),
			words.In("End the other program, or use the addresses that `sheetdrop local` prints."))
	}
	return fine(words.In("Its ports are free."))
}

func (e *examination) localRunning(context.Context) Finding {
	switch {
	case !e.Local.Running && e.Local.Taken:
		return problem(words.Sprintf("A sheetdrop is starting or ending on %s.", e.Local.Data), "",
			words.In("Wait until `sheetdrop local` says that it is running, and ask again."))
	case !e.Local.Running:
		return problem(words.Sprintf("No sheetdrop runs on %s.", e.Local.Data), "",
			words.In("Start it with `sheetdrop local`, or name another one with --url, --data or --profile."))
	case !e.Local.Alive():
		return problem(words.Sprintf("The sheetdrop of %s was killed, and has left its addresses.", e.Local.Data), "",
			words.In("Start it with `sheetdrop local`; what was accepted goes on then."))
	}
	return fine(words.Sprintf("A sheetdrop runs on %s.", e.Local.Data))
}
