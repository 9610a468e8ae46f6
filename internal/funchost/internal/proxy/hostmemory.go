package proxy

import (
	"net/http"
	"sync"
)

// What the real host's process holds without requests, and what it grows by for each byte of a body. Measured with a host
// of version 4.1037 and HTTP binder 3.2.0; of several measurements the dearest. The binder reads each body of known length
// into a string (16 at once of 20 MiB: 1.96 GB, chunked 181 MB) and parses one that begins with { as JSON, whatever its
// type and its path (4 at once of 8 MB: 1.3 GB; one of 34 MB: 1.2 GB; one of 72 MB: 2.5 GB). It keeps both until the call
// ends. A chunked body only passes through.
const (
	idleHostMemory = 165_000_000 // bytes
	textBodyCost   = 5.4
	jsonBodyCost   = 35.5
	chunkedCost    = 0.05
)

// Memory is what the real host's process would hold, in bytes, according to measurements: idle, and for the bodies of the
// requests. The handler's own memory is not included.
type Memory struct {
	Now, Peak int64 // Peak is the most since Start
}

// MemoryAccount keeps the account. Its zero value is that of a host without requests. It is safe for concurrent use.
type MemoryAccount struct {
	mu           sync.Mutex
	bodies, peak float64 // bytes
}

// Memory returns what the account holds now.
func (m *MemoryAccount) Memory() Memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	return Memory{Now: idleHostMemory + int64(m.bodies), Peak: idleHostMemory + int64(m.peak)}
}

func (m *MemoryAccount) add(bytes float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.bodies += bytes
	m.peak = max(m.peak, m.bodies)
}

// bodyMemory is the part of the account that one request has.
type bodyMemory struct {
	account *MemoryAccount
	held    float64
}

// request starts the account of one request.
func (m *MemoryAccount) request(r *http.Request) *bodyMemory {
	b := &bodyMemory{account: m}
	b.hold(float64(max(r.ContentLength, 0)) * textBodyCost)
	return b
}

// parsedAsJSON says that the body, of so many bytes, begins with {.
func (b *bodyMemory) parsedAsJSON(bytes int64) {
	b.hold(float64(bytes) * (jsonBodyCost - textBodyCost))
}

// passed says that so many bytes of a chunked body have passed.
func (b *bodyMemory) passed(bytes int) { b.hold(float64(bytes) * chunkedCost) }

func (b *bodyMemory) hold(bytes float64) {
	b.held += bytes
	b.account.add(bytes)
}

func (b *bodyMemory) release() { b.hold(-b.held) }
