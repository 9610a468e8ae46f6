// Package page has the tests of the page in a real browser, over the whole program. Screenshots of its main states go to the folder that
// SCREENSHOTS names.
package page
