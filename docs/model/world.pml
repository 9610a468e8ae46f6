/* What is not ours: time, outages of the database, a server that is late, and what the queue does by itself. */

inline late_commit(t) {
  if
  :: task[t].attempt==task[t].late && task[t].status==PROCESSING -> completed(task[t].lateclaim)
  :: else
  fi;
  task[t].late=0; task[t].lateclaim=0
}

#define RUNS(t) (task[t].lease==1 || task[t].lease==2)
proctype Time(byte t) {
end:
  do
  :: atomic { task[t].lease==DEAD -> task[t].lease=NOBODY }
  :: atomic { FAULT && RUNS(t) -> SPEND; task[t].lease=NOBODY; strike(t) }      /* stalled beyond its lease */
  :: atomic { AWAY && RUNS(t) -> task[t].lease=NOBODY }                                 /* could not renew */
  :: atomic { FAULT && db==DB_GRACE && task[t].status==PROCESSING && task[t].lease==NOBODY && !task[t].bad -> SPEND; strike(t) }  /* not back in time */
  :: atomic { UP && task[t].late!=0 -> late_commit(t) }
  :: atomic { task[t].late!=0 -> task[t].late=0; task[t].lateclaim=0 }                  /* or never */
#ifdef SWEEP
  :: atomic { FAULT && OF(t)==t && task[t].file==ABSENT && task[t].blob && !task[t].old -> SPEND; task[t].old=1 }
#endif
  od
}

#define OPEN1(x) (task[x].status==PENDING || task[x].status==PROCESSING)
#define EXPIRED1(x) (task[x].status==PROCESSING && task[x].lease==NOBODY && !task[x].bad)
/* its worker lives, and no fault has hit it: it renews or releases within the period of grace */
#define EXPECTED1(x) (EXPIRED1(x) && task[x].claim!=0 && (wclaim[1]==task[x].claim || wclaim[2]==task[x].claim))
#if FILES==1
#define OPEN OPEN1(0)
#define EXPIRED EXPIRED1(0)
#define EXPECTED EXPECTED1(0)
#else
#define OPEN (OPEN1(0) || OPEN1(1))
#define EXPIRED (EXPIRED1(0) || EXPIRED1(1))
#define EXPECTED (EXPECTED1(0) || EXPECTED1(1))
#endif
inline away_again(x) {          /* away again before the second look, and back for it: charged all the same */
  if
  :: task[x].status==PROCESSING && task[x].lease==NOBODY -> strike(x)
  :: else
  fi
}

inline message_stalls(i) { mholder[i]=LAPSED(mholder[i]) }
#define LEASED(i) (mstatus[i]==2 && (mholder[i]==1 || mholder[i]==2))

proctype World() {
end:
  do
  :: atomic { FAULT && UP && OPEN ->
       SPEND;
       if
       :: db=DB_AWAY
       :: db==DB_GRACE -> db=DB_AWAY_AGAIN
       fi }
#ifdef NO_GRACE_AFTER_OUTAGE
  :: atomic { db==DB_AWAY -> db=DB_UP }
#else
  :: atomic { db==DB_AWAY && EXPIRED -> db=DB_GRACE }
  :: atomic { db==DB_AWAY && !EXPIRED -> db=DB_UP }     /* grace would be a mere delay */
#ifdef GRACE_BY_GAP             /* too short to be seen as a gap between two runs, but longer than a lease */
  :: atomic { db==DB_AWAY -> db=DB_UP }
#endif
#endif
#ifdef GRACE_ENDS_AT_ONCE
  :: atomic { db==DB_GRACE -> db=DB_UP }
#else
  :: atomic { db==DB_GRACE && !EXPECTED -> db=DB_UP }
#endif
  :: atomic { db==DB_AWAY_AGAIN -> away_again(0);
#if FILES==2
       away_again(1);
#endif
       db=DB_UP }
  :: atomic { (FAULT || AWAY) && LEASED(0) -> if :: AWAY :: UP -> SPEND fi; message_stalls(0) }
  :: atomic { (FAULT || AWAY) && LEASED(1) -> if :: AWAY :: UP -> SPEND fi; message_stalls(1) }
  :: atomic { FAULT && qstatus[0]==2 -> SPEND; deliver_again(0) }               /* its receipt runs out while the worker goes on */
  :: atomic { FAULT && qstatus[1]==2 -> SPEND; deliver_again(1) }
  :: atomic { FAULT && qstatus[0]!=0 -> SPEND; task[qtask[0]].lost=1; remove_from_queue(0) }    /* purged */
  :: atomic { FAULT && qstatus[1]!=0 -> SPEND; task[qtask[1]].lost=1; remove_from_queue(1) }
#if MESSAGES==3
  :: atomic { (FAULT || AWAY) && LEASED(2) -> if :: AWAY :: UP -> SPEND fi; message_stalls(2) }
#endif
#if QUEUED==3
  :: atomic { FAULT && qstatus[2]==2 -> SPEND; deliver_again(2) }
  :: atomic { FAULT && qstatus[2]!=0 -> SPEND; task[qtask[2]].lost=1; remove_from_queue(2) }
#endif
  od
}
