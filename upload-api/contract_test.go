package upload

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"sheetdrop/upload-api/internal/export"
	"sheetdrop/upload-api/internal/problem"
)

// contract is the OpenAPI document, which every answer in every test of this package is held against.
type contract struct{ router routers.Router }

func init() {
	openapi3filter.RegisterBodyDecoder(export.TypeNDJSON, openapi3filter.FileBodyDecoder)
	openapi3filter.RegisterBodyDecoder(export.TypeCSV, openapi3filter.FileBodyDecoder)
}

func readContract(t testing.TB, h *Handler) contract {
	t.Helper()
	text, err := h.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	document, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := document.Validate(t.Context()); err != nil {
		t.Fatalf("the OpenAPI document is not valid: %v", err)
	}
	router, err := gorillamux.NewRouter(document)
	if err != nil {
		t.Fatal(err)
	}
	return contract{router}
}

// check fails the test if the document has the request's operation and the answer is none that it describes.
func (c contract) check(t testing.TB, r *http.Request, a answer) {
	t.Helper()
	route, params, err := c.router.FindRoute(r)
	if err != nil {
		return // a path or method that is not there
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route},
		Status:                 a.status,
		Header:                 a.header,
		Options:                &openapi3filter.Options{IncludeResponseStatus: true},
	}
	if err := openapi3filter.ValidateResponse(t.Context(), input.SetBodyBytes(a.body)); err != nil {
		t.Errorf("%s %s: the answer is not as documented: %v", r.Method, r.URL.Path, err)
	}
	c.checkCode(t, route, a)
}

// checkCode fails the test if the document does not name the problem's code among those of the operation's status.
func (c contract) checkCode(t testing.TB, route *routers.Route, a answer) {
	t.Helper()
	if !strings.HasPrefix(a.header.Get("Content-Type"), "application/problem+json") {
		return
	}
	var p problem.Problem
	if err := json.Unmarshal(a.body, &p); err != nil {
		t.Error(err)
		return
	}
	documented := route.Operation.Responses.Status(a.status)
	if documented == nil { // which the check before says
		return
	}
	_, codes, _ := strings.Cut(*documented.Value.Description, ": ")
	if !slices.Contains(strings.Split(codes, ", "), string(p.Code)) {
		t.Errorf("%s %s answers %s, which is not documented: %s", route.Method, route.Path, p.Code, codes)
	}
}
