package pgproxy

import "slices"

// Statements returns the texts of what clients had executed so far, in the order in which it came. Preparing a
// statement is not executing it.
func (p *Proxy) Statements() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.statements)
}
