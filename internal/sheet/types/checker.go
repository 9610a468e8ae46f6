package types

import (
	"crypto/sha256"
	"errors"
)

// MaxUnique is a limit for the number of values in unique columns that a Checker holds: as many as a worksheet has
// rows. A value takes up to 70 bytes.
const MaxUnique = 1 << 20

// ErrTooManyUnique is returned if a sheet has more values in unique columns than the Checker may hold. Its code is
// TooManyUnique.
var ErrTooManyUnique = errors.New("the unique columns have more values than can be compared")

// TooManyUnique is the code of ErrTooManyUnique.
const TooManyUnique Code = "too_many_unique_values"

// ErrTooComplex is returned if the Checker's budget for patterns is used up. Its code is TooComplex.
var ErrTooComplex = errors.New("the patterns take too much work")

// TooComplex is the code of ErrTooComplex.
const TooComplex Code = "too_complex"

// lookEvery is how much work is done, in instructions times bytes, between two checks for cancellation: some 50 ms of
// the slowest patterns.
const lookEvery = 4 << 20

// Checker checks the rows of one sheet against the rules of its columns. It is not safe for concurrent use.
type Checker struct {
	checks []*Check
	unique []map[fingerprint]int64 // per column: the row in which a value occurs
	digits []int                   // per column: of its longest number
	held   int
	limit  int
	budget *int64       // of patterns, in instructions times bytes; nil if unlimited
	ended  func() error // called periodically while patterns are matched
	worked int64        // since it was called
	faults []Fault
	fresh  []fingerprint // of the current row, per column
}

// fingerprint identifies a value: half of its SHA-256. The probability that two of n different values have the same one
// is below n²/2¹²⁹: for a million, 10⁻²⁶.
type fingerprint [16]byte

// NewChecker returns a Checker with the checks of a sheet's columns; nil stands for a column without a rule. limit is
// the maximum number of values in all unique columns together.
func NewChecker(checks []*Check, limit int) *Checker {
	n := len(checks)
	c := &Checker{
		checks: checks,
		limit:  limit,
		digits: make([]int, n),
		fresh:  make([]fingerprint, n),
		unique: make([]map[fingerprint]int64, n),
	}
	for i, check := range checks {
		if check != nil && check.rule.Unique {
			c.unique[i] = map[fingerprint]int64{}
		}
	}
	return c
}

// LimitWork sets a budget for matching patterns, in instructions times bytes, which several Checkers may share. ended
// is called periodically, even within a row; an error that it returns ends the check.
func (c *Checker) LimitWork(budget *int64, ended func() error) { c.budget, c.ended = budget, ended }

// work counts the work of matching the cell against the check's pattern.
func (c *Checker) work(check *Check, cell []byte) error {
	if check.steps == 0 || c.budget == nil || len(cell) > MaxPatternCell {
		return nil
	}
	steps := int64(check.steps) * int64(len(cell)+1)
	if *c.budget -= steps; *c.budget < 0 {
		return ErrTooComplex
	}
	if c.worked += steps; c.worked < lookEvery {
		return nil
	}
	c.worked = 0
	return c.ended()
}

// Check returns the faults of a row's cells, at most one for each, valid until the next call. A row without faults
// counts for the uniqueness of later ones, a row with faults does not, because it is not loaded. The error is
// ErrTooManyUnique or one of LimitWork's. A row without faults and without new values allocates no memory.
func (c *Checker) Check(row int64, cells [][]byte) ([]Fault, error) {
	faults, err := c.Inspect(row, cells)
	if err != nil || len(faults) > 0 {
		return faults, err
	}
	return nil, c.keep(row, cells)
}

// Inspect is Check for a row that is not loaded in any case: it does not count for the uniqueness of later ones.
func (c *Checker) Inspect(_ int64, cells [][]byte) ([]Fault, error) {
	c.faults = c.faults[:0]
	for i, check := range c.checks {
		if check == nil {
			continue
		}
		var cell []byte
		if i < len(cells) {
			cell = cells[i]
		}
		if err := c.work(check, cell); err != nil {
			return nil, err
		}
		code, digits := check.check(cell)
		c.digits[i] = max(c.digits[i], digits)
		if code != "" {
			c.faults = append(c.faults, Fault{Column: i, Code: code, check: check, cell: cell})
		} else if c.unique[i] != nil && !isBlank(cell) {
			c.compare(i, cell)
		}
	}
	return c.faults, nil
}

// Table returns a Table for the rows without faults. It reads the values of declared columns only as declared.
func (c *Checker) Table() *Table {
	t := NewTable(len(c.checks))
	for i, check := range c.checks {
		if check != nil {
			t.columns[i].open, t.columns[i].watched = check.values.accept, check.values.accept
		}
	}
	return t
}

// Reports returns what a Table found in the rows without faults, with the declared types in place of those found.
func (c *Checker) Reports(found []Report) []Report {
	for i, check := range c.checks {
		if check != nil {
			found[i] = found[i].as(check.rule.Type, check.rule.Format, c.digits[i])
		}
	}
	return found
}

// compare looks for the cell's value in earlier rows.
func (c *Checker) compare(column int, cell []byte) {
	var buffer [64]byte
	value, _ := c.checks[column].values.identity(buffer[:0], cell)
	sum := sha256.Sum256(value)
	c.fresh[column] = fingerprint(sum[:])
	if first, found := c.unique[column][c.fresh[column]]; found {
		c.faults = append(c.faults, Fault{Column: column, Code: NotUnique, check: c.checks[column], cell: cell, first: first})
	}
}

// keep stores the values of a row that is loaded.
func (c *Checker) keep(row int64, cells [][]byte) error {
	for i, seen := range c.unique {
		if seen == nil || i >= len(cells) || isBlank(cells[i]) {
			continue
		}
		if c.held++; c.held > c.limit {
			return ErrTooManyUnique
		}
		seen[c.fresh[i]] = row
	}
	return nil
}
