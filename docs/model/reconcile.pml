/* internal/maintenance, before the relay sends: what nobody else will mend. */

#ifdef FAILED_MESSAGE_IS_LIVE
#define ASKED_FOR(x) (HAS_LIVE_MESSAGE(x) || task[x].failed)
#else
#define ASKED_FOR(x) HAS_LIVE_MESSAGE(x)
#endif

/* (a) Only in DB_UP: after an outage the leases that ended in it are taken at the second look, a period after the first. */
inline release_expired(x) {
  if
#ifdef NEIGHBOURS_CHARGED
  :: end_charged_run(x)
#else
  :: task[x].alone -> end_charged_run(x)
  :: !task[x].alone -> end_shared_run(x)
#endif
  fi
}
/* (b) */
inline enqueue_forgotten(x) { insert_message(x) }

#ifdef REMOVE
/* (d) A deleted file's sheets; then the rows of dropped sheets, in pieces; then its tasks, and with the last one its row: its key finds it
   by the tasks. */
inline purge_file(x) {
  drop_sheets(x);
#if defined(AGAIN) && !defined(PURGE_TAKES_ONE_TASK)
  drop_sheets(1);
#endif
  task[x].purged=1
}
inline purge_rows(x) {                  /* the last piece, and with it the note; those before it change nothing that anybody sees */
  task[x].purge--;
  if
  :: skip
#ifdef PURGE_NOTE_GOES_FIRST            /* in two transactions */
  :: FAULT -> SPEND; task[x].stray=1
#endif
  fi
}
inline forget_file(x) { task[x].file=FORGOTTEN; task[x].purged=0 }
inline forget_task(x) {
  if
  :: task[x].rows>0 -> task[x].stray=1; task[x].rows=0         /* its sheets go with the task, their rows do not */
  :: else
  fi;
  task[x].status=NONE; task[x].lost=0; task[x].emptied=0;
  if
#ifndef FILE_OUTLIVES_ITS_TASKS
  :: !HAS_TASK(x) -> forget_file(OF(x))
#endif
  :: else
  fi
}
#ifdef TASK_GOES_BEFORE_ITS_SHEETS
#define MAY_FORGET(x) TERMINAL(task[x].status)
#else
#define MAY_FORGET(x) (task[OF(x)].purged && TERMINAL(task[x].status))
#endif
#endif

#ifdef POISON
/* (c) Kept as a dead letter, which is there once however often that is tried; then deleted. Its task is (a)'s or (b)'s. */
inline keep_dead_letter(x) { task[x].letter=1 }
inline delete_poison(x) {
  assert(S10_poison_kept || task[x].letter);
  task[x].poison=0; task[x].letter=0
}
#ifdef POISON_DELETED_UNKEPT
#define MAY_DELETE_POISON(x) task[x].poison
#else
#define MAY_DELETE_POISON(x) (task[x].poison && task[x].letter)
#endif
#endif
#ifdef SWEEP
/* (d) Blobs without a file's row, old enough: those of forgotten files whose own message has FAILED are, too. */
inline sweep_blob(x) { task[x].blob=0 }
#endif

proctype Reconciler(byte x) {
end:
  do
#ifndef TASK_LEASE_FOREVER
  :: atomic { db==DB_UP && task[x].status==PROCESSING && task[x].lease==NOBODY && ROOM -> release_expired(x) }
#endif
#ifndef FORGOTTEN_FOREVER
  :: atomic { UP && task[x].status==PENDING && !ASKED_FOR(x) && ROOM && FAULT && IS_QUEUED(x) -> SPEND; enqueue_forgotten(x) }  /* too early */
  :: atomic { UP && task[x].status==PENDING && !ASKED_FOR(x) && ROOM && !IS_QUEUED(x) ->
       assert(S8_message_lost_by_protocol || task[x].lost); enqueue_forgotten(x) }
#endif
#ifdef POISON
#ifdef POISON_ENDS_RUN
  :: atomic { UP && task[x].poison && task[x].status==PROCESSING && ROOM -> end_charged_run(x) }
#endif
  :: atomic { UP && task[x].poison && !task[x].letter -> keep_dead_letter(x) }
  :: atomic { MAY_DELETE_POISON(x) -> delete_poison(x) }
#endif
#ifdef REMOVE
  :: atomic { UP && OF(x)==x && task[x].file==DELETED && !task[x].purged -> purge_file(x) }
  :: atomic { UP && task[x].purge>0 -> purge_rows(x) }
  :: atomic { UP && task[OF(x)].file==DELETED && MAY_FORGET(x) -> forget_task(x) }
#ifdef FILE_OUTLIVES_ITS_TASKS
  :: atomic { UP && OF(x)==x && task[x].file==DELETED && !HAS_TASK(x) -> forget_file(x) }
#endif
#endif
#ifdef SWEEP
  :: atomic { UP && OF(x)==x && task[x].blob && ((task[x].file==ABSENT && task[x].old) || task[x].file==FORGOTTEN) -> sweep_blob(x) }
#endif
  od
}
