/* upload-api: one request, with an Idempotency-Key, and the client's repeats of it. */

inline insert_upload(t) { task[t].file=LIVE; task[t].old=0; task[t].status=PENDING; insert_message(t) }

inline answer(t) {
  assert(S2_answer_after_commit ||
         (task[t].file!=ABSENT && (task[t].file>=DELETED || (task[t].status!=NONE && task[t].blob))))
}

inline over() { answered++; pc=3 }

#ifdef AGAIN
#define HAS_TASK(t) (task[0].status!=NONE || task[1].status!=NONE)
#else
#define HAS_TASK(t) (task[t].status!=NONE)
#endif
/* The insert met a row that holds its place: of an earlier request, or its own whose COMMIT came late. A loser discards its own blob, but never
   the one that the row names; the model has only that one. */
inline find_upload(t) {
  if
  :: task[t].file==DELETED ->           /* found by a task of it: without one, refused as too slow */
     assert(S12_gone_is_said || HAS_TASK(t));
     over()                         /* 410 */
  :: task[t].file==FORGOTTEN -> over()  /* a new upload */
  :: task[t].file==LIVE ->
#ifdef LOSER_DISCARDS_WINNERS_BLOB
     if
     :: own -> task[t].blob=0; own=0
     :: else
     fi;
#endif
     pc=2
  fi
}

#ifdef NO_AGE_LIMIT_AT_COMMIT
#define TOO_OLD(t) false
#else
#define TOO_OLD(t) task[t].old
#endif

proctype Upload(byte t) {
  byte pc=0;
#ifdef LOSER_DISCARDS_WINNERS_BLOB
  bit own=0;                    /* the row that this request meets is its own */
#endif
end:
  do
  :: atomic { pc==0 ->                                  /* the body is streamed into a new blob */
       task[t].blob=1;
       if
       :: pc=1;
#ifdef ANSWER_BEFORE_COMMIT
          answer(t)
#endif
       :: FAULT -> SPEND; over()                         /* killed, or the client is gone: an orphan blob */
       fi }
  :: atomic { pc==1 && AWAY -> over() }                   /* 503. The client gives up; or comes again, which is to wait here */
  :: atomic { pc==1 && UP && task[t].file!=ABSENT -> find_upload(t) }
  :: atomic { pc==1 && UP && task[t].file==ABSENT && ROOM ->
       if
       :: TOO_OLD(t) -> over()                         /* upload_too_slow */
       :: !TOO_OLD(t) -> insert_upload(t); pc=2
       :: FAULT -> SPEND; over()                         /* rolled back, and the client never comes again */
       :: FAULT && !TOO_OLD(t) -> SPEND; insert_upload(t); pc=1         /* committed, looked up too early: another try follows. Or the client does */
#ifdef LOSER_DISCARDS_WINNERS_BLOB
       :: FAULT && !TOO_OLD(t) -> SPEND; insert_upload(t); own=1; pc=1
#endif
       :: FAULT && !TOO_OLD(t) -> SPEND; insert_upload(t); over()                         /* committed, killed, and the client never comes again */
       fi }
  :: atomic { pc==2 -> answer(t); over() }
  od
}
