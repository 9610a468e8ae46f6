// Package flap makes the Functions host end, or lose its way, at each step that it takes on storage, while files are
// uploaded, and looks whether each of them is parsed once and soon. The tests are all there is.
package flap
