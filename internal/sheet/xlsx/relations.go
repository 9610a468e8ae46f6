package xlsx

import (
	"path"

	"sheetdrop/internal/sheet/container"
)

// relation is a part's reference to another part of the package.
type relation struct {
	kind string // the last word of its type; what precedes it differs between transitional and strict workbooks
	part string
}

// relations returns the parts to which the part refers, by the relations' ids. The package itself is the part "".
func relations(a *container.Archive, part string) (map[string]relation, error) {
	folder, name := path.Split(part)
	d, err := a.Document(container.PartName(folder + "_rels/" + name + ".rels"))
	if err != nil {
		return nil, err
	}
	list := map[string]relation{}
	return list, d.Root(func() error {
		return d.Each(func([]byte) error {
			at := d.Attributes()
			if at["TargetMode"] != "External" {
				list[at["Id"]] = relation{path.Base(at["Type"]), container.Resolve(folder, at["Target"])}
			}
			if err := a.CheckParts(len(list)); err != nil {
				return err
			}
			return d.Skip()
		})
	})
}

// one returns the part with a relation of this kind, otherwise the usual one if the package has it.
func one(a *container.Archive, list map[string]relation, kind, usual string) string {
	found := ""
	for _, r := range list {
		if r.kind == kind && (found == "" || r.part < found) {
			found = r.part
		}
	}
	if found == "" && a.Has(usual) {
		found = usual
	}
	return found
}
