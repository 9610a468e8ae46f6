/*
 * The way of a file through sheetdrop, from the upload to its rows, for the model checker SPIN. README.md says what is checked, what is
 * left out, and which function of the program each step stands for; `check` runs everything.
 *
 * A Promela step is one database transaction or one call to blobs or queue. A process may be killed between any two.
 *
 * FILES    files, with one task each; with AGAIN two tasks of one file, the second of which people ask for
 * FAULTS   faults in a run, of all kinds together; every combination of up to so many is explored
 * ACTIONS  what people do in a run: cancel, delete; with RETRY, REDRIVE, AGAIN these too, with REMOVE the deletion of a task's rows
 * KIND     SOUND, UNREADABLE, DEADLY (kills every worker that opens it) or PANICKING files only; without it every kind
 * SECOND   the kind of the second file
 * TOGETHER both workers are runs of one process, and die together
 * MESSAGES, QUEUED, RELAYS, WORKERS  how many there can be at a time
 *
 * Switches for what reconciles and what people may do besides, which not every run needs: RETRY, REDRIVE, POISON, REMOVE, SWEEP, AGAIN.
 * Every other -D is a mutant: a known defect, which has to be caught.
 *
 * Nothing waits busily: a process can move only where it has work, and work that no fault excuses is bounded. So the graph of states has
 * no cycle (checked by the run `cycles`), every run ends, and what must happen at last is a statement about the ends, with no assumption of a fair
 * scheduler: the process Goal blocks until it holds, and SPIN reports an invalid end state where it never does.
 */
#include "state.pml"
#include "queue.pml"
#include "upload.pml"
#include "relay.pml"
#include "worker.pml"
#include "reconcile.pml"
#include "people.pml"
#include "world.pml"

#ifdef REMOVE
#define REMOVED(x) (task[x].file!=DELETED && task[x].purge==0 && !task[x].stray)
#else
#define REMOVED(x) true
#endif
#ifdef SWEEP
#define BLOB_GONE(x) (!task[x].blob || (task[x].file==DELETED && task[x].blobfailed))
#else
#define BLOB_GONE(x) (!task[x].blob || task[x].blobfailed)
#endif
#ifdef POISON
#define KEPT(x) (!task[x].poison)
#else
#define KEPT(x) true
#endif
/* L1, L3 and nothing left over; L2 is that the outbox is empty */
#define SETTLED(x) ((task[OF(x)].file==ABSENT || TERMINAL(task[x].status) || task[x].status==NONE) && task[x].late==0 \
  && (task[x].file<DELETED || BLOB_GONE(x)) && REMOVED(x) && KEPT(x))

proctype Goal() {
  atomic { answered==UPLOADS && SETTLED(0) &&
#if FILES==2
    SETTLED(1) &&
#endif
    OUTBOX_EMPTY && QUEUE_EMPTY -> skip }
}

init {
  byte i=0;
  atomic {
    do
    :: i<FILES ->
       if
#ifdef SECOND
       :: i==1 -> task[1].kind=SECOND
       :: i==0 -> task[0].kind=KIND
#elif defined(KIND)
       :: task[i].kind=KIND
#else
       :: task[i].kind=SOUND
       :: task[i].kind=UNREADABLE
       :: task[i].kind=DEADLY
       :: task[i].kind=PANICKING
#endif
       fi;
       if
       :: i<UPLOADS -> run Upload(i)
       :: else
       fi;
       run Reconciler(i); run Time(i); run People(i); i++
    :: i>=FILES -> break
    od;
    i=0;
    run Relay(1); run Worker(1);
#if RELAYS==2
    run Relay(2);
#endif
#if WORKERS==2
    run Worker(2);
#endif
    run World(); run Goal()
  }
}
