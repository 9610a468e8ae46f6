package upload

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/uploadtoken"
	"sheetdrop/internal/task"
	"sheetdrop/upload-api/internal/caller"
	"sheetdrop/upload-api/internal/embed"
	"sheetdrop/upload-api/internal/operation"
	"sheetdrop/upload-api/internal/problem"
	"sheetdrop/upload-api/internal/receive"
)

// uploadTokenRequest is what an upload token is to allow.
type uploadTokenRequest struct {
	Origin   string `json:"origin" maxLength:"255" example:"https://app.example.com" doc:"The origin whose pages use the token, one of CORS_ORIGINS."`
	MaxFiles int    `json:"max_files,omitempty" minimum:"1" maximum:"1000" default:"1" doc:"How many files may be uploaded with it."`
	MaxBytes int64  `json:"max_bytes,omitempty" minimum:"1" default:"1073741824" doc:"How many bytes they may have together."`
	Seconds  int    `json:"expires_in,omitempty" minimum:"1" maximum:"3600" default:"900" doc:"For how many seconds it is valid."`
}

// uploadToken is a token with which a page of another origin uploads files for the caller.
type uploadToken struct {
	ID        uuid.UUID       `json:"id" format:"uuid" doc:"Names the token, to delete it. It is no secret."`
	Token     string          `json:"token" pattern:"^sdu_[A-Za-z0-9_-]{43}$" doc:"The secret. It is in no other response."`
	Origin    string          `json:"origin"`
	Options   json.RawMessage `json:"options" doc:"The parse options of each upload, with the target where there is one."`
	MaxFiles  int             `json:"max_files"`
	MaxBytes  int64           `json:"max_bytes"`
	ExpiresAt time.Time       `json:"expires_at"`
}

type uploadTokenInput struct {
	OptionsInput
	Body uploadTokenRequest
}

type uploadTokenOutput struct{ Body uploadToken }

// uploadTokenID names a token.
type uploadTokenID struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

// uploadTokens are the operations on upload tokens.
type uploadTokens struct {
	operation.Base
	settings embed.Settings
}

func declareUploadTokens(api huma.API, base operation.Base, settings embed.Settings) {
	tokens := uploadTokens{base, settings}
	create := withOptions(operation.Command("create-upload-token", "/upload-tokens", "Make a token for uploads from a page of another origin",
		"The page sends it as Authorization: Bearer or as Upload-Token to the paths below /embed, and can upload files for the caller, see "+
			"what becomes of them, and nothing else. Parse options, and those about a target, are query parameters, and hold for each upload."),
		http.StatusCreated)
	operation.Declare(base.Log, api, create, tokens.create, operation.BodyCodes(problem.OriginNotAllowed, problem.TooManyUploadTokens,
		problem.UnknownOption, problem.InvalidOption, problem.NoSuchTarget, problem.NotPermitted, problem.InvalidMapping)...)
	operation.Declare(base.Log, api, huma.Operation{OperationID: "delete-upload-token", Method: http.MethodDelete, Path: "/upload-tokens/{id}",
		Summary: "Delete an upload token", Description: "It is of no use from now on. What was uploaded with it stays."}, tokens.delete,
		problem.NotFound)
}

// create makes a token.
func (t *uploadTokens) create(ctx context.Context, in *uploadTokenInput) (*uploadTokenOutput, error) {
	if !t.settings.Allows(in.Body.Origin) {
		return nil, problem.New(problem.OriginNotAllowed, "The origin is none of CORS_ORIGINS: its pages cannot upload here.").At(
			problem.Fault{Location: "body.origin", Message: "Not in CORS_ORIGINS."})
	}
	who := caller.Of(ctx)
	options, refuse, err := receive.GivenOptions(ctx, t.DB, who.Names(), in.request)
	if err != nil {
		return nil, err
	}
	if refuse {
		return nil, problem.Option(problem.InvalidOption, receive.DuplicatesOption, "A token cannot refuse duplicates: that would tell what its owner has.")
	}
	secret, sum := embed.NewSecret()
	wanted := uploadtoken.Token{
		ID: task.NewID(), Owner: who.Owner, Origin: in.Body.Origin, Options: options, MaxFiles: in.Body.MaxFiles, MaxBytes: in.Body.MaxBytes,
	}
	var made uploadtoken.Token
	err = t.DB.InTx(ctx, nil, func(ctx context.Context, tx postgres.Tx) (err error) {
		made, err = uploadtoken.Insert(ctx, tx, wanted, sum, time.Duration(in.Body.Seconds)*time.Second)
		return err
	})
	if errors.Is(err, uploadtoken.ErrTooMany) {
		return nil, problem.New(problem.TooManyUploadTokens, "You have as many valid upload tokens as an owner may have. They expire within an hour.")
	}
	if err != nil {
		return nil, err
	}
	return &uploadTokenOutput{uploadToken{made.ID, secret, made.Origin, made.Options, made.MaxFiles, made.MaxBytes, made.ExpiresAt}}, nil
}

