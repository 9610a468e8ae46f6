package help

import (
	"runtime"
	"runtime/debug"
)

// Version is what a program was built of.
type Version struct {
	Version  string `json:"version"`          // of the module, "(devel)" outside of a release
	Commit   string `json:"commit,omitempty"` // "" where it was built without a repository
	Time     string `json:"time,omitempty"`   // of the commit
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// ThisVersion returns that of this program.
func ThisVersion() Version {
	v := Version{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.time":
			v.Time = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// String returns it as a line.
func (v Version) String() string {
	text := "sheetdrop " + v.Version
	if v.Commit != "" {
		text += ", " + v.Commit[:min(len(v.Commit), 12)]
	}
	if v.Modified {
		text += "+"
	}
	if v.Time != "" {
		text += " of " + v.Time
	}
	return text + ", " + v.Go + ", " + v.Platform
}
