package targets

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/problem"
)

// Declare adds the operations to an API.
func Declare(api huma.API, base operation.Base) {
	t := &targets{base}
	t.declareTargets(api)
	t.declareRights(api)
	t.declareLoads(api)
	documentDefinitions(api)
}

func (t *targets) declareTargets(api huma.API) {
	create := operation.Command("create-target", "/targets", "Create a target: a table into which files are loaded",
		"Everything that is wrong with the definition is answered at once. Idempotent: repeating it returns the same target.")
	create.DefaultStatus = http.StatusCreated
	operation.Declare(t.Log, api, create, t.createTarget, operation.BodyCodes(problem.InvalidDefinition, problem.TargetExists,
		problem.TableExists, problem.TooManyTargets, problem.Busy)...)
	operation.Declare(t.Log, api, operation.Get("get-targets", "/targets", "The targets that the caller may see, newest first"), t.getTargets,
		problem.InvalidCursor)
	operation.Declare(t.Log, api, operation.Get("get-target", "/targets/{id}", "A target with its definition"), t.getTarget, problem.NotFound)
	operation.Declare(t.Log, api, huma.Operation{OperationID: "change-target", Method: http.MethodPatch, Path: "/targets/{id}",
		Summary: "Change the definition of a target", Description: "The fields that the request has take the place of the definition's. " +
			"New columns, wider types, rules, defaults, labels and synonyms can change; nothing that has values is taken away. " +
			"Idempotent: repeating it changes nothing."},
		t.changeTarget, operation.BodyCodes(problem.InvalidDefinition, problem.NotFound, problem.NotPermitted,
			problem.InUseBy, problem.Busy, problem.PreconditionFailed)...)
	operation.Declare(t.Log, api, huma.Operation{OperationID: "drop-target", Method: http.MethodDelete, Path: "/targets/{id}",
		Summary: "Drop a target", Description: "Its tables stay unless the request says otherwise."}, t.dropTarget, problem.NotFound,
		problem.NotPermitted, problem.InUseBy, problem.Busy)
	operation.Declare(t.Log, api, operation.Command("propose-target", "/targets/propose",
		"A definition made from the columns that were found in a sheet",
		"Nothing is stored."), t.propose, problem.NotFound)
	operation.Declare(t.Log, api, operation.Command("match-target", "/targets/{id}/match",
		"Which column of a file would go into which column of a target",
		"Of headers in the body, or of a sheet that was read. Nothing is stored."), t.match,
		operation.BodyCodes(problem.NotFound, problem.InvalidMapping)...)
}

func (t *targets) declareRights(api huma.API) {
	operation.Declare(t.Log, api, operation.Get("get-choices", "/targets/{id}/choices",
		"What the caller has chosen for headers of a target's files"),
		t.getChoices, problem.NotFound)
	operation.Declare(t.Log, api, huma.Operation{OperationID: "set-choices", Method: http.MethodPut, Path: "/targets/{id}/choices",
		Summary: "Replace what the caller has chosen for headers of a target's files"}, t.setChoices,
		operation.BodyCodes(problem.NotFound, problem.NotPermitted, problem.InvalidMapping)...)
	operation.Declare(t.Log, api, huma.Operation{OperationID: "forget-choices", Method: http.MethodDelete, Path: "/targets/{id}/choices",
		Summary: "Forget what the caller has chosen for headers of a target's files"}, t.forgetChoices, problem.NotFound,
		problem.NotPermitted)
	operation.Declare(t.Log, api, operation.Get("get-shares", "/targets/{id}/shares", "Who else may use a target of the caller's"),
		t.getShares, problem.NotFound, problem.NotPermitted)
	operation.Declare(t.Log, api, huma.Operation{OperationID: "set-shares", Method: http.MethodPut, Path: "/targets/{id}/shares",
		Summary: "Replace who else may use a target of the caller's"}, t.setShares,
		operation.BodyCodes(problem.NotFound, problem.NotPermitted)...)
}

// documentDefinitions adds the schema of definitions to the OpenAPI document only: the operations check them themselves,
// all at once.
func documentDefinitions(api huma.API) {
	body := func(schema *huma.Schema) *huma.RequestBody {
		return &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}
	}
	paths := api.OpenAPI().Paths
	paths["/targets"].Post.RequestBody = body(operation.SchemaOf[TargetDefinition](api))
	paths["/targets/{id}"].Patch.RequestBody = body(&huma.Schema{Type: huma.TypeObject, AdditionalProperties: true,
		Description: "Fields of a TargetDefinition, each as a whole; null takes one away."})
}
