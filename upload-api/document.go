package upload

import (
	"maps"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"sheetdrop/internal/sheet"
	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/receive"
	"sheetdrop/upload-api/internal/response"
)

const previewDescription = "A preview."

// postFileOperation declares the upload without its body. If huma knew the body when it registers the operation, it
// would read all of it into memory before the operation starts. See docs/decisions/http-with-huma.md.
func postFileOperation(api huma.API) huma.Operation {
	op := huma.Operation{
		OperationID: "post-file", Method: http.MethodPost, Path: "/files",
		Summary: "Upload one file as the body, or several as a multipart body",
		Description: "The response is sent once the files are stored and their tasks are committed; a multipart body is accepted completely or not at all. " +
			"Parse options are query parameters, or form fields in any order; options has several at once as JSON. With preview nothing is stored: " +
			"the response shows the beginning of one file, and the options by which it was read.",
		Responses: map[string]*huma.Response{strconv.Itoa(http.StatusAccepted): {
			Description: "Accepted: each file with its task.",
			Content:     map[string]*huma.MediaType{"application/json": {Schema: operation.SchemaOf[Uploaded](api)}},
		}, strconv.Itoa(http.StatusOK): {
			Description: previewDescription,
			Content:     map[string]*huma.MediaType{"application/json": {Schema: operation.SchemaOf[sheet.Preview](api)}},
		}},
	}
	return withOptions(op, http.StatusAccepted)
}

// withParseOptions documents the parse options as query parameters. The operation reads and validates them itself.
func withParseOptions(op huma.Operation) huma.Operation {
	op.SkipValidateParams = true
	for _, name := range sheet.OptionNames() {
		op.Parameters = append(op.Parameters, &huma.Param{Name: name, In: "query", Description: optionSchemas[name].Description,
			Schema: optionSchemas[name]})
	}
	return op
}

// withOptions documents the parse options and those about a target likewise.
func withOptions(op huma.Operation, status int) huma.Operation {
	op = withParseOptions(op)
	op.DefaultStatus = status
	for _, name := range receive.TargetOptions() {
		op.Parameters = append(op.Parameters, &huma.Param{Name: name, In: "query", Description: targetSchemas[name].Description,
			Schema: targetSchemas[name]})
	}
	return op
}

// documentUpload adds the upload's body to the OpenAPI document only.
func documentUpload(api huma.API) {
	file := &huma.Schema{Type: huma.TypeString, Format: "binary",
		Description: "The file's bytes; the part must have a file name. The field may have any name."}
	form := &huma.Schema{
		Type: huma.TypeObject, Required: []string{"file"},
		Properties: map[string]*huma.Schema{"file": {Type: huma.TypeArray, Items: file, Description: "One file or several."}},
	}
	form.Properties[receive.DuplicatesOption] = &huma.Schema{
		Type: huma.TypeString, Enum: []any{receive.AcceptDuplicates, receive.RefuseDuplicates}, Default: receive.AcceptDuplicates,
		Description: "refuse: nothing is stored if a file with the same bytes is there already, or comes twice.",
	}
	maps.Copy(form.Properties, optionSchemas)
	maps.Copy(form.Properties, targetSchemas)
	byURL := &huma.Schema{
		Type: huma.TypeObject, Required: []string{"url"}, AdditionalProperties: false,
		Description: "Where the server fetches the file from, if the host is one of UPLOAD_URL_HOSTS.",
		Properties: map[string]*huma.Schema{
			"url":  {Type: huma.TypeString, Format: "uri", Examples: []any{"https://files.example.com/orders.csv"}},
			"name": {Type: huma.TypeString, MinLength: new(1), MaxLength: new(255), Description: "The file's name; by default the last part of the URL's path."},
		},
	}
	api.OpenAPI().Paths["/files"].Post.RequestBody = &huma.RequestBody{
		Required: true,
		Content: map[string]*huma.MediaType{
			export.TypeBytes: {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary",
				Description: "The file's bytes, with any media type except form-urlencoded and JSON, which name a URL."}},
			"multipart/form-data":               {Schema: form},
			export.TypeJSON:                     {Schema: byURL},
			"application/x-www-form-urlencoded": {Schema: byURL},
		},
	}
}

// streamed documents the response of an operation that writes it itself.
func streamed(op huma.Operation, contentType string, schema *huma.Schema) huma.Operation {
	op.Responses = map[string]*huma.Response{strconv.Itoa(http.StatusOK): {
		Description: http.StatusText(http.StatusOK), Content: map[string]*huma.MediaType{contentType: {Schema: schema}},
	}}
	return op
}

// madeOrFound documents that a view may be there already.
func madeOrFound(api huma.API, op huma.Operation) huma.Operation {
	op.DefaultStatus = http.StatusCreated
	op.Responses = map[string]*huma.Response{strconv.Itoa(http.StatusOK): {
		Description: "There already, or pointed to this sheet.",
		Content:     map[string]*huma.MediaType{"application/json": {Schema: operation.SchemaOf[View](api)}},
	}}
	return op
}

// undoesFirst documents that a deletion may have to wait for a task.
func undoesFirst(api huma.API, op huma.Operation) huma.Operation {
	op.DefaultStatus = http.StatusAccepted
	op.Responses = map[string]*huma.Response{
		strconv.Itoa(http.StatusNoContent): {Description: "Deleted."},
		strconv.Itoa(http.StatusAccepted): {
			Description: "With loads=undo: the task that undoes the first of the file's loads. When it has COMPLETED, its summary has the task of the next one, " +
				"or says that the file is deleted. Where a task FAILED or was CANCELLED the file stays.",
			Content: map[string]*huma.MediaType{"application/json": {Schema: operation.SchemaOf[response.Task](api)}},
		},
	}
	return op
}

// conditional documents that a caller who sends the ETag of an earlier response is told that nothing has changed.
func conditional(op huma.Operation) huma.Operation {
	op.Responses[strconv.Itoa(http.StatusNotModified)] = &huma.Response{Description: http.StatusText(http.StatusNotModified)}
	return op
}

// inForms documents a streamed list that is also available as NDJSON, CSV, a workbook and Parquet.
func inForms(op huma.Operation) huma.Operation {
	content := op.Responses[strconv.Itoa(http.StatusOK)].Content
	op.Description = "As JSON, a page of limit items. As NDJSON, CSV, xlsx or Parquet (by Accept or format): all items from the cursor on, or " +
		"limit of them if it is set. A response that cannot be completed ends with an aborted connection."
	content[export.TypeNDJSON] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString,
		Description: "One item of the JSON response's list per line."}}
	content[export.TypeCSV] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString,
		Description: "RFC 4180 with CR LF and a header of the columns' unique " +
			"names, in UTF-8 or CP932; null is an empty field, an empty text is a quoted one."}}
	content[export.TypeXLSX] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary",
		Description: "An Excel workbook with values in the types of their columns, and no formula."}}
	content[export.TypeParquet] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary",
		Description: "A Parquet file whose columns have the narrowest types that hold all values of the list."}}
	return op
}
