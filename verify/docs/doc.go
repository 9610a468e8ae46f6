// Package docs follows the documentation as its readers do, by the built program and a running `sheetdrop local`: each command of its
// pages, the tutorial, and the README of somebody who has no more than a release.
package docs
