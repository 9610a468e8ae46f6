package upload

import (
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"sheetdrop/upload-api/internal/problem"
)

func (h *Handler) declareTargets(api huma.API) {
	create := command("create-target", "/targets", "Create a target: a table into which files are loaded",
		"Everything that is wrong with the definition is answered at once. Idempotent: repeating it returns the same target.")
	create.DefaultStatus = http.StatusCreated
	declare(h, api, create, h.targets.createTarget, slices.Concat(bodyCodes, []problem.Code{problem.InvalidDefinition, problem.TargetExists,
		problem.TableExists, problem.TooManyTargets, problem.NotFound, problem.Busy})...)
	declare(h, api, get("get-targets", "/targets", "The targets that the caller may see, newest first"), h.targets.getTargets,
		problem.InvalidCursor)
	declare(h, api, get("get-target", "/targets/{id}", "A target with its definition"), h.targets.getTarget, problem.NotFound)
	declare(h, api, huma.Operation{OperationID: "change-target", Method: http.MethodPatch, Path: "/targets/{id}",
		Summary: "Change the definition of a target", Description: "The fields that the request has take the place of the definition's. " +
			"New columns, wider types, rules, defaults, labels and synonyms can change; nothing that has values is taken away. " +
			"Idempotent: repeating it changes nothing."},
		h.targets.changeTarget, slices.Concat(bodyCodes, []problem.Code{problem.InvalidDefinition, problem.NotFound, problem.NotPermitted,
			problem.InUseBy, problem.Busy})...)
	declare(h, api, huma.Operation{OperationID: "drop-target", Method: http.MethodDelete, Path: "/targets/{id}",
		Summary: "Drop a target", Description: "Its tables stay unless the request says otherwise."}, h.targets.dropTarget, problem.NotFound,
		problem.NotPermitted, problem.InUseBy, problem.Busy)
	declare(h, api, command("propose-target", "/targets/propose", "A definition made from the columns that were found in a sheet",
		"Nothing is stored."), h.targets.propose, problem.NotFound)
	declare(h, api, command("match-target", "/targets/{id}/match", "Which column of a file would go into which column of a target",
		"Of headers in the body, or of a sheet that was read. Nothing is stored."), h.targets.match,
		slices.Concat(bodyCodes, []problem.Code{problem.NotFound, problem.InvalidMapping})...)
	documentDefinitions(api)
	h.declareTargetRights(api)
	h.declareTargetLoads(api)
}

func (h *Handler) declareTargetRights(api huma.API) {
	declare(h, api, get("get-choices", "/targets/{id}/choices", "What the caller has chosen for headers of a target's files"),
		h.targets.getChoices, problem.NotFound)
	declare(h, api, huma.Operation{OperationID: "set-choices", Method: http.MethodPut, Path: "/targets/{id}/choices",
		Summary: "Replace what the caller has chosen for headers of a target's files"}, h.targets.setChoices,
		slices.Concat(bodyCodes, []problem.Code{problem.NotFound, problem.NotPermitted, problem.InvalidMapping})...)
	declare(h, api, huma.Operation{OperationID: "forget-choices", Method: http.MethodDelete, Path: "/targets/{id}/choices",
		Summary: "Forget what the caller has chosen for headers of a target's files"}, h.targets.forgetChoices, problem.NotFound,
		problem.NotPermitted)
	declare(h, api, get("get-shares", "/targets/{id}/shares", "Who else may use a target of the caller's"), h.targets.getShares,
		problem.NotFound, problem.NotPermitted)
	declare(h, api, huma.Operation{OperationID: "set-shares", Method: http.MethodPut, Path: "/targets/{id}/shares",
		Summary: "Replace who else may use a target of the caller's"}, h.targets.setShares,
		slices.Concat(bodyCodes, []problem.Code{problem.NotFound, problem.NotPermitted})...)
}

// documentDefinitions adds the schema of definitions to the OpenAPI document only: the operations check them themselves,
// all at once.
func documentDefinitions(api huma.API) {
	body := func(schema *huma.Schema) *huma.RequestBody {
		return &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"application/json": {Schema: schema}}}
	}
	paths := api.OpenAPI().Paths
	paths["/targets"].Post.RequestBody = body(schemaOf[TargetDefinition](api))
	paths["/targets/{id}"].Patch.RequestBody = body(&huma.Schema{Type: huma.TypeObject, AdditionalProperties: true,
		Description: "Fields of a TargetDefinition, each as a whole; null takes one away."})
}
