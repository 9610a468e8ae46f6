/* parse-worker: a queue message, its task's claim, one run, the acknowledgement. */

#define IDLE 0
#define CLAIMING 1
#define READING 2
#define LOADING 3
#define RELEASING 4             /* the service's fault, or the process is being stopped */
#define FAILING 5               /* the file's fault, or its bytes are gone */
#define CANCELLING 6
#define ACKNOWLEDGING 7
#define REFUSING 8              /* 500: deliver again */
#define SPLIT 9                 /* a mutant's second transaction */
#define CHARGING 10             /* our fault, or the run's time is over */
#define LOOKING_UP 11           /* the claim's COMMIT had no answer */

/* With a file of each of two owners: after the delivered task the worker takes the other owner's, if it waits and no worker has died of it. Its
   message stays where it is, and finds it taken. */
#if FILES==2 && !defined(AGAIN)
#define OTHERS
#define WAITS(x) (task[x].status==PENDING && task[x].crashes==0 && !task[x].suspect)
#endif

#define HELD (task[t].attempt==token && task[t].status==PROCESSING)
#define MINE (wclaim[w]!=0 && wclaim[w]==task[t].claim && task[t].status==PROCESSING)

inline acknowledge() { token=0; wclaim[w]=0; wpc[w]=ACKNOWLEDGING }
inline forget_all() {
  s=0; t=0; other=0; token=0; wclaim[w]=0; wpc[w]=IDLE;
#ifdef TOGETHER
  walone[w]=0;
#endif
}
inline give_message_back() {
  if
  :: qholder[s]==w -> deliver_again(s)
  :: else
  fi
}
inline receive(i) {
  qstatus[i]=2; qholder[i]=w; qdequeues[i]++; t=qtask[i]; wpc[w]=CLAIMING;
#ifdef OTHER_INSTEAD_OF_OWN
  if
  :: WAITS(1-t) -> t=1-t
  :: else
  fi
#endif
}
inline killed() {               /* everything local is gone. Also: a try that ends by functionTimeout */
  if
  :: MINE -> strike(t);
     if
     :: task[t].lease==w -> task[t].lease=DEAD
     :: else
     fi
  :: else
  fi;
  give_message_back(); forget_all();
#ifdef TOGETHER
  if                            /* and the other run of the process with it */
  :: wpc[OTHER]!=IDLE -> dies[OTHER]=1
  :: else
  fi
#endif
}
#ifdef TOGETHER
inline dies_with_the_other() {  /* whatever became of the other one: this run is not to blame */
  dies[w]=0;
  if
  :: MINE ->
     if
     :: task[t].bad==0 -> task[t].bad=HIT; task[t].hit=1
     :: else
     fi;
     if
     :: task[t].lease==w -> task[t].lease=DEAD
     :: else
     fi
  :: else
  fi;
  give_message_back(); forget_all()
}
#endif
inline forget_claim() {         /* mutants: 500, and the lease is left to run out */
  if
  :: MINE && task[t].lease==w -> task[t].lease=DEAD
  :: else
  fi;
  token=0; wclaim[w]=0; wpc[w]=REFUSING
}
inline our_fault() {            /* panic, an error that nobody knows, 80 % of functionTimeout */
  if
  :: MINE -> blame(t)
  :: else
  fi;
  wpc[w]=CHARGING
}
inline writes() {               /* ghost: a write of this worker takes effect on the task */
  assert(S3_fencing || wclaim[w]==task[t].claim);
  if
  /* stalled, but back before anybody took over */
  :: task[t].lease==NOBODY && task[t].bad==TO_BLAME -> task[t].bad=0; task[t].deserved--
  :: task[t].lease==NOBODY && task[t].bad==HIT -> task[t].bad=0; task[t].hit=0
  :: else
  fi
}

/* A token only has to differ from those that somebody still believes in: the lowest such number stands for it. */
#define BELIEVED(n) (wclaim[1]==(n) || wclaim[2]==(n) || task[t].lateclaim==(n))
inline new_token() {
  if
  :: !BELIEVED(1) -> task[t].claim=1
  :: BELIEVED(1) && !BELIEVED(2) -> task[t].claim=2
  :: BELIEVED(1) && BELIEVED(2) && !BELIEVED(3) -> task[t].claim=3
  :: BELIEVED(1) && BELIEVED(2) && BELIEVED(3) -> task[t].claim=4
  fi;
#ifdef ATTEMPT_CAN_FALL
  task[t].attempt++;
#else
  task[t].attempt=task[t].claim;
#endif
  token=task[t].attempt; wclaim[w]=task[t].claim
}

