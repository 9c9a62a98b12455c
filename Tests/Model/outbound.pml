/* Out: a front end sends messages, and the server takes them.
 *
 * What was answered `ok` arrives; it arrives once wherever the server can tell what it has: by the `h` of <resumed/>, by
 * the `h` of <failed/>, or by its archive. Where it can tell nothing, what goes again is marked before it goes. First
 * copies arrive in the order in which they were sent.
 *
 * A server without stream management is the one that forgets every session at once: an answered ping is its <a/>.
 *
 * RULE SYNC_BEFORE_OK       breaks lost       `ok` is said when the message is durable
 * RULE SAME_IDS             breaks twice      the ids are fixed when it is queued: the archive knows it by them (XEP-0359, 3.2)
 * RULE PLACE_BEFORE_BYTES   breaks twice      its number on the stream is durable before its bytes leave
 * RULE SAME_NUMBERS         breaks lost       what <resumed/> does not cover goes again under its number; where an iq was lost, another takes its number
 * RULE PLACE_RESERVED       breaks lost       nothing takes the number of a message that is on its way to the disk
 * RULE CEILING              breaks refused    iq and presence leave below a durable ceiling: after a crash any `h` up to it can be
 * RULE H_OF_RESUMED         breaks twice      what the `h` of <resumed/> covers was sent (XEP-0198, 5)
 * RULE H_OF_FAILED          breaks twice      so was what the `h` of <failed/> covers, and the rest was not
 * RULE SAME_RESOURCE        breaks twice      binding the same resource ends the old session: it reads no more of the old connection
 * RULE ARCHIVE_ASKED        breaks twice      what left and was not acknowledged is looked for in the archive before it goes again
 * RULE ARCHIVE_TO_THE_END   breaks twice      to the last page, `complete` (XEP-0313, 4.4)
 * RULE ARCHIVE_FROM_LEAVING breaks twice      from where the anchor was when the message left, however far it has come since
 * RULE DOUBT_SURVIVES       breaks twice      what is in doubt from one stream stays so when a later stream is resumed
 * RULE DOUBT_MARKED         breaks unmarked   where nobody can tell, `in_doubt` is durable before it goes again
 * RULE IN_ORDER             breaks disorder   nothing newer leaves while something is in doubt
 * RULE SETTLED_AT_LOGIN     breaks twice      what the last connection had to store is durable before the next one begins
 *
 * FULL   -DMESSAGES=2 -DOTHERS=2 -DIQS=1 -DFAULTS=4
 * SMALL  -DMESSAGES=2 -DOTHERS=1 -DIQS=1 -DFAULTS=2
 * RULES  -DMESSAGES=2 -DOTHERS=0 -DIQS=0 -DFAULTS=3
 * BOUND  -DIQS=1    for CEILING SAME_NUMBERS PLACE_RESERVED
 * BOUND  -DOTHERS=2 for ARCHIVE_FROM_LEAVING
 */
#include "delivery.pml"

#define ROOM (MESSAGES + 4)
#define ARCHIVE (3 * MESSAGES + OTHERS)
#define MARGIN 1
#define HEADROOM 2                  /* numbers that iq and presence may take before the ceiling is raised */
#define IQ 0                        /* an iq or a presence; the other stanzas are messages, 1 to MESSAGES */

/* ---- The server ---- */
bool archives;                      /* it has an archive */
bool resumes, remembers;            /* sessions can be resumed; of one that is over it tells the `h`, once */
bool session, attached;             /* it keeps a session; that has a connection, as far as it knows */
byte id;                            /* the session's SM-ID */
byte handled;                       /* its `h` */
byte lastID, lastHandled;           /* of a session that is over */
chan up = [ROOM] of { byte };       /* stanzas on their way to it, or in its buffer */
byte archive[ARCHIVE + 1], archived;     /* messages by id, somebody else's as 0 */
byte copies[MESSAGES + 1];               /* how many came to the one it is for */
byte allowed[MESSAGES + 1] = 1;          /* how many may: one, and one more where no server could tell */

