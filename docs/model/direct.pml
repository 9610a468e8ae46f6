/*
 * An upload whose bytes its client writes to the blob store itself, explored by itself: `check` takes this file for the runs with -DDIRECT. README.md
 * says what is checked. A step is one database transaction, or one call to the store.
 *
 * FAULTS   faults in a run, of all kinds together
 * WRITES   what a client does to the blob besides, in any way that its address allows: again, in another way, late
 * RESTORE  the database may be restored to an earlier moment, noticed or not
 */
#ifndef FAULTS
#define FAULTS 1
#endif
#ifndef WRITES
#define WRITES 2
#endif
#define FAULT (faults<FAULTS)
#define SPEND faults++

#define NONE 0                  /* no row: not begun, removed, or lost by a restore */
#define OPEN 1
#define COMPLETED 2
#define ABANDONED 3
byte row=OPEN;
bit expired, grace;             /* its time is over; a day more is */
byte address=2;                 /* writes can begin; those that began may still come; none can */
bit staged, torn;              /* all blocks are stored; one of them has another size */
byte blob;                      /* the version that is committed, 0: none */
bit own[8], right[8];           /* versions: made by the service, and known by its note; of the promised size */
byte version;                   /* the last one that was made */
bit file;
byte etag;                      /* of the file */
bit answered;                   /* 202 */
bit lost, recovering, ended;    /* the database was restored; an operator, or the relay, knows; the recovery is over */
byte faults, writes;
byte completers;                /* at work, or still to come */
hidden byte U1_one_file, U2_blob_of_a_file_stays, U3_read_as_completed;   /* names of assertions: 0 */

#define COMPLETABLE (row==OPEN && !expired)

inline new_version(mine) { version++; blob=version; own[version]=mine; right[version]=!torn; staged=0; torn=0 }

/* the store takes a block under an address, and whatever else the right to write allows */
inline put_block() { staged=1 }

#ifdef COMMIT_OVERWRITES
#define NEW_ONLY true
#else
#define NEW_ONLY (blob==0)
#endif
inline commit_blocks() {
  if
  :: staged && NEW_ONLY ->
     assert(U2_blob_of_a_file_stays || !file || blob!=etag);
     new_version(1)
  :: else                       /* it is there, or blocks are missing */
  fi
}

#ifdef RECOGNIZED_WITHOUT_NOTE
#define OWN true
#else
#define OWN own[blob]
#endif
#ifdef SIZE_NOT_LOOKED_AT_AGAIN
#define RIGHT true
#else
#define RIGHT right[blob]
#endif

inline complete_upload(tag) {
  assert(U1_one_file || (!file && blob!=0));
  file=1; etag=tag;
#ifndef FILE_BEFORE_ITS_UPLOAD
  row=COMPLETED
#endif
}

inline answer() { answered=1; assert(U1_one_file || file) }

proctype Completer() {
  byte tag, pc=0;
end:
  do
  :: atomic { pc==0 && row==COMPLETED -> answer(); pc=9 }
  :: atomic { pc==0 && !COMPLETABLE && row!=COMPLETED -> pc=9 }             /* 404, 410 */
  :: atomic { pc==0 && COMPLETABLE -> pc=1 }
  :: atomic { pc==1 ->                                                  /* the list of blocks: all there, each of its size */
       if
       :: staged && !torn -> pc=2
       :: else -> pc=3
       fi }
  :: atomic { pc==2 ->
       if
       :: commit_blocks(); pc=3
       :: FAULT -> SPEND; commit_blocks(); pc=9                          /* killed, or its answer lost and the client gone */
       :: FAULT -> SPEND; pc=9
       fi }
  :: atomic { pc==3 ->
       if
       :: blob!=0 && OWN && RIGHT -> tag=blob; pc=4
       :: else -> pc=9                                                  /* blocks_missing, upload_altered */
       fi }
  :: atomic { pc==4 ->
       if
#ifdef COMPLETED_UNLOCKED
       :: !file -> complete_upload(tag); pc=5
       :: file -> pc=5
#else
       :: COMPLETABLE && !file -> complete_upload(tag); pc=5
       :: COMPLETABLE && file -> row=COMPLETED; pc=5                    /* an operator has made it again of its blob */
       :: row==COMPLETED -> pc=5
       :: row!=COMPLETED && !COMPLETABLE -> pc=9                         /* 410 */
#endif
       :: FAULT -> SPEND; pc=9                                          /* rolled back, or killed before */
       :: FAULT && COMPLETABLE && !file -> SPEND; complete_upload(tag); pc=9     /* committed, and killed */
       fi }
  :: atomic { pc==5 ->
#ifdef FILE_BEFORE_ITS_UPLOAD
       if
       :: row=COMPLETED
       :: FAULT -> SPEND
       fi;
#endif
       if
       :: file -> answer()
       :: else                                                          /* lost by a restore in this moment */
       fi;
       pc=9 }
  :: atomic { pc==9 -> completers--; pc=10 }
  od
}

