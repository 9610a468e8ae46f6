package doctor

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/server"
	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/client"
)

func noServer() Finding {
	return skipped(words.In("no server is named: --url, --profile or --data name one"))
}

func (e *examination) apiReach(ctx context.Context) Finding {
	if e.Server == nil {
		return noServer()
	}
	anonymous, err := server.At(e.Server.URL, nil) // a token is the next check's
	if err != nil {
		return problem(err.Error(), "", words.In("Correct the address."))
	}
	begun := time.Now()
	date, err := anonymous.Clock(ctx)
	if err != nil {
		return notReached(err, e.Server.URL, e.Local != nil)
	}
	e.note(words.In("the server"), date, begun)
	return fine(words.Sprintf("%s answers.", e.Server.URL))
}

// notReached says why a server does not answer as sheetdrop does.
func notReached(err error, url string, local bool) Finding {
	found := words.Sprintf("%s does not answer as sheetdrop does: %v", url, err)
	_, name := errors.AsType[*net.DNSError](err)
	_, unknownAuthority := errors.AsType[x509.UnknownAuthorityError](err)
	_, unverified := errors.AsType[*tls.CertificateVerificationError](err)
	other, answered := errors.AsType[*client.UnexpectedAnswer](err)
	_, refused := errors.AsType[*net.OpError](err)
	switch {
	case name:
		return problem(found, words.In("No name leads there."), words.In("Look at the address: is it that of the deployment's output hostName?"))
	case unknownAuthority || unverified:
		return problem(found, words.In("The server cannot show that it is the one of this name, so nothing is sent to it."),
			words.In("Look at its certificate: whether it has expired, is for this name, and by an authority that this machine trusts."))
	case answered && other.StatusCode == http.StatusForbidden:
		return problem(found, words.In("The platform lets nobody in from here, or the app is stopped."),
			words.In("Look at callerAddresses in the parameter file, and whether the app runs: az functionapp show --query state"))
	case answered && other.StatusCode >= http.StatusInternalServerError:
		return problem(found, words.In("Something answers in its place: the handler does not run."), handlerLog(local))
	case errors.Is(err, context.DeadlineExceeded):
		return problem(found, words.In("Nothing answers in time: the handler hangs or has too much to do, or the network keeps the answer back."), handlerLog(local))
	case answered || !refused:
		return problem(found, words.In("Another program answers there, or the package was not published."),
			words.In("Look at the address; docs/deploy.md says how to publish."))
	}
	return problem(found, words.In("The machine or the program is away."), handlerLog(local))
}

// handlerLog says where a handler that does not start says why.
func handlerLog(local bool) string {
	if local {
		return words.In("Look at local.log in the data folder, and start it anew with `sheetdrop local`.")
	}
	return words.In("Look for the line `handler ended` in AppTraces: the handler refuses wrong settings by name, and --settings checks them here.")
}

func (e *examination) apiSignIn(ctx context.Context) Finding {
	if e.Server == nil {
		return noServer()
	}
	operator, err := e.Server.IsOperator(ctx)
	switch {
	case err != nil && !e.SignedIn:
		return skipped(words.Sprintf("nobody is signed in: give --profile, or a token in %s", server.TokenVariable))
	case err != nil:
		return problem(words.Sprintf("The server does not take the sign-in: %v", err),
			words.In("What only operators see could not be checked."),
			words.In("Sign in again with `az login`; `sheetdrop profile list` shows which client id is asked for."))
	case !operator:
		return skipped(words.In("whoever is signed in is no operator, who alone sees how everything stands: assign the role operator to the enterprise application"))
	}
	return fine(words.In("The caller is an operator."))
}

// apiReady is the last check: what a server lacks was found before, where there was a way to look at it.
func (e *examination) apiReady(ctx context.Context) Finding {
	if e.Server == nil {
		return noServer()
	}
	if id := e.firstProblem(); id != "" {
		return behind(id)
	}
	err := e.Server.Ready(ctx)
	switch refused, ok := errors.AsType[*client.Problem](err); {
	case ok && refused.Errors != nil:
		return problem(words.Sprintf("The server is not ready: %v", err), "", e.nextOfReady(refused))
	case err != nil && !e.SignedIn:
		return skipped(words.Sprintf("nobody is signed in: give --profile, or a token in %s", server.TokenVariable))
	case err != nil:
		return problem(words.Sprintf("The server is not ready: %v", err), "", handlerLog(e.Local != nil))
	}
	return fine(words.In("The server has all that it needs."))
}

// nextOfReady says how to look closer at the first part that a server lacks.
func (e *examination) nextOfReady(refused *client.Problem) string {
	for _, part := range *refused.Errors {
		switch {
		case part.Location == "schema" && !e.HasDatabase:
			return words.In("Look at the database: sheetdrop doctor --database=postgres://… says more, and `sheetdrop migrate` brings an old schema up to date.")
		case part.Location == "schema":
			return words.In("The database answers here, and not the server: look at its network rules, and at the login in its settings.")
		case e.Storage == nil:
			return words.In("Look at the storage: sheetdrop doctor --storage=… or --settings=FILE says more.")
		}
	}
	return words.In("The storage answers here, and not the server: look at its network rules, and at the roles of the app's identity.")
}
