// Package house has no code. Its tests hold what the compiler does not see of sheetdrop as a whole: who may import whom (the plan, in
// plan_test.go); that settings, names, roles, connections and alerts say the same in host.json, in the functions' folders, in the handler,
// in Bicep and in the workflows; what the package for Azure holds; and that the SQL which gives
// the app its rights gives enough and no more.
package house
