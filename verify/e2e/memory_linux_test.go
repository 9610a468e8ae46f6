package e2e_test

import (
	"fmt"
	"strconv"
	"sync"
	"testing"

	"github.com/google/uuid"

	"sheetdrop/verify/e2e"
)

// P9: the worst load that a deployed instance admits fits into its 2048 MB: as many uploads at once as it takes, each of the size that it
// takes and beginning as JSON does, beside the parsing of what they brought. The host's part is the account of the stand-in.
func TestWorstAdmittedLoadFits(t *testing.T) {
	t.Parallel()
	const uploads, bodyLimit, instance = 4, 8 << 20, 2048 << 20
	const jsonBodyCost = 35.5 // bytes that the host takes for each
	app := e2e.Start(t, e2e.Options{Settings: map[string]string{
		"FUNCTIONS_REQUEST_BODY_SIZE_LIMIT": strconv.Itoa(bodyLimit), "PARSE_CONCURRENCY": "2",
	}})
	content := append([]byte("{"), averageFile(bodyLimit/100)...)[:bodyLimit]
	worst := app.Host.Memory().Now + int64(uploads*bodyLimit*jsonBodyCost)
	var ids []uuid.UUID
	for app.Host.Memory().Peak < worst || len(ids) < 3*uploads {
		tasks := make([]uuid.UUID, uploads)
		var all sync.WaitGroup
		for i := range tasks {
			all.Go(func() { tasks[i] = app.Upload(t, fmt.Sprintf("%d.csv", i), content).ID })
		}
		all.Wait()
		ids = append(ids, tasks...)
	}
	for _, id := range ids {
		if done := app.Await(t, id); done.Status != "COMPLETED" {
			t.Errorf("task %+v %+v", done, done.Error)
		}
	}
	host, handler := app.Host.Memory().Peak, e2e.PeakMemory(t, app.Host.HandlerPID())
	t.Logf("at most the host holds %d MB and the handler %d MB, %d uploads in all", host/1e6, handler/1e6, len(ids))
	if host+handler > instance {
		t.Errorf("the host would hold %d MiB, the handler held %d MiB, of %d", host>>20, handler>>20, instance>>20)
	}
}
