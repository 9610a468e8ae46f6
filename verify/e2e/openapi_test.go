package e2e_test

import (
	"net/http"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"sheetdrop/verify/e2e"
)

// People generate clients from the API's description: it is a valid document of OpenAPI. That answers are as it says, the tests of upload-api hold.
func TestOpenAPIDocumentIsValid(t *testing.T) {
	t.Parallel()
	app := e2e.Start(t, e2e.Options{Functions: []string{"upload-api"}})
	document, err := openapi3.NewLoader().LoadFromData(app.Do(t, http.MethodGet, "/api/openapi.json", nil, nil).Text)
	if err != nil {
		t.Fatal(err)
	}
	// Examples are held to their schemas by the tests of upload-api: this library does not look through a $ref beside unevaluatedProperties.
	if err := document.Validate(t.Context(), openapi3.DisableExamplesValidation()); err != nil {
		t.Error(err)
	}
}
