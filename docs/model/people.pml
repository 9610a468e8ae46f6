/* upload-api: what people ask for besides. */

inline cancel_task(x) {
  if
#ifdef CANCEL_BY_ID_ALONE
  :: finish(x,CANCELLED)
#else
  :: task[x].status==PENDING -> finish(x,CANCELLED)
  :: task[x].status==PROCESSING -> task[x].asked=1; task[x].cancel=1
#endif
  fi
}
#ifdef CANCEL_BY_ID_ALONE
#define MAY_CANCEL(x) (task[x].status!=NONE)
#else
#define MAY_CANCEL(x) (task[x].status==PENDING || (task[x].status==PROCESSING && !task[x].cancel))
#endif

inline cancel_at_once(t) {
  if
  :: task[t].status==PENDING -> finish(t,CANCELLED)
  :: task[t].status==PROCESSING ->
#ifdef DELETE_ASKS_TO_CANCEL
     task[t].asked=1; task[t].cancel=1
#else
     finish(t,CANCELLED)
#endif
  :: else
  fi
}
inline delete_file(x) {
  task[x].file=DELETED;
#ifdef AGAIN
  cancel_at_once(1);
#endif
#ifdef DELETE_CANCELS_THE_NEWEST
  if
  :: task[1].status==NONE -> cancel_at_once(x)
  :: else
  fi;
#else
  cancel_at_once(x);
#endif
#ifdef DELETE_IN_TWO_TRANSACTIONS
  if
  :: insert_message(FILES+x)
  :: FAULT -> SPEND                     /* killed between the two */
  fi
#else
  insert_message(FILES+x)
#endif
}

#ifdef AGAIN
#ifdef AGAIN_OF_DELETED
#define MAY_PARSE_AGAIN(x) (task[0].file!=ABSENT)
#else
#define MAY_PARSE_AGAIN(x) (task[0].file==LIVE)
#endif
inline parse_again(x) { task[x].status=PENDING; insert_message(x) }
#endif

#ifdef REMOVE
#ifdef ROWS_OF_A_RUNNING_TASK
#define MAY_DELETE_ROWS(x) (task[x].status!=NONE)
#else
#define MAY_DELETE_ROWS(x) TERMINAL(task[x].status)
#endif
inline delete_rows(x) { task[x].emptied=1; drop_sheets(x) }
#endif

#ifdef RETRY
#ifdef RETRY_OF_COMPLETED
#define RETRYABLE(x) TERMINAL(task[x].status)
#else
#define RETRYABLE(x) (task[x].status==FAILED || task[x].status==CANCELLED)
#endif
#ifdef RETRY_OF_DELETED
#define NOT_DELETED(x) (task[OF(x)].file!=ABSENT)
#else
#define NOT_DELETED(x) (task[OF(x)].file==LIVE)
#endif
inline retry_task(x) {
  assert(S4_terminal_stays || task[x].status!=COMPLETED);
  drop_sheets(x);
  task[x].status=PENDING; task[x].crashes=0; task[x].deserved=0; task[x].asked=0;
#ifdef REMOVE
  task[x].emptied=0;
#endif
#ifndef RETRY_KEEPS_CANCEL
  task[x].cancel=0;
#endif
#ifdef ATTEMPT_CAN_FALL
  task[x].attempt=0;
#endif
  insert_message(x)
}
#endif

#ifdef REDRIVE
inline redrive_message(x) {
  if
  :: task[x].failed -> task[x].failed=0; insert_message(x)
  :: task[x].blobfailed -> task[x].blobfailed=0; insert_message(FILES+x)
  fi
}
#endif

proctype People(byte x) {
end:
  do
  :: atomic { actions>0 && UP && MAY_CANCEL(x) -> actions--; cancel_task(x) }
  :: atomic { actions>0 && UP && OF(x)==x && task[x].file==LIVE && ROOM -> actions--; delete_file(x) }
#ifdef AGAIN
  :: atomic { actions>0 && UP && x==1 && MAY_PARSE_AGAIN(x) && task[x].status==NONE && ROOM -> actions--; parse_again(x) }
#endif
#ifdef REMOVE
  :: atomic { actions>0 && UP && task[OF(x)].file==LIVE && MAY_DELETE_ROWS(x) && !task[x].emptied -> actions--; delete_rows(x) }
#endif
#ifdef RETRY
  :: atomic { actions>0 && UP && RETRYABLE(x) && NOT_DELETED(x) && ROOM -> actions--; retry_task(x) }
#endif
#ifdef REDRIVE
  :: atomic { actions>0 && UP && (task[x].failed || task[x].blobfailed) && ROOM -> actions--; redrive_message(x) }
#endif
  od
}
