package xlsx

import (
	"path"
)

// relation is a part's pointer to another part of the package.
type relation struct {
	kind string // the last word of its type; what stands before differs between transitional and strict workbooks
	part string
}

// relations returns what the part points to, by the relations' ids. The package itself is the part "".
func (a *archive) relations(part string) (map[string]relation, error) {
	folder, name := path.Split(part)
	d, err := a.document(partName(folder + "_rels/" + name + ".rels"))
	if err != nil {
		return nil, err
	}
	list := map[string]relation{}
	return list, d.root(func() error {
		return d.each(func([]byte) error {
			at := d.attributes()
			if at["TargetMode"] != "External" {
				list[at["Id"]] = relation{path.Base(at["Type"]), resolve(folder, at["Target"])}
			}
			if err := a.checkParts(len(list)); err != nil {
				return err
			}
			return d.Skip()
		})
	})
}

// one returns the part of the relation of that kind, else the usual one if the package has it.
func (a *archive) one(list map[string]relation, kind, usual string) string {
	found := ""
	for _, r := range list {
		if r.kind == kind && (found == "" || r.part < found) {
			found = r.part
		}
	}
	if found == "" && a.has(usual) {
		found = usual
	}
	return found
}