/* The client, who may be anybody's enemy, but has one address for one blob. */
proctype Client() {
  do
  :: atomic { !staged && blob==0 && writes==0 && address==2 -> put_block(); writes=1 }
  :: atomic { address>0 && writes>0 && writes<=WRITES -> writes++;
       if
       :: put_block()
       :: put_block(); torn=1
       :: new_version(0)                                                /* Put Blob, Put Block List, metadata */
       fi }
  :: atomic { COMPLETABLE && address==1 && FAULT -> SPEND; address=2 }   /* a new address */
  :: atomic { row==OPEN -> row=ABANDONED; answered=0 }                   /* given up */
  :: address==0 -> break
  od
}

proctype Time() {
  do
  :: atomic { !expired -> expired=1 }
  /* an operator begins a recovery within a day, where a restore is not noticed at once */
  :: atomic { expired && !grace && (!lost || recovering || ended) -> grace=1 }
  :: atomic { address==2 -> address=1 }
  :: atomic { address==1 -> address=0 }
  :: expired && grace && address==0 -> break
  od
}

#ifdef NO_GRACE
#define OVER expired
#else
#define OVER (expired && grace)
#endif
#ifdef RECOVERY_IGNORED
#define DELETES true
#else
#define DELETES (!recovering)
#endif
inline expire_uploads() { row=ABANDONED }
inline discard_upload() {
  assert(U2_blob_of_a_file_stays || !(file || answered) || blob!=etag);
  blob=0; staged=0; torn=0
}
inline remove_upload() { row=NONE }

#ifdef ORPHANS_OF_OPEN_UPLOADS
#define ORPHAN (row!=COMPLETED && !file)
#else
#define ORPHAN (row==NONE && !file && OVER)
#endif
#ifdef BLOCKS_NOT_LISTED
#define LISTED (blob!=0)
#else
#define LISTED (blob!=0 || staged)
#endif
/* blobs in folders of days that are over, which no file and no upload has */
inline sweep_orphan() { discard_upload() }

proctype Maintenance() {
end:
  do
  :: atomic { row==OPEN && OVER -> expire_uploads() }
  :: atomic { row==ABANDONED && address==0 && DELETES ->
       if
       :: discard_upload(); remove_upload()
       :: FAULT -> SPEND; discard_upload()                               /* killed before the row goes */
       fi }
  :: atomic { ORPHAN && LISTED && DELETES -> sweep_orphan() }
  od
}

#ifdef RESTORE
inline recover_direct() { file=1; etag=blob; row=COMPLETED }

/* The database goes back to before the upload was completed, or begun. The relay notices; or does not, where less than its period was lost, and an
   operator knows. */
proctype Restore() {
  if
  :: atomic { FAULT && (row==COMPLETED || row==OPEN) && !grace -> SPEND; file=0; lost=1;
       if
       :: row=OPEN
       :: row=NONE
       fi;
       if
       :: recovering=1
       :: true
       fi };
     atomic { true ->
       if
       :: !recovering -> recovering=1
       :: else
       fi };
     atomic { true ->
       if
       :: blob!=0 && own[blob] && !file -> right[blob]=1; recover_direct()
       :: else
       fi };
     atomic { recovering=0; ended=1 }
  :: true
  fi
}
#endif

/* A worker, or who asks for the bytes. */
#ifdef ANY_VERSION_IS_READ
#define READABLE (blob!=0)
#else
#define READABLE (blob!=0 && blob==etag)
#endif
inline read_version() { assert(U3_read_as_completed || (own[blob] && right[blob])) }

proctype Reader() {
end:
  atomic { file && READABLE -> read_version() }
}

/* U4: in the end there is a file, or nothing of it. */
proctype Goal() { atomic { completers==0 && (file || (blob==0 && !staged)) && address==0 && row!=OPEN && row!=ABANDONED -> skip } }

init {
  atomic {
    completers=2;
    run Client(); run Completer(); run Completer(); run Time(); run Maintenance(); run Reader();
#ifdef RESTORE
    run Restore();
#endif
    run Goal()
  }
}
