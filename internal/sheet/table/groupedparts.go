package table

// headGroups reports whether values alone are titles of parts because the workbook has grouped the rows below them: two stand alone above
// rows of their groups, and most others have more cells, since a list of tasks may group what is not filled in yet.
//
//	Item,Price
//	Phones
//	  Acme
//	    A1,120
//	    A2,140
func headGroups(rows []row) bool {
	titles, alone, fuller := 0, 0, 0
	for _, r := range rows {
		switch {
		case r.blank || r.broken:
		case r.filled > 1:
			fuller++
		case r.heads:
			titles++
		default:
			alone++
		}
	}
	return titles >= sectionTitles && fuller > alone
}
