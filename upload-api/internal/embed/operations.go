package embed

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"

	"github.com/google/uuid"

	"sheetdrop/internal/postgres"
	"sheetdrop/internal/postgres/uploadtoken"
)

// Operation is one that a page of another origin needs for an upload.
type Operation struct {
	Method, Path string
	Query        []string // the parameters that it may have; nil means all that the API knows
	has          func(ctx context.Context, db *postgres.DB, token, id uuid.UUID) (bool, error)
}

// none are the parameters of an operation that has none.
var none = []string{}

// Operations are all that an upload token is for.
var Operations = []Operation{
	{http.MethodPost, "/files", []string{"name"}, nil},
	{http.MethodPost, "/uploads", none, nil},
	{http.MethodGet, "/uploads/{id}", none, uploadtoken.HasFile},
	{http.MethodDelete, "/uploads/{id}", none, uploadtoken.HasFile},
	{http.MethodPost, "/uploads/{id}/sas", none, uploadtoken.HasFile},
	{http.MethodPost, "/uploads/{id}/complete", none, uploadtoken.HasFile},
	{http.MethodGet, "/tasks/{id}", nil, uploadtoken.HasTask},
	{http.MethodGet, "/tasks/{id}/sheets", nil, uploadtoken.HasTask},
	{http.MethodGet, "/tasks/{id}/sheets/{number}/rows", nil, uploadtoken.HasTask},
	{http.MethodGet, "/tasks/{id}/sheets/{number}/rejects", nil, uploadtoken.HasTask},
}

// secretPrefix begins every token, so that people and scanners of secrets recognise one.
const secretPrefix = "sdu_"

// NewSecret returns a new token, and its hash.
func NewSecret() (secret string, sum [32]byte) {
	random := make([]byte, 32)
	_, _ = rand.Read(random) // never fails
	secret = secretPrefix + base64.RawURLEncoding.EncodeToString(random)
	return secret, sha256.Sum256([]byte(secret))
}
