package sheet

import "sheetdrop/internal/sheet/xlsx"

// Found returns options by which a sheet is read as it is now, whatever else its file holds: those that were given, with what was detected
// filled in. The encoding stays open while only ASCII was read, and everything that follows the header is known only once that was.
func (b *Book) Found(s *Sheet) Options {
	o := b.options
	header, skip := s.dialect.HeaderRows, s.dialect.PreambleRows
	o.Header, o.Skip = &header, &skip
	o.HeaderRule = o.HeaderRule || s.ruled
	b.workbook.found(s.sheetInfo, &o)
	return o
}

func (f *csvFile) found(info sheetInfo, o *Options) {
	d := info.dialect
	if f.enc.Found {
		o.Encoding = f.enc.Encoding.Name()
	}
	o.Delimiter, o.Quote, o.Escape, o.SkipSpace = d.Delimiter, d.Quote, d.Escape, &d.SkipSpace
	if o.Quote == "" {
		o.Quote = none
	}
	o.MixedDelimiters, o.RowNames = f.repairs, info.rowNames
}

// found names the sheet if others would be read as well.
func (f *xlsxFile) found(info sheetInfo, o *Options) {
	if o.Sheet != "" {
		return
	}
	for _, s := range f.sheets {
		if s.Number != info.number && s.Kind == xlsx.Worksheet && (s.Visibility == xlsx.Visible || f.opt.Hidden) {
			o.Sheet = info.name
			return
		}
	}
}