#ifdef CLAIM_TAKES_EXPIRED
#define FREE (task[t].status==PENDING || (task[t].status==PROCESSING && task[t].lease==NOBODY))
#else
#define FREE (task[t].status==PENDING)
#endif
/* Runs of one process have a slot each; a suspect's takes all of them, so that it waits for the other, and the other for it. */
#ifdef SUSPECTS_BESIDE_OTHERS
#define ALONE 0
#else
#define ALONE task[t].suspect
#endif
#if defined(TOGETHER) && !defined(ALONE_IN_NAME_ONLY)
#define RUNNING(o) (wpc[o]==READING || wpc[o]==LOADING || wpc[o]==LOOKING_UP || ENDS(o))
#define SHARES_SLOTS (!RUNNING(OTHER) || !walone[OTHER])
#define HAS_SLOTS (SHARES_SLOTS && (!FREE || !ALONE || !RUNNING(OTHER)))
#else
#define SHARES_SLOTS true
#define HAS_SLOTS true
#endif
inline claim_task() {
  if
  :: !FREE -> acknowledge()             /* terminal, being processed, unknown */
  :: FREE ->
     assert(S7_max_crashes || task[t].deserved < MAX_CRASHES);
     assert(S11_cancel || !task[t].asked);
     task[t].alone=ALONE;
     assert(S13_suspects_alone || !task[t].hit || task[t].alone);
#ifdef TOGETHER
     walone[w]=task[t].alone;
#endif
     task[t].status=PROCESSING; task[t].lease=w; task[t].bad=0;
     new_token();
     if
     :: wpc[w]=READING
#ifdef LOST_CLAIM_NOT_LOOKED_UP
     :: FAULT -> SPEND; forget_claim()
#else
     :: FAULT -> SPEND; wpc[w]=LOOKING_UP
#endif
     fi
  fi
}
inline claim_waiting() { t=1-t; other=1; claim_task() }
inline look_up_claim() {
  if
  :: HELD -> wpc[w]=READING
  :: !HELD -> token=0; wclaim[w]=0; wpc[w]=CLAIMING     /* taken over meanwhile: claimed again, if it is free */
  fi
}

inline heartbeat() {
  if
  :: !HELD -> acknowledge()                             /* the lease is lost */
  :: HELD && task[t].cancel -> wpc[w]=CANCELLING
  :: HELD && task[t].lease==NOBODY -> writes(); task[t].lease=w         /* late, but nobody took over */
  fi
}

inline completed(c) {           /* by claim c */
  assert(S3_fencing || c==task[t].claim);
  assert(S5_deleted_no_rows || task[OF(t)].file==LIVE);
#ifdef NO_FENCE_ON_COMPLETE
  task[t].rows++; finish(t,COMPLETED);
#else
  finish(t,COMPLETED); task[t].rows++;
#endif
#ifdef REMOVE
  assert(S1_rows_once || !task[t].emptied);
#endif
  check_rows(t)
}
#ifdef NO_FENCE_ON_COMPLETE
#define MAY_COMPLETE true
#else
#define MAY_COMPLETE HELD
#endif
inline complete_task() {
  if
  :: MAY_COMPLETE -> completed(wclaim[w])
  :: !MAY_COMPLETE                                      /* no row changed: rolled back */
  fi;
  acknowledge()
}

inline end_run() {              /* faults + 1 is for the back-off only, and not in the model */
  writes();
#ifdef FAULTS_COUNT_AS_CRASHES
  charge(t);
#endif
  if
  :: CANCEL_SEEN(t) -> cancelled(t)
  :: else ->
     task[t].status=PENDING; leave(t);
#ifdef ATTEMPT_GIVEN_BACK
     task[t].attempt--;
#endif
#ifndef RELEASE_IN_TWO_TRANSACTIONS
     insert_message(t)
#endif
  fi
}
inline fail_task() { writes(); finish(t,FAILED) }
inline cancel_run() { writes(); cancelled(t) }
inline write_ending() {
  if
  :: wpc[w]==RELEASING -> end_run()
  :: wpc[w]==FAILING -> fail_task()
  :: wpc[w]==CANCELLING -> cancel_run()
  :: wpc[w]==CHARGING -> assert(S3_fencing || wclaim[w]==task[t].claim); end_charged_run(t)
  fi
}
#define ENDS(o) (wpc[o]==RELEASING || wpc[o]==FAILING || wpc[o]==CANCELLING || wpc[o]==CHARGING)
#define ENDING ENDS(w)
#ifdef END_RUN_WITHOUT_TOKEN
#define MAY_END (HELD || (wpc[w]==CHARGING && task[t].status==PROCESSING))
#else
#define MAY_END HELD
#endif

