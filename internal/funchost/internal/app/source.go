// Package app reads an app root as the Functions host does: host.json, <function>/function.json and the app settings that they name.
package app

import "sheetdrop/internal/funchost/internal/timing"

// Source is where an app is read from. See funchost.Config for its fields.
type Source struct {
	Root       string // absolute
	Executable string
	Functions  []string
	Settings   Settings
	Scale      timing.Scale
}
