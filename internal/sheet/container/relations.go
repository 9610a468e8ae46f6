package container

import (
	"path"
	"slices"

	"sheetdrop/internal/sheet/grid"
)

// Relation is a part's reference to another part of the package.
type Relation struct {
	Kind string // the last word of its type; what precedes it differs between transitional and strict workbooks
	Part string
}

// SheetKind returns the kind of the sheet that a workbook refers to by the relation. A missing one is a worksheet, and reported when
// it is read.
func (r Relation) SheetKind() grid.Kind {
	switch r.Kind {
	case "worksheet", "":
		return grid.Worksheet
	case "chartsheet":
		return grid.Chartsheet
	case "dialogsheet":
		return grid.Dialogsheet
	case "xlMacrosheet", "xlIntlMacrosheet":
		return grid.Macrosheet
	}
	return grid.OtherSheet
}

func relationsOf(part string) string {
	folder, name := path.Split(part)
	return PartName(folder + "_rels/" + name + ".rels")
}

// Relations returns the parts to which the part refers, by the relations' ids. The package itself is the part "".
func (a *Archive) Relations(part string) (map[string]Relation, error) {
	folder, _ := path.Split(part)
	d, err := a.Document(relationsOf(part))
	if err != nil {
		return nil, err
	}
	list := map[string]Relation{}
	return list, d.Root(func() error {
		return d.Each(func([]byte) error {
			at := d.Attributes()
			if at["TargetMode"] != "External" {
				list[at["Id"]] = Relation{path.Base(at["Type"]), Resolve(folder, at["Target"])}
			}
			if err := a.CheckParts(len(list)); err != nil {
				return err
			}
			return d.Skip()
		})
	})
}

// Related returns the part with a relation of this kind, otherwise the usual one if the package has it; "" if it has none.
func (a *Archive) Related(list map[string]Relation, kind, usual string) string {
	found := ""
	for _, r := range list {
		if r.Kind == kind && (found == "" || r.Part < found) {
			found = r.Part
		}
	}
	if found == "" && a.Has(usual) {
		found = usual
	}
	return found
}

// RelatedParts returns the parts of this kind to which the part refers and which the package has, in the order of their names.
func (a *Archive) RelatedParts(part, kind string) (parts []string, err error) {
	if !a.Has(relationsOf(part)) {
		return nil, nil
	}
	list, err := a.Relations(part)
	for _, r := range list {
		if r.Kind == kind && a.Has(r.Part) {
			parts = append(parts, r.Part)
		}
	}
	slices.Sort(parts)
	return slices.Compact(parts), err
}

// Main returns the part that the package itself names as its document; the usual one if it names none.
func (a *Archive) Main(usual string) (string, error) {
	if !a.Has(relationsOf("")) {
		return usual, nil
	}
	list, err := a.Relations("")
	if found := a.Related(list, "officeDocument", usual); found != "" {
		return found, err
	}
	return usual, err
}
