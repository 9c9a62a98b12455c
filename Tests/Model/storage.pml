/* The log on a disk: why the other models may take it for a queue whose records become durable one after the other.
 *
 * A record that was answered `ok` is there after every crash. A request that is repeated under its key is one record. What
 * was answered `storage` is not there. The kernel keeps what is written in memory (`cached`), until a sync, or its own
 * whim, brings it to the disk. A failed sync leaves pages in memory that are marked clean: the next sync has nothing to do
 * and says that all is well (as Linux does). A killed process loses nothing of that; a power cut loses it all.
 *
 * RULE SYNC_BEFORE_OK      breaks lost    a record is answered, and followed, when a sync covers it
 * RULE NEW_SEGMENT         breaks lost    a failed sync is not tried again on that file: what comes next begins a new segment
 * RULE NEWER_SEGMENT_WINS  breaks twice   numbers from a newer segment's first on are not read in an older one
 * RULE SETTLED_AT_START    breaks lost    a start syncs, and reads from the disk and not from memory: a killed process may have left there what never came to the disk
 * RULE SAME_KEY            breaks twice   a key that is known is answered with what it was used for
 * RULE VOID_BEFORE_STORAGE breaks untrue  `storage` is answered when what was given up can not come back: it was cut off, or a newer segment is durable
 *
 * FULL   -DREQUESTS=2 -DSEGMENTS=4 -DFAULTS=4
 * SMALL  -DREQUESTS=2 -DSEGMENTS=3 -DFAULTS=3
 * RULES  -DREQUESTS=2 -DSEGMENTS=3 -DFAULTS=3
 */
#include "delivery.pml"

#define ALL (bit(REQUESTS + 1) - 2)
#define NUMBERS (REQUESTS + FAULTS + 1)   /* of records, from 1 */
#define FILLER 7                          /* a record that is true anyway */
#define at(s, n) ((s) * (NUMBERS + 1) + (n))
#define CELLS ((SEGMENTS + 1) * (NUMBERS + 1))

/* ---- The disk: what stands at each number of each segment; 0 is nothing ---- */
byte disk[CELLS];                        /* really */
byte cached[CELLS];                      /* as a process reads it */
bool clean[CELLS];                       /* its page is marked clean: no sync writes it */
byte first[SEGMENTS + 1];                /* the first number of each segment */
#define isThere(s) (first[s] != 0 && cached[at(s, first[s])] != 0)

/* ---- The daemon ---- */
byte segment = 1, next = 1;              /* where the next record goes */
byte request;                            /* whose record is being written */
byte facts;                              /* requests that have a durable record (a set) */
byte owed;                               /* the request that is to be answered `storage` */
bool isVoid;                             /* what failed was cut off, and that was synced */
byte answer;                             /* the one that is to be answered `ok` */

/* ---- The front end ---- */
byte asked, ok, dropped;                 /* requests: not answered; answered `ok`; let go after `storage` (sets) */

inline ask(r) {
  r = 1;
  do
  :: has(asked | ok | dropped, r) -> r++
  :: else -> break
  od;
  asked = asked | bit(r);
  r = 0
}

/* It heard `storage`: it lets the request go, or asks again under the same key. */
inline hear(isOver) {
  dropped = (isOver -> dropped | bit(owed) : dropped);
  asked = (isOver -> asked & ~bit(owed) : asked);
  owed = 0
}

inline append(r) {
  request = r;
  first[segment] = (isThere(segment) -> first[segment] : next);
  cached[at(segment, next)] = request;
  clean[at(segment, next)] = false;
#ifdef WITHOUT_SYNC_BEFORE_OK
  answer = (request != FILLER -> request : 0);
#endif
}

/* The daemon takes up what is asked. A key that has a record has its answer. */
inline take(r) {
  r = 1;
  do
  :: !has(asked, r) -> r++
  :: else -> break
  od;
  if
#ifndef WITHOUT_SAME_KEY
  :: has(facts, r) -> answer = r
#endif
  :: else -> append(r)
  fi;
  r = 0
}

/* A sync says that all is well. */
inline synced() {
  if
  :: !clean[at(segment, next)] -> disk[at(segment, next)] = cached[at(segment, next)]
  :: else
  fi;
  if
  :: request != FILLER ->
    promise(twice, !has(facts, request));
    facts = facts | bit(request);
    answer = request
  :: else
  fi;
  next++;
  request = 0
}

/* It failed: the record came to the disk all the same, or not. It is written again, under its number, or given up. */
inline failed(arrived, again) {
  disk[at(segment, next)] = (arrived -> cached[at(segment, next)] : disk[at(segment, next)]);
  clean[at(segment, next)] = true;
#ifndef WITHOUT_NEW_SEGMENT
  isVoid = false;
  segment++;
  if
  :: again && request != FILLER -> append(request)
  :: else -> owed = (request != FILLER -> request : owed); request = 0
  fi
#endif
}

