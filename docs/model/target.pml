/*
 * Loads into one target that has an order (it has a key, or a load replaces rows), explored by itself: `check` takes this file for the runs
 * with -DLOADS. One at a time, in the order in which their uploads were committed. Whoever claims a load, or ends one, locks the target's row,
 * so that looking and changing are one step. Who comes too early is told so, and its message is acknowledged: the load before it leaves a
 * message for it in the transaction in which it ends, whatever its end. README.md says what is checked.
 *
 * LOADS, FAULTS, ACTIONS (cancel; with RETRY a FAILED or CANCELLED one gets a new turn). KIND 0 sound, 1 load 0 is FAILED by its file.
 */
#ifndef LOADS
#define LOADS 3
#endif
#ifndef FAULTS
#define FAULTS 2
#endif
#ifndef ACTIONS
#define ACTIONS 1
#endif
#ifndef KIND
#define KIND 0
#endif
#define MAX_CRASHES 2
#define NONE 0
#define RESERVED 1               /* the turn is taken from the sequence, the upload not committed */
#define PENDING 2
#define PROCESSING 3
#define COMPLETED 4
#define FAILED 5
#define CANCELLED 6
#define TERMINAL(s) ((s) >= COMPLETED)
#define NOBODY 0
#define DEAD 3
hidden byte T1_in_order, T2_one_at_a_time, S3_fencing, S8_message_lost_by_protocol, T3_once;

byte faults=FAULTS; byte actions=ACTIONS;
#define FAULT (faults > 0)
#define SPEND faults--
byte status[LOADS]; byte turn[LOADS]; byte lease[LOADS]; byte token[LOADS]; byte crashes[LOADS]; byte msg[LOADS]; bit cancel[LOADS];
byte nextturn=1;
/* ghosts */
byte claim[LOADS]; byte applied[LOADS]; bit lost[LOADS]; byte highest; byte before[LOADS]; bit moved[LOADS];
bit concurrent;                  /* two uploads were committed against the order of their turns: neither was answered before the other was sent */
byte wpc[3]; byte we[3]; byte wtoken[3];
byte late; byte latetoken;

#define LIVE(i) (status[i]==PENDING || status[i]==PROCESSING)
#define HELD(e,x) (status[e]==PROCESSING && token[e]==(x))
#define EARLIER(j,i) (status[j]==PENDING && turn[j]<turn[i])
#if LOADS==3
#define RUNNING (status[0]==PROCESSING || status[1]==PROCESSING || status[2]==PROCESSING)
#define ANY_EARLIER(i) (EARLIER(0,i) || EARLIER(1,i) || EARLIER(2,i))
#define RUNS (status[0]==PROCESSING)+(status[1]==PROCESSING)+(status[2]==PROCESSING)
#else
#define RUNNING (status[0]==PROCESSING || status[1]==PROCESSING)
#define ANY_EARLIER(i) (EARLIER(0,i) || EARLIER(1,i))
#define RUNS (status[0]==PROCESSING)+(status[1]==PROCESSING)
#endif
#ifdef NO_GATE
#define TOO_EARLY(i) false
#elif defined(GATE_BY_TURN_ALONE)
#define TOO_EARLY(i) (ANY_EARLIER(i) || (status[0]==PROCESSING && turn[0]<turn[i]) || (status[1]==PROCESSING && turn[1]<turn[i]))
#else
#define TOO_EARLY(i) (RUNNING || ANY_EARLIER(i))
#endif
inline put_message(e) { msg[e]++; lost[e]=0 }
inline leave(e) { lease[e]=NOBODY; token[e]=0; claim[e]=0 }
/* a message for the first that waits; x: a local */
inline wake_next() {
  x=LOADS; y=0;
  do
  :: y<LOADS -> if :: status[y]==PENDING && (x==LOADS || turn[y]<turn[x]) -> x=y :: else fi; y++
  :: else -> break
  od;
  if :: x<LOADS && !RUNNING && msg[x]<2 -> put_message(x) :: else fi; x=0; y=0
}
inline end_load(e,s) {
  status[e]=s; leave(e); cancel[e]=0; crashes[e]=0; lost[e]=0;
#ifdef WAKES_WHEN_COMPLETED
  if :: s==COMPLETED -> wake_next() :: else fi
#elif defined(WAKE_IN_TWO)
  if :: wake_next() :: FAULT -> SPEND fi
#else
  wake_next()
#endif
}
/* j was answered before e was sent, was not sent again since, and is still to be loaded */
#define PASSED_BY(e,j) ((before[e] & (1<<(j))) && LIVE(j) && !moved[j])
inline complete_load(e) {
  assert(T3_once || applied[e]==0);
  assert(T1_in_order || !PASSED_BY(e,0));
  assert(T1_in_order || !PASSED_BY(e,1));
#if LOADS==3
  assert(T1_in_order || !PASSED_BY(e,2));
#endif
  assert(T1_in_order || turn[e]>highest || concurrent);   /* a retry counts as sent now */
  applied[e]=1;
  if :: turn[e]>highest -> highest=turn[e] :: else fi;
  end_load(e,COMPLETED)
}

