package grid

// Window is the part of a worksheet in which a table stands: some of its rows, and some of its columns, which keep their numbers.
type Window struct {
	Rows               // of the worksheet
	Kept        []*Row // rows that were read already
	Err         error  // with which reading them ended
	Top, Bottom int64  // row numbers
	Left, Right int    // columns; all, if Right is 0
	row         Row
}

// Next implements Rows. Of a worksheet's columns only those rows are returned that have a cell in them and can be read; the others are
// those of the table in the other columns.
func (w *Window) Next() (*Row, error) {
	for {
		row, err := w.next()
		if err != nil {
			return nil, err
		}
		if row.No < w.Top || row.No > w.Bottom {
			continue
		}
		if w.Right == 0 {
			return row, nil
		}
		cells := w.row.Cells[:0]
		w.row = *row
		for _, c := range row.Cells {
			if w.Left <= c.Column && c.Column <= w.Right {
				cells = append(cells, c)
			}
		}
		if w.row.Cells = cells; row.Fault == "" && !w.row.IsEmpty() {
			return &w.row, nil
		}
	}
}

func (w *Window) next() (*Row, error) {
	if len(w.Kept) > 0 {
		row := w.Kept[0]
		w.Kept = w.Kept[1:]
		return row, nil
	}
	if w.Err != nil {
		return nil, w.Err
	}
	return w.Rows.Next()
}

// Known implements Informed: what is known of the worksheet, as far as it is about the window.
func (w *Window) Known(merged bool) (known Known, err error) {
	informed, ok := w.Rows.(Informed)
	if !ok {
		return known, nil
	}
	all, err := informed.Known(merged)
	if err != nil {
		return known, err
	}
	if w.Top <= all.HeaderEnd && all.HeaderEnd <= w.Bottom {
		known.HeaderEnd = all.HeaderEnd
	}
	for _, t := range all.Tables {
		if w.holds(t.Range) {
			known.Tables = append(known.Tables, t)
		}
	}
	for _, m := range all.Merged {
		if w.holds(m) {
			known.Merged = append(known.Merged, m)
		}
	}
	return known, nil
}

func (w *Window) holds(r Range) bool {
	return w.Top <= r.Top && r.Bottom <= w.Bottom && (w.Right == 0 || w.Left <= r.Left && r.Right <= w.Right)
}
