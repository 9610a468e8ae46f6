package targets

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres/targetstore"
	"sheetdrop/internal/target"
)

// Target is a named target in responses.
type Target struct {
	ID         uuid.UUID         `json:"id" format:"uuid"`
	Name       string            `json:"name"`
	Owner      string            `json:"owner"`
	Kind       string            `json:"kind" enum:"MANAGED,ADOPTED" doc:"MANAGED: sheetdrop has made the table; ADOPTED: it was there before."`
	Table      TableName         `json:"table"`
	Version    int               `json:"version" doc:"Of the definition, from 1."`
	Ordered    bool              `json:"ordered" doc:"Whether its loads run one after the other, in the order in which the files were sent."`
	May        []string          `json:"may" doc:"What the caller may do with it: own, or some of define, load and read."`
	CreatedAt  time.Time         `json:"created_at"`
	Definition *TargetDefinition `json:"definition,omitempty" doc:"Not in lists."`
}

// TableName is where the rows of a target are.
type TableName struct {
	Schema string `json:"schema"`
	Name   string `json:"name"`
}

// TargetDefinition is what a target is. Its fields are those of target.Definition.
type TargetDefinition struct {
	Name       string            `json:"name" doc:"Of the target and of its table: 57 bytes at most."`
	Columns    []TargetColumn    `json:"columns" doc:"1,000 at most."`
	Key        []string          `json:"key,omitempty" doc:"Names of required columns: rows with the same values in them are one row."`
	Mode       target.Mode       `json:"mode,omitempty" enum:"insert,upsert,replace" doc:"What a load does with rows whose key is there: insert (the default) rejects them, upsert sets their columns, replace does likewise and deletes the rows that the file does not have."`
	Partition  []string          `json:"partition,omitempty" doc:"Names of columns: a load of mode replace replaces the rows that have the same values in them as a row of the file; without any, all rows."`
	Duplicates target.Duplicates `json:"duplicates,omitempty" enum:"first,last" doc:"Which of a file's rows with the same key is loaded; the others are rejected. first by default."`
	Missing    target.Missing    `json:"missing,omitempty" enum:"keep,default" doc:"What columns that a file does not have become: they keep their values (the default), or take their defaults."`
	Extra      target.Extra      `json:"extra,omitempty" enum:"leave_out,refuse" doc:"What becomes of a file's columns that nothing was matched to: they are left out (the default), or the file is refused."`
}

// TargetColumn is a typed column of a target. Its fields are those of target.Column.
type TargetColumn struct {
	Name      string      `json:"name" doc:"In PostgreSQL: 63 bytes at most."`
	Label     string      `json:"label,omitempty" doc:"How files and people call it."`
	Type      target.Type `json:"type" enum:"text,integer,decimal,boolean,date,time,timestamp,instant,duration"`
	Required  bool        `json:"required,omitempty" doc:"Cells must not be empty."`
	MaxLength int         `json:"max_length,omitempty" doc:"Characters of text."`
	Digits    int         `json:"digits,omitempty" doc:"Of a decimal, in all."`
	Scale     int         `json:"scale,omitempty" doc:"Digits behind the point of a decimal with digits. A number with more is rejected, never rounded."`
	Min       string      `json:"min,omitempty" doc:"The minimum, in the type's own form: 1200.5, 2026-01-31, 09:05:00, PT27H30M."`
	Max       string      `json:"max,omitempty" doc:"The maximum, likewise."`
	Pattern   string      `json:"pattern,omitempty" doc:"Of text: an RE2 regular expression that the whole cell matches."`
	Allowed   []string    `json:"allowed,omitempty" doc:"Of text: all values that it may have."`
	Default   *string     `json:"default,omitempty" doc:"Of cells that are empty, in the type's own form."`
	Format    string      `json:"format,omitempty" doc:"How cells are written, by the names that sheets report, such as DD.MM.YYYY. Without it, the whole column of each file decides."`
	Zone      string      `json:"zone,omitempty" doc:"Of an instant: the IANA time zone of cells without an offset."`
	Synonyms  []string    `json:"synonyms,omitempty" doc:"Other headers that mean this column."`
}

func showTarget(t targetstore.Target) (Target, error) {
	var def target.Definition
	if err := json.Unmarshal(t.Definition, &def); err != nil {
		return Target{}, fmt.Errorf("the definition of target %s: %w", t.ID, err)
	}
	shown := showTargetItem(t)
	shown.Definition = showDefinition(def)
	return shown, nil
}

func showTargetItem(t targetstore.Target) Target {
	return Target{ID: t.ID, Name: t.Name, Owner: t.Owner, Kind: t.Kind, Table: TableName{t.SchemaName, t.TableName}, Version: t.Version,
		Ordered: t.Ordered, May: t.Rights, CreatedAt: t.CreatedAt}
}

func showDefinition(d target.Definition) *TargetDefinition {
	shown := &TargetDefinition{Name: d.Name, Columns: make([]TargetColumn, len(d.Columns)), Key: d.Key, Mode: d.Mode, Partition: d.Partition,
		Duplicates: d.Duplicates, Missing: d.Missing, Extra: d.Extra}
	for i, c := range d.Columns {
		shown.Columns[i] = TargetColumn(c)
	}
	return shown
}
