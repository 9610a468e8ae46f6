/* outbox-relay, before it drains: what nobody else will mend. */

#ifdef FAILED_MESSAGE_IS_LIVE
#define ASKED_FOR(x) (HAS_LIVE_MESSAGE(x) || task[x].failed)
#else
#define ASKED_FOR(x) HAS_LIVE_MESSAGE(x)
#endif

/* (a) Only in DB_UP: after an outage the leases that ended in it are taken at the second look, a period after the first. */
inline release_expired(x) { end_charged_run(x) }
/* (b) */
inline enqueue_forgotten(x) { insert_message(x) }

#ifdef REMOVE
/* (d) A deleted file's rows in chunks, by the sheets; then its sheets; then its tasks. The file's row stays, and with it the key. */
#ifdef SHEETS_BEFORE_ROWS
#define MAY_REMOVE_ROWS task[x].sheet
#define MAY_REMOVE_SHEET task[x].sheet
#else
#define MAY_REMOVE_ROWS (task[x].rows>0)
#define MAY_REMOVE_SHEET (task[x].sheet && task[x].rows==0)
#endif
inline remove_rows(x) {
  if
  :: !task[x].part -> task[x].part=1
  :: task[x].part -> task[x].part=0; task[x].rows=0
  fi
}
inline remove_sheet(x) { task[x].sheet=0 }
inline remove_task(x) { task[x].status=NONE; task[x].lost=0 }
#endif

#ifdef POISON
/* (c) Kept as a dead letter, then deleted; killed between, it is kept once all the same (unique). Its task is (a)'s or (b)'s. */
inline keep_dead_letter(x) { task[x].poison=0 }
#endif
#ifdef SWEEP
/* (d) */
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
  :: atomic { UP && task[x].poison && ROOM ->
       if
       :: task[x].status==PROCESSING -> end_charged_run(x)
       :: else
       fi;
       keep_dead_letter(x) }
#else
  :: atomic { UP && task[x].poison -> keep_dead_letter(x) }
#endif
#endif
#ifdef REMOVE
  :: atomic { UP && task[x].file==DELETED && MAY_REMOVE_ROWS && task[x].rows>0 -> remove_rows(x) }
  :: atomic { UP && task[x].file==DELETED && MAY_REMOVE_SHEET -> remove_sheet(x) }
  :: atomic { UP && task[x].file==DELETED && TERMINAL(task[x].status) && !task[x].sheet -> remove_task(x) }
#endif
#ifdef SWEEP
  :: atomic { task[x].file==ABSENT && task[x].blob && task[x].old && UP -> sweep_blob(x) }
#endif
  od
}
