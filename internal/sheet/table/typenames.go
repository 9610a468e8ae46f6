package table

// namesTypes reports whether the record names the types of the columns, some of which have other values:
//
//	site	day	flow
//	15s	20d	14n
//	02177000	2012-09-01	191
func (c columns) namesTypes(r row) bool {
	if r.blank || r.broken || !r.types || r.width != c.width || r.width < leastNumbered || share(r.filled, seen(r.width)) < headerFilled {
		return false
	}
	return c.isUnlike(r)
}
