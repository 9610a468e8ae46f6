package doctor

import (
	"context"
	"time"

	"sheetdrop/cmd/sheetdrop/internal/words"
	"sheetdrop/internal/azure"
)

// storageTime is of one question to the storage, which its client repeats on its own.
const storageTime = 10 * time.Second

func (e *examination) storageReach(ctx context.Context) (f Finding) {
	if e.Storage == nil {
		return skipped(words.In("the storage is not known: give --storage=… with a connection string, or --settings=FILE"))
	}
	var err error
	if e.blobs, e.queue, err = azure.Open(*e.Storage); err != nil {
		return problem(words.Sprintf("The storage's settings cannot be used: %v", err), "", words.In("Correct them."))
	}
	ctx, cancel := context.WithTimeout(ctx, storageTime)
	defer cancel()
	begun := time.Now()
	shown, err := e.blobs.Clock(ctx)
	if err == nil {
		e.note(words.In("the storage"), shown, begun)
	} else if azure.RefusalOf(err) == azure.Unreachable {
		return e.storageAway(words.In("The blob service"), err)
	}
	if err := e.queue.Ready(ctx); err != nil && azure.RefusalOf(err) == azure.Unreachable {
		return e.storageAway(words.In("The queue service"), err)
	}
	return fine(words.In("The storage answers."))
}

func (e *examination) storageAway(service string, err error) Finding {
	next := words.In("Look at the address, and at the network rules of the account (storageAddresses in the parameter file).")
	if e.Local != nil {
		next = words.In("Start it anew with `sheetdrop local`.")
	}
	return problem(words.Sprintf("%s does not answer: %v", service, azure.Brief(err)),
		words.In("All work waits and resumes by itself once it answers; the Functions host ends without it."), next)
}

func (e *examination) storageRights(ctx context.Context) Finding {
	ctx, cancel := context.WithTimeout(ctx, storageTime)
	defer cancel()
	for _, service := range []struct {
		name, role string
		ready      func(context.Context) error
	}{
		{words.In("The blob service"), "Storage Blob Data Contributor", e.blobs.Ready},
		{words.In("The queue service"), "Storage Queue Data Contributor", e.queue.Ready},
	} {
		err := service.ready(ctx)
		if err == nil {
			continue
		}
		switch azure.RefusalOf(err) {
		case azure.NoSignIn:
			return problem(words.Sprintf("No token was obtained for the storage: %v", err), "", words.In("Sign in with `az login`."))
		case azure.Forbidden:
			next := words.In("Correct the key in the connection string (DATA_STORAGE).")
			if e.Storage.Connection == "" {
				next = words.Sprintf("Assign the role %s, and look at the network rules of the account.", service.role)
			}
			return problem(words.Sprintf("%s refuses the access: %s", service.name, azure.Brief(err)),
				words.In("Nothing can be stored, read or sent with these settings."), next)
		case azure.Unavailable:
			return problem(words.Sprintf("%s cannot serve: %s", service.name, azure.Brief(err)),
				words.In("All work waits and resumes by itself."), words.In("If it lasts, a limit of the account is reached, or Azure has an outage (az rest, resource health)."))
		}
	}
	return fine(words.In("The storage takes the key or the sign-in."))
}

func (e *examination) storageContainer(ctx context.Context) Finding {
	ctx, cancel := context.WithTimeout(ctx, storageTime)
	defer cancel()
	return e.there(e.blobs.Ready(ctx), words.Sprintf("The container %s", e.Storage.Container),
		words.In("No file can be stored or read."), "BLOB_CONTAINER")
}

func (e *examination) storageQueue(ctx context.Context) Finding {
	ctx, cancel := context.WithTimeout(ctx, storageTime)
	defer cancel()
	return e.there(e.queue.Ready(ctx), words.Sprintf("The queue %s", e.Storage.Queue),
		words.In("Messages wait in the database, and no file is parsed."), "PARSE_QUEUE")
}

// there judges whether a part of the storage is there, by the error of asking for it.
func (e *examination) there(err error, what, means, setting string) Finding {
	switch {
	case err == nil:
		return fine(words.Sprintf("%s is there.", what))
	case azure.RefusalOf(err) == azure.NotThere:
		return problem(words.Sprintf("%s is not there.", what), means,
			words.Sprintf("Is its name right (%s)? If it was deleted: `sheetdrop migrate` with DATA_STORAGE creates it, and on Azure the deployment (deploy.md, Provision).", setting))
	}
	return unreadable(err)
}

func (e *examination) storagePoison(ctx context.Context) Finding {
	ctx, cancel := context.WithTimeout(ctx, storageTime)
	defer cancel()
	f := e.there(e.queue.PoisonReady(ctx), words.Sprintf("The queue %s", e.Storage.Queue+"-poison"),
		words.In("A host that may not create it cannot put a message aside that fails again and again."), "PARSE_QUEUE")
	if f.State == Problem {
		f.State = Warning
	}
	return f
}

func (e *examination) stateQueue(ctx context.Context) Finding {
	ctx, cancel := context.WithTimeout(ctx, storageTime)
	defer cancel()
	length, _, err := e.queue.Lengths(ctx)
	if err != nil {
		return unreadable(err)
	}
	oldest, err := e.queue.Oldest(ctx)
	if err != nil {
		return unreadable(err)
	}
	if age := time.Since(oldest); !oldest.IsZero() && age > e.Thresholds.QueueAge {
		return problem(words.Sprintf("About %d messages are in the queue, and nobody has received one that is %s old.", length, age.Round(time.Second)),
			words.In("The worker does not run, or cannot keep up."),
			words.In("Does the host run the function parse-worker, and with this queue (PARSE_QUEUE)? Otherwise allow more instances (maximumInstanceCount)."))
	}
	return fine(words.Sprintf("About %d messages are in the queue.", length))
}

func (e *examination) statePoison(ctx context.Context) Finding {
	ctx, cancel := context.WithTimeout(ctx, storageTime)
	defer cancel()
	_, poison, err := e.queue.Lengths(ctx)
	if err != nil {
		return unreadable(err)
	}
	if poison > 0 {
		return warning(words.Sprintf("About %d messages are in the poison queue.", poison),
			words.In("The worker has failed with each of them five times. The timer makes dead letters of them, and sends their tasks new messages; what is left for half an hour it cannot receive."),
			words.In("Look for `invocation failed` in the log; `sheetdrop dead-letters` lists what was put aside."))
	}
	return fine(words.In("The poison queue is empty."))
}