proctype Worker(byte w) {
  byte s=0, t=0, token=0;
  bit other=0;                  /* t is not the delivered task */
#ifdef TOGETHER
end_again: {
#endif
end:
  do
  /* while both are idle they are alike: it is enough to look at the first */
  :: atomic { wpc[w]==IDLE && (w==1 || wpc[1]!=IDLE) && qstatus[0]==1 -> s=0; receive(0) }
  :: atomic { wpc[w]==IDLE && (w==1 || wpc[1]!=IDLE) && qstatus[1]==1 -> s=1; receive(1) }
#if QUEUED==3
  :: atomic { wpc[w]==IDLE && (w==1 || wpc[1]!=IDLE) && qstatus[2]==1 -> s=2; receive(2) }
#endif
  :: atomic { wpc[w]==CLAIMING && AWAY && !other -> wpc[w]=REFUSING }
  :: atomic { wpc[w]==CLAIMING && AWAY && other -> acknowledge() }
  :: atomic { wpc[w]==CLAIMING && UP && HAS_SLOTS ->
       if
       :: claim_task()
       :: FAULT -> SPEND; killed()
#ifdef TOKEN_OF_THE_PROCESS     /* the look-up finds the lease of another invocation of this process, and takes it for its own */
       :: FAULT && task[t].status==PROCESSING && (task[t].lease==1 || task[t].lease==2) -> SPEND; token=task[t].attempt; wclaim[w]=100; wpc[w]=READING
#endif
       fi }
  :: atomic { wpc[w]==LOOKING_UP && UP ->
       if
       :: look_up_claim()
       :: FAULT -> SPEND; killed()                      /* or its patience has ended */
       fi }
  :: atomic { wpc[w]==READING && UP && (!HELD || task[t].cancel || task[t].lease==NOBODY) -> heartbeat() }
  :: atomic { wpc[w]==READING ->
       if
       :: task[OF(t)].blob && task[t].kind==SOUND -> wpc[w]=LOADING
       :: task[OF(t)].blob && task[t].kind==UNREADABLE -> wpc[w]=FAILING
       :: task[OF(t)].blob && task[t].kind==DEADLY -> killed()
       :: task[OF(t)].blob && task[t].kind==PANICKING -> our_fault()
       :: !task[OF(t)].blob -> wpc[w]=FAILING               /* content_missing */
       :: FAULT -> SPEND; wpc[w]=RELEASING              /* blobs: time-out, 5xx. Or the process is being stopped */
       :: FAULT -> SPEND; our_fault()
       :: FAULT -> SPEND; killed()
       fi }
  :: atomic { wpc[w]==LOADING && AWAY -> wpc[w]=RELEASING }
  :: atomic { wpc[w]==LOADING && UP ->
       if
       :: complete_task()
       :: FAULT -> SPEND; wpc[w]=RELEASING              /* rolled back */
       :: FAULT && task[t].late==0 -> SPEND; task[t].late=token; task[t].lateclaim=wclaim[w]; wpc[w]=RELEASING  /* COMMIT sent, not found, may come yet */
       :: FAULT -> SPEND; our_fault()
       :: FAULT -> SPEND; killed()
       fi }
#ifdef ENDING_GIVES_UP
  :: atomic { wpc[w]==RELEASING && AWAY -> forget_claim() }
#endif
  :: atomic { ENDING && UP && (ROOM || !MAY_END) ->     /* one transaction. While the database is away: tried again */
       if
       :: !MAY_END -> acknowledge()                     /* no row changed: in other hands, or written already */
       :: MAY_END -> write_ending();
#ifdef RELEASE_IN_TWO_TRANSACTIONS
          if
          :: wpc[w]==RELEASING && task[t].status==PENDING -> wclaim[w]=0; token=0; wpc[w]=SPLIT
          :: else -> acknowledge()
          fi
#else
          acknowledge()
       :: FAULT && MAY_END -> SPEND; write_ending()     /* committed, its answer was lost: written again */
#endif
       :: FAULT -> SPEND; killed()                      /* or its patience has ended */
       fi }
#ifdef RELEASE_IN_TWO_TRANSACTIONS
  :: atomic { wpc[w]==SPLIT && ROOM ->
       if
       :: insert_message(t); acknowledge()
       :: FAULT -> SPEND; killed()
       fi }
#endif
#ifdef OTHERS
  :: atomic { wpc[w]==ACKNOWLEDGING && !other && UP && WAITS(1-t) && SHARES_SLOTS ->
       if
       :: claim_waiting()
       :: FAULT -> SPEND; killed()
       fi }
#endif
  :: atomic { wpc[w]==ACKNOWLEDGING ->                  /* the host deletes the message, if its receipt is still good */
       if
       :: qholder[s]==w -> remove_from_queue(s); forget_all()
       :: qholder[s]!=w -> forget_all()
       :: FAULT -> SPEND; killed()
       fi }
  :: atomic { wpc[w]==REFUSING -> give_message_back(); forget_all() }
  od
#ifdef TOGETHER
  } unless { atomic { dies[w] -> dies_with_the_other() }; goto end_again }
#endif
}
