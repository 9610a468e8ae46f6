package house

// root is the module's folder, seen from this one.
const root = "../.."
