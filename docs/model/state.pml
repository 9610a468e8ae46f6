/* What is kept: the database's tables, the blob, the queue, and the steps that several processes share. */
#ifndef FILES
#define FILES 1
#endif
#ifndef FAULTS
#define FAULTS 2
#endif
#ifndef ACTIONS
#define ACTIONS 1
#endif
#ifndef MESSAGES
#define MESSAGES 2
#endif
#ifndef QUEUED
#define QUEUED 2
#endif
#ifndef RELAYS
#define RELAYS 2
#endif
#ifndef WORKERS
#define WORKERS 2
#endif
/* The file of a task; with AGAIN task 1 is a second one of file 0. What belongs to the file stands with its first task. */
#ifdef AGAIN
#define UPLOADS 1
#define OF(t) 0
#else
#define UPLOADS FILES
#define OF(t) (t)
#endif
#define MAX_CRASHES 2           /* the program: 5 */
                                /* deaths beside other runs before a task runs alone: 1; the program: 2 */
#define MAX_REJECTIONS 2        /* the program: 5 */
#define MAX_DEQUEUES 2          /* the host's maxDequeueCount: 5 */

/* task.status; NONE: there is no such row */
#define NONE 0
#define PENDING 1
#define PROCESSING 2
#define COMPLETED 3
#define FAILED 4
#define CANCELLED 5
#define TERMINAL(s) ((s) >= COMPLETED)

/* source_file */
#define ABSENT 0
#define LIVE 1
#define DELETED 2               /* deleted_at is set */
#define FORGOTTEN 3             /* a week later: the row is gone, and with it the key */

/* kinds of files */
#define SOUND 0
#define UNREADABLE 1
#define DEADLY 2
#define PANICKING 3

/* The properties' names, so that SPIN's message says which one fell. Always false, and no part of the state. */
hidden byte S1_rows_once, S2_answer_after_commit, S3_fencing, S4_terminal_stays, S5_deleted_no_rows, S6_charged_for_cause,
            S7_max_crashes, S8_message_lost_by_protocol, S9_sent_once_without_fault, S10_poison_kept, S11_cancel, S12_gone_is_said,
            S13_suspects_alone, L2_history_means_sent;

byte faults = FAULTS;           /* left */
byte actions = ACTIONS;         /* left */
#define FAULT (faults > 0)
#define SPEND faults--

/* The database: UP; AWAY, nobody can write; GRACE, up again, and the reconciler has looked once since (it takes only leases that had
   ended at its look before, so it takes none yet); AWAY_AGAIN, within that period. */
#define DB_UP 0
#define DB_AWAY 1
#define DB_GRACE 2
#define DB_AWAY_AGAIN 3
byte db = DB_UP;
#define AWAY (db==DB_AWAY || db==DB_AWAY_AGAIN)
#define UP (!AWAY)

#define NOBODY 0                /* no lease, or an expired one */
#define DEAD 3                  /* a lease that has not ended, but its holder has */

typedef Task {
  byte file;
  bit  blob;
  bit  old;                     /* the blob is older than an upload may be at its commit */
  byte status;
  byte attempt;                 /* with locked_by the fencing token */
  byte crashes;
  bit  suspect;                 /* shared_deaths: a run died that could have others beside it */
  bit  alone;                   /* alone_attempt: the present run has its process to itself */
  byte lease;                   /* NOBODY, the worker, DEAD */
  bit  cancel;                  /* cancel_requested_at is set */
  byte rows;                    /* sets of rows that can be seen: those of the task's sheets */
#ifdef REMOVE
  byte purge;                   /* sets whose sheet was dropped, noted in sheet_purge */
  bit  stray;                   /* rows that nobody can find any more */
  bit  purged;                  /* the file: purged_at is set */
  bit  emptied;                 /* a person has deleted the rows */
#endif
  bit  poison;                  /* a message in the poison queue */
#ifdef POISON
  bit  letter;                  /* its dead letter */
#endif
  bit  failed;                  /* a FAILED outbox message that asks for the task */
  bit  blobfailed;              /* a FAILED one that deletes the blob */
  byte late; byte lateclaim;    /* a load whose client gave up, which the server may still commit: token, ghost */
  byte kind;
  /* ghosts: seen by assertions only */
  byte claim;                   /* number of the claim that holds the task; 0 none */
  byte bad;                     /* the present run was HIT: killed, stalled, or not back after an outage; TO_BLAME: so alone, or by our fault */
  bit  hit;                     /* a run before was HIT, since the last retry */
  byte deserved;                /* runs that were TO_BLAME since then */
  bit  asked;                   /* a cancel was accepted since the last retry */
  bit  lost;                    /* a message was lost by the queue, or is FAILED */
};
Task task[FILES];
#define HIT 1
#define TO_BLAME 2