/* ---- The log, and the facts: what is durable ---- */
mtype = { QUEUED, STREAM, RAISED, PLACED, SENT, RETURNED, DOUBTED, ANCHOR };
chan log = [ROOM] of { mtype, byte, byte };
byte queued, sent, doubted;              /* messages (sets) */
byte knownID, ceiling, anchor;
byte streamOf[MESSAGES + 1];             /* the stream on which it left, or was about to; 0: it did not */
byte placeOf[MESSAGES + 1];              /* its number there */
byte anchorOf[MESSAGES + 1];             /* where the anchor was when it left for the first time */

/* ---- Memory ---- */
byte ok;                                 /* messages of which the front end knows (a set) */
byte appended;                           /* messages that have a record (a set) */
mtype link = DOWN;
byte out, told;                          /* stanzas on this stream; the last `h` that the server told */
byte turn;                               /* messages up to this one had their turn on this connection */
byte placing; bool raising;              /* numbers, or a ceiling, on their way to the disk */
byte doubt;                              /* messages of which only the archive can tell (a set) */
bool querying, ready;
byte cursor;                             /* how far the archive was read */

byte iqs, others;

#ifdef WITHOUT_SAME_IDS
#define idOf(n) ((n) + MESSAGES * faults)       /* drawn anew each time */
#else
#define idOf(n) (n)
#endif
#define waiting (queued & ~sent & ~doubt)     /* messages that may leave (a set) */
#define isLeft(n) (streamOf[n] != 0 && !has(sent, n))

#ifdef WITHOUT_SAME_RESOURCE
chan ghost = [ROOM] of { byte };         /* what an old connection still holds, for an old session */
#endif

inline take(stanza) {
  if
  :: stanza != IQ ->
    if
    :: archives -> archived++; archive[archived] = idOf(stanza)
    :: else
    fi;
    copies[stanza]++;
    promise(twice, copies[stanza] <= allowed[stanza]);
    promise(unmarked, copies[stanza] == 1 || has(doubted, stanza));
    promise(disorder, stanza == 1 || copies[stanza - 1] > 0)
  :: else
  fi;
  stanza = 0
}

inline expire() {
  if
  :: remembers -> lastID = id; lastHandled = handled
  :: else
  fi;
  session = false; handled = 0
}

proctype Server() {
  byte stanza;
end:
  do
  :: d_step { attached && nempty(up) -> up?stanza; handled++; take(stanza) }
#ifdef WITHOUT_SAME_RESOURCE
  :: d_step { nempty(ghost) -> ghost?stanza; take(stanza) }
#endif
  :: d_step { attached && link != UP -> attached = false; emptied(up, stanza); stanza = 0 }
  :: d_step { canFail && session && !attached -> faults++; expire() }
  /* Somebody else writes: live, this moves the anchor, where no gap lies before it. */
  :: d_step { archives && others < OTHERS && nfull(log) ->
      others++; archived++;
      if
      :: link == UP && ready -> log!ANCHOR,archived,0
      :: else
      fi }
  od
}

/* ---- The daemon ---- */

/* The server told the `h` of a stream: what it covers was sent; where the stream is over, the rest was not. */
inline judge(stream, h, over, n) {
  n = 1;
  do
  :: n <= MESSAGES ->
    if
    :: isLeft(n) && streamOf[n] == stream && placeOf[n] <= h -> log!SENT,n,0
    :: isLeft(n) && streamOf[n] == stream && placeOf[n] > h && over -> log!RETURNED,n,0
    :: else
    fi;
    n++
  :: else -> break
  od;
  n = 0
}

/* Of those that left on an earlier stream (`any`: on any) only the archive can tell. Where there is none, nothing can. */
inline wonder(any, isTold, n) {
  n = MESSAGES; cursor = ARCHIVE;
  do
  :: n > 0 ->
    if
    :: isLeft(n) && (any || streamOf[n] != knownID) && archives ->
      doubt = doubt | bit(n);
      cursor = (anchorOf[n] < cursor -> anchorOf[n] : cursor)
    :: isLeft(n) && (any || streamOf[n] != knownID) && !archives ->
      allowed[n] = (isTold -> allowed[n] : copies[n] + 1);
#ifndef WITHOUT_DOUBT_MARKED
      log!DOUBTED,n,0
#endif
    :: else
    fi;
    n--
  :: else -> break
  od;
#ifdef WITHOUT_ARCHIVE_FROM_LEAVING
  cursor = (anchor > MARGIN -> anchor - MARGIN : 0);
#endif
#ifdef WITHOUT_ARCHIVE_ASKED
  doubt = 0;
#endif
  querying = (doubt != 0);
  cursor = (querying -> cursor : 0)
}

