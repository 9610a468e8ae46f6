/* outbox-relay: a timer run, or what the nudge starts. Each claim has a new token; a relay holds one message at a time. */

#define HOLDS_MESSAGE (mstatus[m]==2 && (mholder[m]==r || mholder[m]==LAPSED(r)))
#ifdef NO_MESSAGE_LEASE
#define MAY_SETTLE (mstatus[m]!=0)
#else
#define MAY_SETTLE HOLDS_MESSAGE        /* where locked_by = token: also after the lease has ended, until another one claims */
#endif
#ifdef MESSAGE_LEASE_FOREVER
#define CLAIMABLE(i) (mstatus[i]==1)
#else
#define CLAIMABLE(i) (mstatus[i]==1 || (mstatus[i]==2 && (mholder[i]==NOBODY || mholder[i]>2)))
#endif

inline relay_gone() {           /* killed, or its patience has ended: the lease runs out, and nobody has the token */
  if
  :: HOLDS_MESSAGE -> mholder[m]=NOBODY
  :: else
  fi;
  m=0; what=0; result=0; rpc[r]=0
}

inline claim_message(i) {
  m=i; what=mtask[i];
#ifndef NO_MESSAGE_LEASE
  mstatus[i]=2; mholder[i]=r;
#ifdef CLAIMS_COUNT_AS_REJECTIONS
  mclaims[i]++;
#endif
#endif
  if
  :: rpc[r]=1
  :: FAULT -> SPEND; relay_gone()       /* killed after the commit, or its answer was lost */
  fi
#ifdef SETTLED_BEFORE_SENT
  ;
  if
  :: rpc[r]==1 ->
#ifdef SENT
     assert(L2_history_means_sent || msent[i]);
#endif
     remove_message(i)
  :: else
  fi
#endif
}

inline send_message() {
#ifdef SENT
  assert(S9_sent_once_without_fault || faults < FAULTS || !msent[m]);
  if
  :: mstatus[m]!=0 -> msent[m]=1
  :: else
  fi;
#endif
  if
  :: what<FILES -> put_in_queue(what)
  :: else -> task[OF(what-FILES)].blob=0        /* one that is not there is deleted, too */
  fi
}

inline fail_message() {
  assert(S6_charged_for_cause || mrejections[m] >= MAX_REJECTIONS);
  if
  :: what<FILES -> task[what].lost=1; task[what].failed=1
  :: else -> task[OF(what-FILES)].blobfailed=1
  fi;
  remove_message(m)
}

inline settle_sent() {
#ifdef SENT
  assert(L2_history_means_sent || msent[m]);
#endif
  remove_message(m)
}

inline settle_failed() {        /* the service's fault */
#ifdef FAILED_AT_FIRST_FAULT
  fail_message()
#else
  mstatus[m]=1; mholder[m]=NOBODY
#endif
}

#ifdef CLAIMS_COUNT_AS_REJECTIONS
#define REFUSED_TOO_OFTEN (mclaims[m] >= MAX_REJECTIONS)
#else
#define REFUSED_TOO_OFTEN (mrejections[m] >= MAX_REJECTIONS)
#endif
inline settle_rejected() {      /* the message's fault */
  mrejections[m]++;
  if
  :: REFUSED_TOO_OFTEN -> fail_message()
  :: else -> mstatus[m]=1; mholder[m]=NOBODY
  fi
}

inline settle_unsent() {        /* never tried, since the breaker is open or the run is being stopped */
  if
#ifdef UNSENT_WITHOUT_TOKEN
  :: mstatus[m]==2 -> assert(S3_fencing || HOLDS_MESSAGE); mstatus[m]=1; mholder[m]=NOBODY
#else
  :: MAY_SETTLE -> mstatus[m]=1; mholder[m]=NOBODY
#endif
  :: else
  fi
}

inline settle() {
  if
  :: result==4 -> settle_unsent()
  :: result!=4 && MAY_SETTLE && result==1 -> settle_sent()
  :: result!=4 && MAY_SETTLE && result==2 -> settle_failed()
  :: result!=4 && MAY_SETTLE && result==3 -> settle_rejected()
  :: result!=4 && !MAY_SETTLE
  fi
}

proctype Relay(byte r) {
  byte m=0, what=0, result=0;
end:
  do
  /* while both are idle they are alike: it is enough to look at the first */
  :: atomic { rpc[r]==0 && (r==1 || rpc[1]!=0) && UP && CLAIMABLE(0) -> claim_message(0) }
  :: atomic { rpc[r]==0 && (r==1 || rpc[1]!=0) && UP && CLAIMABLE(1) -> claim_message(1) }
#if MESSAGES==3
  :: atomic { rpc[r]==0 && (r==1 || rpc[1]!=0) && UP && CLAIMABLE(2) -> claim_message(2) }
#endif
  :: atomic { UP && rpc[r]!=0 && mstatus[m]==2 && mholder[m]==LAPSED(r) -> mholder[m]=r }     /* renewed late */
  :: atomic { rpc[r]==1 && (what>=FILES || QUEUE_ROOM) ->       /* send, outside of any transaction */
       if
       :: send_message(); result=1; rpc[r]=2
       :: FAULT -> SPEND; result=2; rpc[r]=2                    /* not sent: time-out, 429, 5xx */
       :: FAULT -> SPEND; send_message(); result=2; rpc[r]=2    /* sent, but an error came back */
       :: FAULT -> SPEND; result=3; rpc[r]=2                    /* refused */
       :: FAULT -> SPEND; result=4; rpc[r]=2                    /* not tried */
       :: FAULT -> SPEND; relay_gone()                          /* killed before */
       :: FAULT -> SPEND; send_message(); relay_gone()          /* killed after */
       fi }
  :: atomic { rpc[r]==2 && AWAY -> relay_gone() }               /* its patience ends; or it waits here */
  :: atomic { rpc[r]==2 && UP ->
       if
       :: settle(); relay_gone()
       :: FAULT -> SPEND; relay_gone()                          /* killed before */
       :: FAULT && result!=0 -> SPEND; settle()                 /* committed, its answer was lost: settled again */
       fi }
  od
}
