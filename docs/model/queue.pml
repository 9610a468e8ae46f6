/* The queue and its host: a message that was received is either deleted, or delivered again. */

inline put_in_queue_at(i,x) { qstatus[i]=1; qholder[i]=NOBODY; qtask[i]=x; qdequeues[i]=0 }
inline put_in_queue(x) {
  if
  :: qstatus[0]==0 -> put_in_queue_at(0,x)
  :: qstatus[0]!=0 && qstatus[1]==0 -> put_in_queue_at(1,x)
#if QUEUED==3
  :: qstatus[0]!=0 && qstatus[1]!=0 -> put_in_queue_at(2,x)
#endif
  fi
}
inline remove_from_queue(i) { qstatus[i]=0; qholder[i]=NOBODY; qtask[i]=0; qdequeues[i]=0 }
/* A delivery went wrong, or its receipt ran out: visible again, or copied to the poison queue and then deleted. A host that is killed
   between the two leaves both. */
inline deliver_again(i) {
  if
  :: qdequeues[i] < MAX_DEQUEUES -> qstatus[i]=1; qholder[i]=NOBODY
  :: qdequeues[i] >= MAX_DEQUEUES ->
#ifdef POISON_DROPPED
     assert(S10_poison_kept); task[qtask[i]].lost=1; remove_from_queue(i)
#else
     task[qtask[i]].poison=1; task[qtask[i]].lost=1;
#ifdef POISON
     task[qtask[i]].letter=0;           /* another message than one that was kept before */
#endif
     if
     :: remove_from_queue(i)
     :: FAULT -> SPEND; qstatus[i]=1; qholder[i]=NOBODY
     fi
#endif
  fi
}
