package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"sheetdrop/internal/devstack/await"
)

// Somebody whose program is to be told about files sets that up at a terminal, sees why an event did not arrive, and has it sent again; a
// script does so by JSON. The secret is printed once.
func TestWebhooksByCommands(t *testing.T) {
	t.Parallel()
	running, query := runLocal(t)
	var status atomic.Int64
	status.Store(http.StatusNoContent)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(int(status.Load()))
		fmt.Fprint(w, "out of \x1b[31mpaper") // which is nothing behind a 204
	}))
	t.Cleanup(receiver.Close)
	ends := func(status int, args ...string) *program {
		t.Helper()
		got, p := run(t, append(append([]string{"webhooks"}, args...), "--url="+running.APIURL)...)
		if got != status {
			t.Errorf("%q: exit status %d, want %d: %s", args, got, status, p.progress)
		}
		return p
	}
	want(t, ends(1, "show", "shop").progress.String(), "there is no webhook \"shop\"; `sheetdrop webhooks list` lists them")
	want(t, ends(1, "create", receiver.URL, "--states=pending").progress.String(), "body.states")
	want(t, ends(1, "create", "https://169.254.169.254/").progress.String(), "The address cannot be used")
	made := ends(0, "create", receiver.URL+"/shop", "--description=shop", "--states=completed,FAILED")
	want(t, made.out.String(), "secret  whsec_")
	want(t, made.progress.String(), "The secret is not shown again")
	want(t, ends(0, "list").out.String(), "enabled", receiver.URL+"/shop")
	want(t, ends(0, "show", "shop").out.String(), "COMPLETED, FAILED", "0 waiting, 0 given up", "shop")
	want(t, ends(0, "test", "shop").out.String(), "delivered: 204, ")

	status.Store(http.StatusInternalServerError)
	failed := ends(1, "test", receiver.URL+"/shop")
	want(t, failed.progress.String(), "not delivered: 500, ", " ms, out of [31mpaper")
	query(`update sheetdrop.webhook_delivery set status = 'DEAD', ended_at = now(), locked_by = null, locked_until = null where status = 'PENDING' returning ''`)
	all := lines(t, ends(0, "deliveries", "shop", "--json"))
	if len(all) != 2 || all[0]["status"] != "DEAD" || all[1]["status"] != "DELIVERED" {
		t.Fatalf("deliveries: %v", all)
	}
	want(t, ends(0, "deliveries", "shop", "--status=DEAD").out.String(), "webhook.test", fmt.Sprint(all[0]["id"]), "500")
	status.Store(http.StatusNoContent)
	want(t, ends(0, "redeliver", "shop", "--all-dead").out.String(), "1 event queued again\n")
	await.Until(t, "it is delivered", func() bool {
		return query(`select count(*)::text from sheetdrop.webhook_delivery where status = 'DELIVERED'`) == "2"
	})
	want(t, ends(0, "redeliver", "shop", fmt.Sprint(all[1]["id"])).out.String(), "1 event queued again\n")
	want(t, ends(1, "redeliver", "shop", "none").progress.String(), "`sheetdrop webhooks deliveries` lists them")
	ends(2, "redeliver", "shop")

	want(t, ends(0, "change", "shop", "--disable").out.String(), "disabled")
	want(t, ends(1, "test", "shop").progress.String(), "disabled")
	want(t, ends(0, "change", "shop", "--enable", "--to="+receiver.URL+"/new", "--states=failed").out.String(), "enabled", "/new", "FAILED")
	ends(2, "change", "shop")
	rotated := lines(t, ends(0, "rotate", "shop", "--json"))
	if len(rotated) != 1 || !strings.HasPrefix(fmt.Sprint(rotated[0]["secret"]), "whsec_") || strings.Contains(made.out.String(), fmt.Sprint(rotated[0]["secret"])) {
		t.Errorf("rotated: %v", rotated)
	}
	want(t, ends(0, "show", "shop").out.String(), "the old secret signs until")
	ends(0, "create", receiver.URL+"/other", "--description=shop")
	want(t, ends(1, "show", "shop").progress.String(), "2 webhooks are called \"shop\": name one by its id")
	want(t, ends(1, "rm", receiver.URL+"/new").progress.String(), "--yes deletes without a question")
	want(t, ends(0, "rm", receiver.URL+"/new", "--yes").out.String(), "/new is deleted\n")
	want(t, ends(0, "show", "shop").out.String(), "/other")
	testOnlyTargetsWebhook(t, running.APIURL, receiver.URL)
}

// testOnlyTargetsWebhook creates a webhook for the loads of one target.
func testOnlyTargetsWebhook(t *testing.T, url, receiver string) {
	t.Helper()
	definition := filepath.Join(t.TempDir(), "prices.json")
	write(t, definition, pricesTarget)
	for _, c := range []struct {
		status int
		says   string
		args   []string
	}{
		{1, "there is no target \"prices\"", []string{"webhooks", "create", receiver, "--targets=prices"}},
		{0, "", []string{"target", "create", definition}},
		{0, "secret  whsec_", []string{"webhooks", "create", receiver, "--targets=prices"}},
		{0, "targets", []string{"webhooks", "show", receiver}},
	} {
		status, p := run(t, append(c.args, "--url="+url)...)
		if status != c.status {
			t.Errorf("%q: exit status %d, want %d: %s", c.args, status, c.status, p.progress)
		}
		want(t, p.out.String()+p.progress.String(), c.says)
	}
}