/* Back to its place in the row. Who has a lower turn may have come meanwhile (its upload was committed late) and was told to wait. */
inline give_back(e) {
#ifdef GIVEN_BACK_WAKES_ITSELF_ALONE
  put_message(e)
#else
  put_message(e); if :: ANY_EARLIER(e) -> wake_next() :: else fi
#endif
}
inline end_counted(e) {
  crashes[e]++;
  if
  :: cancel[e] -> end_load(e,CANCELLED)
  :: !cancel[e] && crashes[e]>=MAX_CRASHES -> end_load(e,FAILED)
  :: else -> status[e]=PENDING; leave(e); give_back(e)
  fi
}
#define IDLE 0
#define CLAIMING 1
#define LOADING 2
#define RELEASING 3
#define COUNTING 4
#define CHECKED 5
inline forget() { we[w]=0; wtoken[w]=0; wpc[w]=IDLE }
inline killed() {
  if :: HELD(we[w],wtoken[w]) && wtoken[w]!=0 && lease[we[w]]==w -> lease[we[w]]=DEAD :: else fi;
  if :: msg[we[w]]++ :: lost[we[w]]=1 fi; forget()
}
#define OTHER (3-w)
#define BELIEVED(e,n) ((we[OTHER]==(e) && wtoken[OTHER]==(n)) || (late==(e)+1 && latetoken==(n)))
inline claim_in_turn(e) {
  if
  :: !BELIEVED(e,1) -> token[e]=1
  :: BELIEVED(e,1) && !BELIEVED(e,2) -> token[e]=2
  :: BELIEVED(e,1) && BELIEVED(e,2) -> token[e]=3
  fi;
  claim[e]=token[e]; wtoken[w]=token[e]; status[e]=PROCESSING; lease[e]=w; wpc[w]=LOADING;
  assert(T2_one_at_a_time || RUNS <= 1)
}
proctype Worker(byte w) {
  byte x=0; byte y=0;
end:
  do
  :: atomic { wpc[w]==IDLE && (w==1 || wpc[1]!=IDLE) && msg[0]>0 -> msg[0]--; we[w]=0; wpc[w]=CLAIMING }
  :: atomic { wpc[w]==IDLE && (w==1 || wpc[1]!=IDLE) && msg[1]>0 -> msg[1]--; we[w]=1; wpc[w]=CLAIMING }
#if LOADS==3
  :: atomic { wpc[w]==IDLE && (w==1 || wpc[1]!=IDLE) && msg[2]>0 -> msg[2]--; we[w]=2; wpc[w]=CLAIMING }
#endif
  :: atomic { wpc[w]==CLAIMING ->
       if
#ifdef LOOKS_WITHOUT_LOCK
       :: status[we[w]]==PENDING && !TOO_EARLY(we[w]) -> wpc[w]=CHECKED
#else
       :: status[we[w]]==PENDING && !TOO_EARLY(we[w]) -> claim_in_turn(we[w])
#endif
       :: !(status[we[w]]==PENDING && !TOO_EARLY(we[w])) -> forget()      /* ended, held, or too early: acknowledged */
       :: FAULT -> SPEND; killed()
       fi }
  :: atomic { wpc[w]==CHECKED -> if :: status[we[w]]==PENDING -> claim_in_turn(we[w]) :: else -> forget() fi }
#ifdef NO_FENCE
  :: atomic { wpc[w]==LOADING && TERMINAL(status[we[w]]) -> forget() }
#else
  :: atomic { wpc[w]==LOADING && !HELD(we[w],wtoken[w]) -> forget() }
#endif
  :: atomic { wpc[w]==LOADING && HELD(we[w],wtoken[w]) && lease[we[w]]==NOBODY -> lease[we[w]]=w }
  :: atomic { wpc[w]==LOADING && HELD(we[w],wtoken[w]) && cancel[we[w]] -> end_load(we[w],CANCELLED); forget() }
#ifdef NO_FENCE
  :: atomic { wpc[w]==LOADING && !TERMINAL(status[we[w]]) ->
#else
  :: atomic { wpc[w]==LOADING && HELD(we[w],wtoken[w]) ->
#endif
       if
       :: !(KIND==1 && we[w]==0) -> assert(S3_fencing || claim[we[w]]==wtoken[w]); complete_load(we[w]); forget()
       :: KIND==1 && we[w]==0 -> end_load(we[w],FAILED); forget()
       :: FAULT && late==0 && !(KIND==1 && we[w]==0) -> SPEND; late=we[w]+1; latetoken=wtoken[w]; wpc[w]=RELEASING
       :: FAULT -> SPEND; wpc[w]=RELEASING
       :: FAULT -> SPEND; wpc[w]=COUNTING
       :: FAULT -> SPEND; killed()
       fi }
  :: atomic { (wpc[w]==RELEASING || wpc[w]==COUNTING) && !HELD(we[w],wtoken[w]) -> forget() }
  :: atomic { wpc[w]==RELEASING && HELD(we[w],wtoken[w]) ->
       if
       :: if :: cancel[we[w]] -> end_load(we[w],CANCELLED)
             :: else -> status[we[w]]=PENDING; leave(we[w]); give_back(we[w])
          fi; forget()
       :: FAULT -> SPEND; killed()
       fi }
  :: atomic { wpc[w]==COUNTING && HELD(we[w],wtoken[w]) -> end_counted(we[w]); forget() }
  od
}
#define HOLDS(e) ((wpc[1]!=IDLE && we[1]==(e)) || (wpc[2]!=IDLE && we[2]==(e)))
proctype Reconciler(byte e) {
  byte x=0; byte y=0;
end:
  do
  :: atomic { status[e]==PROCESSING && lease[e]==NOBODY -> end_counted(e) }
  /* (b): only for one that could be claimed: who waits for another has no message, and needs none */
  :: atomic { status[e]==PENDING && !TOO_EARLY(e) && msg[e]==0 && !HOLDS(e) -> assert(S8_message_lost_by_protocol || lost[e]); put_message(e) }
  od
}
proctype World() {
  byte x=0; byte y=0;
end:
  do
  :: atomic { lease[0]==DEAD -> lease[0]=NOBODY }
  :: atomic { lease[1]==DEAD -> lease[1]=NOBODY }
  :: atomic { FAULT && (lease[0]==1 || lease[0]==2) -> SPEND; lease[0]=NOBODY }
  :: atomic { FAULT && (lease[1]==1 || lease[1]==2) -> SPEND; lease[1]=NOBODY }
  :: atomic { FAULT && msg[0]>0 -> SPEND; msg[0]--; lost[0]=1 }
  :: atomic { FAULT && msg[1]>0 -> SPEND; msg[1]--; lost[1]=1 }
  :: atomic { FAULT && msg[0]>0 && msg[0]<2 -> SPEND; msg[0]++ }
  :: atomic { FAULT && msg[1]>0 && msg[1]<2 -> SPEND; msg[1]++ }
#if LOADS==3
  :: atomic { lease[2]==DEAD -> lease[2]=NOBODY }
  :: atomic { FAULT && (lease[2]==1 || lease[2]==2) -> SPEND; lease[2]=NOBODY }
  :: atomic { FAULT && msg[2]>0 -> SPEND; msg[2]--; lost[2]=1 }
#endif
  :: atomic { late!=0 ->
       if
       :: HELD(late-1,latetoken) -> assert(S3_fencing || claim[late-1]==latetoken); complete_load(late-1)
       :: true
       fi; late=0; latetoken=0 }
  od
}
/* Uploads: each takes its turn from a sequence, and commits; the next one may come before that. A client that waits for its answer before it
   sends the next file makes `before`. */
proctype Upload(byte i) {
  byte x=0; byte y=0;
  atomic { true -> turn[i]=nextturn; nextturn++; status[i]=RESERVED;
    x=0; y=0;
    do
    :: y<LOADS -> if :: y!=i && status[y]>RESERVED -> x=x | (1<<y) :: else fi; y++   /* one that was answered before this began */
    :: else -> break
    od;
    before[i]=x; x=0; y=0 }
  atomic { status[i]==RESERVED -> status[i]=PENDING; put_message(i);
    y=0;
    do
    :: y<LOADS -> if :: y!=i && status[y]>RESERVED && turn[y]>turn[i] -> concurrent=1 :: else fi; y++
    :: else -> break
    od; y=0 }
}
proctype People() {
  byte x=0; byte y=0; byte i=0;
end:
  do
  :: atomic { actions>0 && status[0]==PENDING -> actions--; end_load(0,CANCELLED) }
#ifndef WAKES_BY_AN_OLD_LOOK
  :: atomic { actions>0 && status[1]==PENDING -> actions--; end_load(1,CANCELLED) }
#else
  :: atomic { actions>0 && status[1]==PENDING -> actions--;      /* looks who is next, without the target's lock */
       x=LOADS; y=0;
       do
       :: y<LOADS -> if :: y!=1 && status[y]==PENDING && (x==LOADS || turn[y]<turn[x]) -> x=y :: else fi; y++
       :: else -> break
       od;
       if :: RUNNING -> x=LOADS :: else fi };
     atomic {
       if
       :: status[1]==PENDING -> status[1]=CANCELLED; leave(1); if :: x<LOADS && msg[x]<2 -> put_message(x) :: else fi
       :: else
       fi; x=0; y=0 }
#endif
  :: atomic { actions>0 && status[0]==PROCESSING && !cancel[0] -> actions--; cancel[0]=1 }
#ifdef RETRY
  :: atomic { actions>0 && (status[0]==FAILED || status[0]==CANCELLED) -> actions--;
#ifndef RETRY_KEEPS_TURN
       turn[0]=nextturn; nextturn++; moved[0]=1;
#endif
       status[0]=PENDING; put_message(0) }
#endif
  od
}
proctype Goal() {
  atomic { TERMINAL(status[0]) && TERMINAL(status[1]) &&
#if LOADS==3
    TERMINAL(status[2]) && msg[2]==0 &&
#endif
    msg[0]==0 && msg[1]==0 && wpc[1]==IDLE && wpc[2]==IDLE && late==0 -> skip }
}
init { atomic {
  run Upload(0); run Upload(1); run Reconciler(0); run Reconciler(1);
#if LOADS==3
  run Upload(2); run Reconciler(2);
#endif
  run Worker(1); run Worker(2); run World(); run People(); run Goal() } }