/* Live outbox messages. holder: NOBODY; relay 1 or 2; LAPSED of it, whose lease has ended but whose token stands until another claims */
byte mstatus[MESSAGES]; byte mholder[MESSAGES]; byte mtask[MESSAGES]; byte mrejections[MESSAGES];
#define LAPSED(r) ((r)+2)
#define DELETES_BLOB(i) (mtask[i] >= FILES)     /* BLOB_DELETE of task mtask - FILES, else PARSE_TASK */
#ifdef SENT
bit msent[MESSAGES];            /* ghost */
#endif
#ifdef CLAIMS_COUNT_AS_REJECTIONS
byte mclaims[MESSAGES];
#endif

/* Queue messages: 0 none, 1 visible, 2 received; who holds the pop receipt; dequeue count */
byte qstatus[QUEUED]; byte qholder[QUEUED]; byte qtask[QUEUED]; byte qdequeues[QUEUED];

byte wpc[3]; byte rpc[3];       /* where each worker and each relay stands; index 0 is not used */
#ifdef TOGETHER
#define OTHER (3-w)
bit walone[3]; bit dies[3];     /* the run has all slots of the process; the process has died under it */
#endif
byte wclaim[3];                 /* ghost: the claim that each worker believes in */
byte answered;                  /* uploads that have ended */

#define IS_LIVE(i,t) (mstatus[i]!=0 && mtask[i]==(t))
#if MESSAGES==2
#define ROOM (mstatus[0]==0 || mstatus[1]==0)
#define OUTBOX_EMPTY (mstatus[0]==0 && mstatus[1]==0)
#define HAS_LIVE_MESSAGE(t) (IS_LIVE(0,t) || IS_LIVE(1,t))
#else
#define ROOM (mstatus[0]==0 || mstatus[1]==0 || mstatus[2]==0)
#define OUTBOX_EMPTY (mstatus[0]==0 && mstatus[1]==0 && mstatus[2]==0)
#define HAS_LIVE_MESSAGE(t) (IS_LIVE(0,t) || IS_LIVE(1,t) || IS_LIVE(2,t))
#endif
#if QUEUED==2
#define QUEUE_ROOM (qstatus[0]==0 || qstatus[1]==0)
#define IS_QUEUED(t) ((qstatus[0]!=0 && qtask[0]==(t)) || (qstatus[1]!=0 && qtask[1]==(t)))
#define QUEUE_EMPTY (qstatus[0]==0 && qstatus[1]==0)
#else
#define QUEUE_ROOM (qstatus[0]==0 || qstatus[1]==0 || qstatus[2]==0)
#define IS_QUEUED(t) ((qstatus[0]!=0 && qtask[0]==(t)) || (qstatus[1]!=0 && qtask[1]==(t)) || (qstatus[2]!=0 && qtask[2]==(t)))
#define QUEUE_EMPTY (qstatus[0]==0 && qstatus[1]==0 && qstatus[2]==0)
#endif

inline put_message_at(i,which) { mstatus[i]=1; mholder[i]=NOBODY; mtask[i]=which; mrejections[i]=0 }
/* subject: the task, or FILES + the task for its blob's deletion. Callers look for ROOM first: the model's, the program needs none. */
inline insert_message(subject) {
  if
  :: mstatus[0]==0 -> put_message_at(0,subject)
  :: mstatus[0]!=0 && mstatus[1]==0 -> put_message_at(1,subject)
#if MESSAGES==3
  :: mstatus[0]!=0 && mstatus[1]!=0 -> put_message_at(2,subject)
#endif
  fi;
  if
  :: (subject)<FILES -> task[subject].lost=0
  :: else
  fi
}
inline remove_message(i) {
  mstatus[i]=0; mholder[i]=NOBODY; mtask[i]=0; mrejections[i]=0;
#ifdef SENT
  msent[i]=0;
#endif
#ifdef CLAIMS_COUNT_AS_REJECTIONS
  mclaims[i]=0;
#endif
}