inline transmit(n) {
  if
  :: link == UP -> up!n
  :: else         /* nobody has noticed yet that the bytes go nowhere */
  fi
}

/* What `h` does not cover, number by number. */
inline sendAgain(n) {
  n = MESSAGES;
  do
  :: n > 0 && !(isLeft(n) && streamOf[n] == id && placeOf[n] > out) -> n--
  :: else -> break
  od;
  turn = n;
  n = 1;
  do
  :: turn > 0 && n <= turn && isLeft(n) && streamOf[n] == id && placeOf[n] > out ->
#ifndef WITHOUT_SAME_NUMBERS
    do
    :: out + 1 < placeOf[n] -> out++; up!IQ
    :: else -> break
    od;
#endif
    out++; up!n; n++
  :: n <= turn && !(isLeft(n) && streamOf[n] == id && placeOf[n] > out) -> n++
  :: else -> break
  od;
  n = 0
}

inline resume(n) {
  emptied(up, n);
  out = handled; told = handled;
#ifndef WITHOUT_H_OF_RESUMED
  judge(id, handled, false, n);
#endif
#ifndef WITHOUT_DOUBT_SURVIVES
  wonder(false, false, n);
#endif
  attached = true; link = UP;
  sendAgain(n)
}

/* A new session on the same resource. */
inline bind(n) {
#ifdef WITHOUT_SAME_RESOURCE
  do
  :: nempty(up) -> up?n; ghost!n
  :: empty(up) -> break
  od;
#else
  emptied(up, n);
#endif
  if
  :: lastID == knownID && lastID != 0 ->       /* <failed h='...'/> */
#ifdef WITHOUT_H_OF_FAILED
    wonder(true, true, n);
#else
    judge(lastID, lastHandled, true, n);
    wonder(false, false, n);
#endif
    lastID = 0; lastHandled = 0
  :: else -> wonder(true, false, n)
  fi;
  if
  :: session -> expire()
  :: else
  fi;
  session = true; id++; out = 0; told = 0;
  log!STREAM,id,HEADROOM;
  attached = true; link = UP
}

/* The connection is gone, and what was known of it. */
inline drop() {
  link = DOWN;
  out = 0; told = 0; turn = 0; placing = 0; raising = false; doubt = 0; querying = false; ready = false; cursor = 0
}

/* What is not durable never was. */
inline forget(kind, n, number) {
  do
  :: nempty(log) -> log?kind,n,number
  :: empty(log) -> break
  od;
  appended = queued;
  kind = 0; n = 0; number = 0
}

/* The front end sends; what was not answered it sends again, under the same key (storage.pml). */
inline ask(n) {
  n = 1;
  do
  :: has(appended | ok, n) -> n++
  :: else -> break
  od;
  log!QUEUED,n,0;
  appended = appended | bit(n);
#ifdef WITHOUT_SYNC_BEFORE_OK
  ok = ok | bit(n);
#endif
  n = 0
}

/* The next message gets the next number. */
inline place(n) {
  n = turn + 1;
  do
  :: !has(waiting, n) -> n++
  :: else -> break
  od;
  turn = n; out++;
  log!PLACED,n,out; placing++;
#ifdef WITHOUT_PLACE_BEFORE_BYTES
  transmit(n);
#endif
  n = 0
}

/* One page of one message. */
inline page(n) {
  if
  :: cursor < archived ->
    cursor++;
    n = 1;
    do
    :: n <= MESSAGES && !(archive[cursor] == idOf(n) && has(doubt, n)) -> n++
    :: else -> break
    od;
    if
    :: n <= MESSAGES -> log!SENT,n,0
    :: else
    fi;
    log!ANCHOR,cursor,0
  :: else
  fi;
  n = 0;
#ifdef WITHOUT_ARCHIVE_TO_THE_END
  querying = false;
#else
  querying = (cursor < archived);
#endif
  doubt = (querying -> doubt : 0);
  cursor = (querying -> cursor : 0)
}