/* What failed is cut off: the disk does that, and the sync of it. Where it does not, a newer segment has to. */
inline withdraw(s) {
  s = 1;
  do
  :: s < segment -> disk[at(s, next)] = 0; cached[at(s, next)] = 0; clean[at(s, next)] = false; s++
  :: else -> break
  od;
  isVoid = true;
  s = 0
}

proctype Daemon() {
  byte r;
end:
  do
  :: d_step { (asked | ok | dropped) != ALL -> ask(r) }
  :: d_step { asked != 0 && request == 0 && owed == 0 && answer == 0 -> take(r) }
  :: d_step { request != 0 -> synced() }
  :: d_step { request == 0 && answer != 0 -> ok = ok | bit(answer); asked = asked & ~bit(answer); answer = 0 }
#ifdef WITHOUT_VOID_BEFORE_STORAGE
  :: d_step { owed != 0 && request == 0 -> hear(true) }
  :: d_step { owed != 0 && request == 0 -> hear(false) }
#else
  :: d_step { owed != 0 && request == 0 && !isVoid && !isThere(segment) -> withdraw(r) }
  :: d_step { owed != 0 && request == 0 && !isVoid && !isThere(segment) -> append(FILLER) }
  :: d_step { owed != 0 && request == 0 && (isVoid || isThere(segment)) -> hear(true) }
  :: d_step { owed != 0 && request == 0 && (isVoid || isThere(segment)) -> hear(false) }
#endif
  od
}

/* ---- A new process reads the log ---- */
inline start(s, n, bound) {
  request = 0; owed = 0; answer = 0;
  facts = 0; segment = 1; next = 1; isVoid = false;
#ifndef WITHOUT_SETTLED_AT_START
  s = 0;
  do
  :: s < CELLS ->
    disk[s] = (clean[s] -> disk[s] : cached[s]);     /* a sync */
    cached[s] = disk[s];                             /* what is in memory is forgotten, and read from the disk */
    clean[s] = false;
    s++
  :: else -> break
  od;
#endif
  s = 1;
  do
  :: s <= SEGMENTS && isThere(s) ->
    segment = s;
    n = first[s];
    /* The next segment that is there begins where this one ends. */
    bound = s + 1;
    do
    :: bound <= SEGMENTS && !isThere(bound) -> bound++
    :: else -> break
    od;
#ifdef WITHOUT_NEWER_SEGMENT_WINS
    bound = NUMBERS + 1;
#else
    bound = (bound <= SEGMENTS -> first[bound] : NUMBERS + 1);
#endif
    do
    :: n < bound && cached[at(s, n)] != 0 ->
      if
      :: cached[at(s, n)] != FILLER ->
        promise(twice, !has(facts, cached[at(s, n)]));
        facts = facts | bit(cached[at(s, n)])
      :: else
      fi;
      n++
    :: else -> break
    od;
    next = n;
    s++
  :: s <= SEGMENTS && !isThere(s) -> s++
  :: else -> break
  od;
  promise(lost, (ok & ~facts) == 0);
  promise(untrue, (dropped & facts) == 0);
  s = 0; n = 0; bound = 0
}

/* ---- What goes wrong ---- */
proctype Faults() {
  byte s, n, bound;
end:
  do
  :: d_step { canFail && request != 0 && segment < SEGMENTS -> faults++; failed(true, true) }
  :: d_step { canFail && request != 0 && segment < SEGMENTS -> faults++; failed(true, false) }
  :: d_step { canFail && request != 0 && segment < SEGMENTS -> faults++; failed(false, true) }
  :: d_step { canFail && request != 0 && segment < SEGMENTS -> faults++; failed(false, false) }
  /* The front end is cut off, and asks again. */
  :: d_step { canFail && answer != 0 && request == 0 -> faults++; answer = 0 }
  /* The process is killed; what it wrote is still in memory, or the kernel has dropped what it holds for clean. */
  :: d_step { canFail -> faults++; start(s, n, bound) }
  :: d_step { canFail -> faults++;
      s = 0;
      do
      :: s < CELLS -> cached[s] = (clean[s] -> disk[s] : cached[s]); s++
      :: else -> break
      od;
      start(s, n, bound) }
  /* The power goes. What was not synced may have come to the disk before. */
  :: atomic { canFail -> faults++;
      if
      :: request != 0 && !clean[at(segment, next)] -> disk[at(segment, next)] = cached[at(segment, next)]
      :: skip
      fi;
      d_step {
        s = 0;
        do
        :: s < CELLS -> cached[s] = disk[s]; clean[s] = false; s++
        :: else -> break
        od;
        start(s, n, bound)
      } }
  od
}

/* ---- When nothing can happen any more ---- */
proctype Judge() {
  calm;
  timeout;
  promise(lost, (ok | dropped) == ALL && (ok & ~facts) == 0);
  promise(untrue, (dropped & facts) == 0)
}

init {
  atomic { run Daemon(); run Faults(); run Judge() }
}