// delete makes a token useless.
func (t *uploadTokens) delete(ctx context.Context, in *uploadTokenID) (*struct{}, error) {
	_, err := t.ActOn(ctx, task.NewID(), "delete_upload_token", in.ID, func(ctx context.Context, tx postgres.Tx) error {
		return uploadtoken.Delete(ctx, tx, caller.Of(ctx).Owner, in.ID)
	})
	return nil, err
}

// embedTag marks the operations for upload tokens in the OpenAPI document.
const embedTag = "embed"

// documentEmbedded adds to the OpenAPI document what upload tokens are for: operations of the API, below another path and
// with another way of signing in.
func documentEmbedded(api huma.API) {
	document := api.OpenAPI()
	schemes := document.Components.SecuritySchemes
	if schemes == nil {
		schemes = map[string]*huma.SecurityScheme{}
	}
	schemes["uploadToken"] = &huma.SecurityScheme{Type: "http", Scheme: "bearer", Description: "An upload token, of POST /upload-tokens. As Upload-Token: TOKEN, too."}
	document.Components.SecuritySchemes = schemes
	for _, op := range embed.Operations {
		known := operationAt(document.Paths[op.Path], op.Method)
		path := strings.TrimPrefix(embed.Prefix, prefix) + op.Path
		if document.Paths[path] == nil {
			document.Paths[path] = &huma.PathItem{}
		}
		embedded := *known
		embedded.OperationID, embedded.Path, embedded.Tags = "embed-"+known.OperationID, path, []string{embedTag}
		embedded.Summary = known.Summary + ", with an upload token"
		embedded.Security = []map[string][]string{{"uploadToken": {}}}
		embedded.Parameters = slices.DeleteFunc(slices.Clone(known.Parameters), func(p *huma.Param) bool {
			return p.In == "query" && op.Query != nil && !slices.Contains(op.Query, p.Name)
		})
		embedded.Responses = embeddedResponses(known.Responses)
		setOperation(document.Paths[path], &embedded)
	}
}

func operationAt(item *huma.PathItem, method string) *huma.Operation {
	return map[string]*huma.Operation{http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodDelete: item.Delete}[method]
}

func setOperation(item *huma.PathItem, op *huma.Operation) {
	switch op.Method {
	case http.MethodGet:
		item.Get = op
	case http.MethodPost:
		item.Post = op
	case http.MethodDelete:
		item.Delete = op
	}
}

// notEmbedded are the problems of what upload tokens are not for: options, which they have themselves, URLs, previews, and duplicates.
var notEmbedded = []problem.Code{
	problem.CrossSite, problem.UnknownOption, problem.NoSuchTarget, problem.NotPermitted, problem.InvalidMapping, problem.URLNotAllowed,
	problem.FetchFailed, problem.PreviewTimeout, problem.Duplicate,
}

// withoutCodes returns a response of a problem without those of its codes, nil if no other is left.
func withoutCodes(response *huma.Response, codes []problem.Code) *huma.Response {
	status, listed, isProblem := strings.Cut(response.Description, ": ")
	if response.Content["application/problem+json"] == nil || !isProblem {
		return response
	}
	left := slices.DeleteFunc(strings.Split(listed, ", "), func(name string) bool { return slices.Contains(codes, problem.Code(name)) })
	if len(left) == 0 {
		return nil
	}
	trimmed := *response
	trimmed.Description = status + ": " + strings.Join(left, ", ")
	return &trimmed
}

// embeddedResponses adds the problems of tokens to those of an operation, and leaves out what cannot be with a token.
func embeddedResponses(all map[string]*huma.Response) map[string]*huma.Response {
	known := map[string]*huma.Response{}
	for status, response := range all {
		if trimmed := withoutCodes(response, notEmbedded); trimmed != nil && response.Description != previewDescription {
			known[status] = trimmed
		}
	}
	responses := maps.Clone(known)
	for status, codes := range map[int][]problem.Code{
		http.StatusBadRequest:   {problem.InvalidOption, problem.InvalidParameter},
		http.StatusUnauthorized: {problem.InvalidUploadToken},
		http.StatusForbidden:    {problem.OriginNotAllowed, problem.UploadTokenUsedUp},
		http.StatusNotFound:     {problem.NotFound},
	} {
		at := strconv.Itoa(status)
		var response huma.Response
		var names []string
		for _, code := range codes {
			names = append(names, string(code))
		}
		if before := known[at]; before != nil && status != http.StatusUnauthorized {
			response = *before
			_, listed, _ := strings.Cut(before.Description, ": ")
			names = append(names, strings.Split(listed, ", ")...)
		} else {
			response.Content = known[strconv.Itoa(http.StatusInternalServerError)].Content
		}
		slices.Sort(names)
		response.Description = http.StatusText(status) + ": " + strings.Join(slices.Compact(names), ", ")
		responses[at] = &response
	}
	return responses
}