/* A sync covers the next record. */
inline fold(kind, n, number) {
  log?kind,n,number;
  if
  :: kind == QUEUED -> queued = queued | bit(n); ok = ok | bit(n)
  :: kind == STREAM -> knownID = n; ceiling = number
  :: kind == RAISED -> ceiling = (n > ceiling -> n : ceiling); raising = false
  :: kind == PLACED ->
    anchorOf[n] = (streamOf[n] == 0 -> anchor : anchorOf[n]);
    streamOf[n] = knownID; placeOf[n] = number;
    ceiling = (number > ceiling -> number : ceiling);
    placing = (placing > 0 -> placing - 1 : 0);
#ifndef WITHOUT_PLACE_BEFORE_BYTES
    transmit(n)
#endif
  :: kind == SENT -> sent = sent | bit(n); streamOf[n] = 0; placeOf[n] = 0; anchorOf[n] = 0
  :: kind == RETURNED -> streamOf[n] = 0; placeOf[n] = 0; anchorOf[n] = 0
  :: kind == DOUBTED -> doubted = doubted | bit(n)
  :: kind == ANCHOR -> anchor = (n > anchor -> n : anchor)
  fi;
  kind = 0; n = 0; number = 0
}

#define ALL (bit(MESSAGES + 1) - 2)
#define room(k) (len(log) + (k) <= ROOM)
#ifdef WITHOUT_SETTLED_AT_LOGIN
#define isSettled room(MESSAGES + 1)
#else
#define isSettled empty(log)
#endif
#ifdef WITHOUT_IN_ORDER
#define mayPlace (ready || querying)
#else
#define mayPlace ready
#endif
#ifdef WITHOUT_PLACE_RESERVED
#define mayNumber true
#else
#define mayNumber (placing == 0)
#endif
#ifdef WITHOUT_CEILING
#define isBelow true
#else
#define isBelow (out < (knownID == id -> ceiling : HEADROOM))
#endif

proctype Daemon() {
  mtype kind;
  byte n, number;
end:
  do
  :: d_step { room(1) && (appended | ok) != ALL -> ask(n) }
  :: d_step { link == DOWN && isSettled ->
      if
      :: resumes && session && id == knownID && handled <= ceiling -> resume(n)
      :: else ->
        promise(refused, !resumes || !session || id != knownID);
        bind(n)
      fi;
      n = 0 }
  :: d_step { link == UP && querying && room(2) -> page(n) }
  :: d_step { link != DOWN && !ready && !querying && empty(log) -> ready = true }
  :: d_step { link != DOWN && mayPlace && (waiting >> (turn + 1)) && room(1) -> place(n) }
  :: d_step { link != DOWN && iqs < IQS && knownID == id && out >= ceiling && !raising && room(1) ->
      raising = true; log!RAISED,out + HEADROOM,0 }
  :: d_step { link != DOWN && iqs < IQS && mayNumber && isBelow -> iqs++; out++; transmit(IQ) }
  :: d_step { link == UP && handled > told && room(MESSAGES) -> told = handled; judge(id, told, false, n) }
  :: d_step { nempty(log) -> fold(kind, n, number) }
  :: d_step { link == DYING -> drop() }
  od
}

/* ---- What goes wrong ---- */
proctype Faults() {
  mtype kind;
  byte n, number;
end:
  do
  :: d_step { canFail && link == UP -> faults++; link = DYING }
  :: d_step { canFail -> faults++; drop(); forget(kind, n, number) }
  :: d_step { canFail && nempty(log) -> faults++; drop(); forget(kind, n, number) }
  od
}

/* ---- When nothing can happen any more ---- */
proctype Judge() {
  byte n;
  calm;
  timeout;
  d_step {
    n = 1;
    do
    :: n <= MESSAGES -> promise(lost, copies[n] > 0 && has(ok, n) && has(sent, n)); n++
    :: else -> break
    od;
    skip
  }
}

init {
  atomic {
    if
    :: archives = true
    :: skip
    fi;
    if
    :: resumes = true
    :: resumes = true; remembers = true
    :: skip
    fi;
    run Server(); run Daemon(); run Faults(); run Judge()
  }
}
