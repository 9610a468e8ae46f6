package sheet

import "context"

func openXLSX(_ context.Context, _ Source, _ Limits) (workbook, error) {
	return nil, unsupported("a workbook")
}
