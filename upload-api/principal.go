package upload

import (
	"encoding/base64"
	"encoding/json"
	"slices"

	"sheetdrop/upload-api/internal/problem"
)

// operatorRole is the app role whose holders are operators.
const operatorRole = "operator"

// principal is what the platform says about a signed-in caller: base64 of JSON. The platform removes the header from
// outside requests, so it can be trusted exactly where authentication is switched on.
//
// Format: Microsoft Learn, "Work with user identities in Azure App Service authentication", client principal header.
type principal struct {
	Provider string  `json:"auth_typ"`
	RoleType string  `json:"role_typ"`
	Claims   []claim `json:"claims"`
}

type claim struct {
	Type  string `json:"typ"`
	Value string `json:"val"`
}

// The platform passes on some claims under the long names of WS-Federation.
var (
	tenantClaims  = []string{"tid", "http://schemas.microsoft.com/identity/claims/tenantid"}
	objectClaims  = []string{"oid", "http://schemas.microsoft.com/identity/claims/objectidentifier"}
	issuerClaims  = []string{"iss"}
	subjectClaims = []string{"sub", "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier"}
	roleClaims    = []string{"roles", "http://schemas.microsoft.com/ws/2008/06/identity/claims/role"}
)

func identifyPrincipal(header string) (Caller, error) {
	var p principal
	if header == "" {
		return Caller{}, problem.New(problem.SignInNeeded, "Sign in first.")
	}
	text, err := base64.StdEncoding.DecodeString(header)
	if err != nil || json.Unmarshal(text, &p) != nil {
		return Caller{}, problem.New(problem.SignInNeeded, "The signed-in user cannot be read from the request.")
	}
	owner := p.owner()
	if owner == "" {
		return Caller{}, problem.New(problem.SignInNeeded,
			"The signed-in user has no permanent id: neither a tenant and an object id, nor a subject.")
	}
	return Caller{Owner: owner, Operator: slices.Contains(p.roles(), operatorRole), Roles: p.roles()}, nil
}

// owner consists of ids that are never reused for somebody else, unlike names and mail addresses; "" if they are
// missing.
func (p principal) owner() string {
	if tenant, object := p.first(tenantClaims), p.first(objectClaims); tenant != "" && object != "" {
		return p.Provider + ":" + tenant + "/" + object
	}
	if subject := p.first(subjectClaims); subject != "" {
		return p.Provider + ":" + p.first(issuerClaims) + "/" + subject
	}
	return ""
}

// roles returns the app roles of the sign-in.
func (p principal) roles() (roles []string) {
	types := append([]string{p.RoleType}, roleClaims...)
	for _, c := range p.Claims {
		if slices.Contains(types, c.Type) && c.Value != "" {
			roles = append(roles, c.Value)
		}
	}
	return roles
}

func (p principal) first(types []string) string {
	for _, c := range p.Claims {
		if slices.Contains(types, c.Type) && c.Value != "" {
			return c.Value
		}
	}
	return ""
}
