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

inline delete_file(x) {
  task[x].file=DELETED;
  if
  :: task[x].status==PENDING -> finish(x,CANCELLED)
  :: task[x].status==PROCESSING ->
#ifdef DELETE_ASKS_TO_CANCEL
     task[x].asked=1; task[x].cancel=1
#else
     finish(x,CANCELLED)
#endif
  :: else
  fi;
#ifdef DELETE_IN_TWO_TRANSACTIONS
  if
  :: insert_message(FILES+x)
  :: FAULT -> SPEND                     /* killed between the two */
  fi
#else
  insert_message(FILES+x)
#endif
}

#ifdef RETRY
#ifdef RETRY_OF_COMPLETED
#define RETRYABLE(x) TERMINAL(task[x].status)
#else
#define RETRYABLE(x) (task[x].status==FAILED || task[x].status==CANCELLED)
#endif
#ifdef RETRY_OF_DELETED
#define NOT_DELETED(x) (task[x].file!=ABSENT)
#else
#define NOT_DELETED(x) (task[x].file==LIVE)
#endif
inline retry_task(x) {
  task[x].status=PENDING; task[x].crashes=0; task[x].deserved=0; task[x].asked=0;
#ifndef RETRY_KEEPS_CANCEL
  task[x].cancel=0;
#endif
#ifdef ATTEMPT_CAN_FALL
  task[x].attempt=0;
#endif
  insert_message(x);
  if
  :: task[x].rows>0 -> check_rows(x)
  :: else
  fi
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
  :: atomic { actions>0 && UP && task[x].file==LIVE && ROOM -> actions--; delete_file(x) }
#ifdef RETRY
  :: atomic { actions>0 && UP && RETRYABLE(x) && NOT_DELETED(x) && ROOM -> actions--; retry_task(x) }
#endif
#ifdef REDRIVE
  :: atomic { actions>0 && UP && (task[x].failed || task[x].blobfailed) && ROOM -> actions--; redrive_message(x) }
#endif
  od
}