#if defined(ATTEMPT_GIVEN_BACK) || defined(RETRY_RESETS_ATTEMPT)
#define ATTEMPT_CAN_FALL
#endif
inline leave(t) {               /* nobody runs the task; what nobody can see any more is forgotten */
  task[t].lease=NOBODY; task[t].bad=0; task[t].claim=0; task[t].alone=0;
#ifndef ATTEMPT_CAN_FALL
  task[t].attempt=0
#endif
}
inline finish(t,s) {
  assert(S4_terminal_stays || !TERMINAL(task[t].status));
  task[t].status=s; task[t].deserved=0; task[t].asked=0; task[t].lost=0; task[t].crashes=0;
  task[t].suspect=0; task[t].hit=0;
#ifndef RETRY_KEEPS_CANCEL
  task[t].cancel=0;
#endif
  leave(t)
}
inline check_rows(t) {
  assert(S1_rows_once || task[t].rows <= 1);
  assert(S1_rows_once || task[t].status != COMPLETED || task[t].rows == 1 || task[OF(t)].file == DELETED);
  assert(S1_rows_once || task[t].status == COMPLETED || task[t].rows == 0)
}
/* A task's sheets go out of everybody's sight at once, their rows later, in pieces. */
inline drop_sheets(t) {
#ifdef REMOVE
  if
#ifdef SHEET_DROPPED_UNNOTED
  :: task[t].rows>0 -> task[t].stray=1
#else
  :: task[t].rows>0 -> task[t].purge=task[t].purge+task[t].rows
#endif
  :: else
  fi;
#endif
  task[t].rows=0
}
inline cancelled(t) { assert(S11_cancel || task[t].asked); finish(t,CANCELLED) }

inline blame(t) {               /* ghost */
  if
  :: task[t].bad==HIT -> task[t].hit=0          /* it was only stalled */
  :: else
  fi;
  if
  :: task[t].bad!=TO_BLAME -> task[t].bad=TO_BLAME; task[t].deserved++
  :: else
  fi
}
inline strike(t) {                 /* ghost: what the run has beside it may have done it */
  if
  :: task[t].alone -> blame(t)
  :: !task[t].alone && task[t].bad==0 -> task[t].bad=HIT; task[t].hit=1
  :: else
  fi
}
inline charge(t) {              /* crashes + 1 */
  assert(S6_charged_for_cause || task[t].bad==TO_BLAME);
#if !defined(ATTEMPT_GIVEN_BACK) && !defined(CRASHES_NOT_COUNTED)
  task[t].crashes++
#endif
}
#ifdef ATTEMPT_GIVEN_BACK
#define AT_LIMIT(t) (task[t].attempt >= MAX_CRASHES)
#else
#define AT_LIMIT(t) (task[t].crashes >= MAX_CRASHES)
#endif
#ifdef CANCEL_FORGOTTEN_AT_RELEASE
#define CANCEL_SEEN(t) false
#else
#define CANCEL_SEEN(t) task[t].cancel
#endif

/* The end of a run that counts against the task: of a dead worker that ran nothing else, or told by the worker itself. */
inline end_charged_run(t) {
  charge(t);
  if
  :: CANCEL_SEEN(t) -> cancelled(t)
  :: !CANCEL_SEEN(t) && AT_LIMIT(t) -> assert(S6_charged_for_cause || task[t].deserved >= MAX_CRASHES); finish(t,FAILED)
  :: !CANCEL_SEEN(t) && !AT_LIMIT(t) -> task[t].status=PENDING; leave(t); insert_message(t)
  fi
}
/* The end of a dead worker's run that could have others beside it: from now on it runs alone. */
inline end_shared_run(t) {
  assert(S6_charged_for_cause || task[t].bad);
  if
  :: task[t].bad==TO_BLAME -> task[t].deserved--; task[t].hit=1         /* our fault, and dead before that was written down */
  :: else
  fi;
  if
  :: CANCEL_SEEN(t) -> cancelled(t)
  :: !CANCEL_SEEN(t) -> task[t].suspect=1; task[t].status=PENDING; leave(t); insert_message(t)
  fi
}
