package openapi

// describeRows says what rows are made of. Their members are found in files, so no type of the program has them.
func (d doc) describeRows() {
	reference := func(name string) node { return node{"$ref": "#/components/schemas/" + name} }
	d.schemas["Cell"] = node{
		"type":        []any{"string", "number", "boolean", "null"},
		"description": "A value of the column's type, or with values=raw the text in the file.",
		"x-go-type":   "any", "x-go-type-skip-optional-pointer": true, // oapi-codegen has no type for a value of one of several types
	}
	d.schemas["Cells"] = node{
		"type": "array", "items": reference("Cell"), "description": "A row with shape=arrays: its cells in the order of the columns.",
	}
	d.schemas["RowObject"] = node{
		"type": "object", "additionalProperties": reference("Cell"), "description": "A row with shape=objects: its cells by the names of the columns.",
	}
	member(d.schemas, "NumberedRow", "properties")["cells"] = reference("Cells")
	rowsOf := func(schema string, shapes ...any) {
		member(d.schemas, schema, "properties", "rows")["items"] = node{"oneOf": shapes}
	}
	rowsOf("Rows", reference("Cells"), reference("RowObject"), reference("NumberedRow"))
	rowsOf("TargetRows", reference("Cells"), reference("RowObject"))
	member(d.schemas, "RowPreview", "properties", "values")["items"] = reference("Cell")
	member(d.schemas, "UndoSummary", "properties", "kept_keys")["items"] = reference("RowObject")
}
