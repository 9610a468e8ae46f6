package upload

import (
	"encoding/base64"
	"encoding/json"
	"slices"

	"sheetdrop/upload-api/internal/problem"
)

// operatorRole is the app role whose holders are operators.
const operatorRole = "operator"

// principal is what the platform says of a signed-in caller: base64 of JSON. The platform takes the header away from what comes from
// outside, so it can be believed exactly where authentication is switched on.
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

// The platform passes some claims on under the long names of WS-Federation.
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
		return Caller{}, problem.New(problem.SignInNeeded, "Nobody is signed in.")
	}
	text, err := base64.StdEncoding.DecodeString(header)
	if err != nil || json.Unmarshal(text, &p) != nil {
		return Caller{}, problem.New(problem.SignInNeeded, "Who is signed in cannot be read.")
	}
	owner := p.owner()
	if owner == "" {
		return Caller{}, problem.New(problem.SignInNeeded,
			"Who is signed in has no lasting id: neither a tenant and an object id, nor a subject.")
	}
	return Caller{Owner: owner, Operator: p.operator()}, nil
}

// owner is made of ids that are never given to anybody else, unlike names and mail addresses; "" where there are none.
func (p principal) owner() string {
	if tenant, object := p.first(tenantClaims), p.first(objectClaims); tenant != "" && object != "" {
		return p.Provider + ":" + tenant + "/" + object
	}
	if subject := p.first(subjectClaims); subject != "" {
		return p.Provider + ":" + p.first(issuerClaims) + "/" + subject
	}
	return ""
}

func (p principal) operator() bool {
	types := append([]string{p.RoleType}, roleClaims...)
	for _, c := range p.Claims {
		if c.Value == operatorRole && slices.Contains(types, c.Type) {
			return true
		}
	}
	return false
}

func (p principal) first(types []string) string {
	for _, c := range p.Claims {
		if slices.Contains(types, c.Type) && c.Value != "" {
			return c.Value
		}
	}
	return ""
}
