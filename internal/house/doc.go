// Package house has no code. Its tests check what the compiler does not see of sheetdrop as a whole: the dependency
// rules (plan_test.go); that settings, names, roles, connections and alerts agree in host.json, in the functions'
// folders, in the handler, in Bicep and in the workflows; what the package for Azure contains; and that the SQL which
// grants the app's rights grants enough and no more.
package house
