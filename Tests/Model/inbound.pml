/* In: a server without an archive hands us messages and a contact's presence.
 *
 * Nothing that it has is lost, nothing is shown twice, and a session that it would resume is resumed.
 *
 * RULE SYNC_BEFORE_ACK      breaks lost       `h` counts a stanza only when its record is durable (XEP-0198, 4)
 * RULE SYNC_BEFORE_EVENT    breaks twice      a front end hears of a message only when its record is durable
 * RULE PLACE_IN_RECORD      breaks twice      a record holds its stanza's number on the stream, so that messages and `h` are durable together
 * RULE DOUBLES_BY_NUMBER    breaks twice      what is sent again after <resumed/> is known by its number, though its record is not durable yet
 * RULE DURABLE_COUNT        breaks refused    a count is durable before it is told: no <resume/> has a smaller `h` than an <a/> before it
 * RULE DURABLE_PRESENCE     breaks forgotten  a presence that `h` covers is durable: nobody sends it again after <resumed/>
 * RULE PRESENCE_AGAIN       breaks lost       a new process that resumed sends its presence again: it may never have left
 * RULE SAME_RESOURCE        breaks lost       where nothing can be resumed the same resource is bound: the old session gives up what it holds
 * RULE DOUBLES_BY_CONTENT   breaks twice      what offline storage brings again is known by sender, id and text
 * RULE TEXT_COMPARED        breaks lost       never by an id alone: senders choose ids
 * RULE GIVEN_UP_UNCOUNTED   breaks lost       what a failed write gave up is not counted: the link is dropped, `h` is the durable one
 *
 * FULL   -DMESSAGES=3 -DFAULTS=5
 * SMALL  -DMESSAGES=2 -DFAULTS=3
 * RULES  -DMESSAGES=2 -DFAULTS=3
 */
#include "delivery.pml"

#define ROOM (MESSAGES + 6)   /* what a session holds at most, and the log */

/* A stanza: 0 is the contact's presence, the others are messages. The first two messages have the same id (and another
 * text): their sender chose so. */
#define PRESENCE 0
#define LATE 8                      /* with the delay stamp of offline storage (XEP-0203) */
#define number(stanza) ((stanza) & 7)
#define isLate(stanza) ((stanza) & LATE)
#define sameID(n) (n <= 2 -> (bit(1) | bit(2)) : bit(n))

/* ---- The server ---- */
byte received;                      /* messages that came for us so far */
bool present;                       /* the contact is online */
bool session, attached, available;  /* it keeps a session; that has a connection; initial presence came on it */
byte id;                            /* the session's SM-ID; each is new (XEP-0198, 5) */
byte acknowledged;                  /* the highest `h` of that session so far */
chan held = [ROOM] of { byte };     /* what it sent on that session, and `h` does not cover */
chan offline = [ROOM] of { byte };
chan wire = [ROOM] of { byte };     /* on their way to us */

inline push(stanza) {
  held!stanza;
  if
  :: attached -> wire!stanza
  :: else
  fi
}

/* Takes an `h`: what it covers need not be kept. */
inline acknowledge(h) {
  do
  :: acknowledged < h -> held?_; acknowledged++
  :: else -> break
  od;
  skip
}

/* The session is over: unacknowledged messages go to offline storage (XEP-0198, 4), presences nowhere. */
inline giveUp(stanza) {
  do
  :: nempty(held) ->
    held?stanza;
    if
    :: stanza != PRESENCE -> offline!(stanza | LATE)
    :: else
    fi
  :: empty(held) -> break
  od;
  session = false;
  available = false
}

active proctype Server() {
  byte stanza;
end:
  do
  :: d_step { received < MESSAGES ->
      received++;
      if
      :: available -> push(received)
      :: else -> offline!(received | LATE)
      fi }
  :: d_step { !present -> present = true;
      if
      :: available -> push(PRESENCE)
      :: else
      fi }
  :: d_step { canFail && session && !attached -> faults++; giveUp(stanza); stanza = 0 }
  od
}

/* ---- The daemon's log ---- */
mtype = { STREAM, STORED, SEEN, COUNTED };
chan log = [ROOM + 1] of { mtype, byte, byte };   /* kind, SM-ID or stanza, its number on the stream */
byte knownID, knownCount;                         /* durable: the stream, and the number of the last stanza on it */
byte messages;                                    /* durable: the messages (a set) */
bool presence;                                    /* durable: the contact's presence */
byte shown;                                       /* messages that front ends have seen (a set) */

inline tell(n) { promise(twice, !has(shown, n)); shown = shown | bit(n) }

/* ---- The daemon's memory ---- */
mtype link = DOWN;
byte stream;          /* the SM-ID */
byte place;           /* number of the stanza read last */
byte count;           /* the highest number that led to a record */
byte covered;         /* the highest whose record is durable */
byte told;            /* the last `h` on this connection */
byte appended;        /* messages that have a record (a set) */
bool announced;       /* initial presence was sent on this stream */

/* Nothing is known but what is durable. */
inline recall() {
  stream = knownID; count = knownCount; covered = knownCount; appended = messages
}

inline drop(stanza) {
  link = DOWN; attached = false; told = 0; place = 0; emptied(wire, stanza)
}

inline resume(stanza) {
  acknowledge(covered);
  place = covered;
  attached = true;
  stanza = len(held);
  do
  :: stanza > 0 -> held?place; held!place; wire!place; stanza--
  :: else -> break
  od;
  place = covered
}

inline bind(stanza) {
#ifdef WITHOUT_SAME_RESOURCE
  emptied(held, stanza);    /* the old session keeps it, for nobody */
#endif
  giveUp(stanza);
  session = true; attached = true; id++; acknowledged = 0;
  stream = id; place = 0; count = 0; covered = 0; announced = false;
  log!STREAM,stream,0
}

/* The same sender, id and text were stored. */
#ifdef WITHOUT_TEXT_COMPARED
#define isKnown(n) (appended & sameID(n))
#else
#define isKnown(n) has(appended, n)
#endif

inline read(stanza) {
  wire?stanza;
  place++;
  if
#ifndef WITHOUT_DOUBLES_BY_NUMBER
  :: place <= count -> skip     /* sent again after <resumed/> */
#endif
  :: else ->
    count = place;
    if
    :: stanza == PRESENCE ->
#ifdef WITHOUT_DURABLE_PRESENCE
      presence = true; log!COUNTED,0,place
#else
      log!SEEN,0,place
#endif
#ifndef WITHOUT_DOUBLES_BY_CONTENT
    :: isLate(stanza) && isKnown(number(stanza)) -> log!COUNTED,0,place
#endif
    :: else ->
      stanza = number(stanza);
      log!STORED,stanza,place;
      appended = appended | bit(stanza);
#ifdef WITHOUT_SYNC_BEFORE_EVENT
      tell(stanza)
#endif
    fi
  fi
}

/* A sync covers the next record: it is a fact now. */
inline fold(kind, n, number) {
  log?kind,n,number;
  if
  :: kind == STREAM -> knownID = n; presence = false
  :: kind == SEEN -> presence = true
  :: kind == STORED ->
    messages = messages | bit(n);
#ifndef WITHOUT_SYNC_BEFORE_EVENT
    tell(n)
#endif
  :: else
  fi;
  if
#ifdef WITHOUT_PLACE_IN_RECORD
  :: kind == STORED && len(log) > 0 -> skip    /* the count is stored by itself, when all is quiet */
#endif
#ifdef WITHOUT_DURABLE_COUNT
  :: kind == COUNTED -> skip
#endif
  :: else -> knownCount = number
  fi;
  if
  :: knownID == stream -> covered = number
  :: else
  fi
}

active proctype Daemon() {
  mtype kind;
  byte stanza, number;
end:
  do
  :: d_step { link == DOWN && nfull(log) ->
      if
      :: session && stream == id && covered >= acknowledged -> resume(stanza)
      :: else ->
        promise(refused, !session || stream != id);
        bind(stanza)
      fi;
      link = UP; stanza = 0 }
  :: d_step { link == UP && !announced -> announced = true; available = true;
      if
      :: present -> push(PRESENCE)
      :: else
      fi;
      do
      :: nempty(offline) -> offline?stanza; push(stanza)
      :: empty(offline) -> break
      od;
      stanza = 0 }
  :: d_step { link != DOWN && nempty(wire) && nfull(log) -> read(stanza); stanza = 0 }
  :: d_step { nempty(log) -> fold(kind, stanza, number); kind = 0; stanza = 0; number = 0 }
#ifdef WITHOUT_SYNC_BEFORE_ACK
  :: d_step { link == UP && count > told -> told = count; acknowledge(told) }
#else
  :: d_step { link == UP && covered > told -> told = covered; acknowledge(told) }
#endif
  :: d_step { link == DYING -> drop(stanza); stanza = 0 }
  od
}

/* ---- What goes wrong ---- */
active proctype Faults() {
  mtype kind;
  byte stanza, number;
end:
  do
  :: d_step { canFail && link == UP -> faults++; link = DYING; attached = false }
  :: d_step { canFail -> faults++;
      drop(stanza);
      do
      :: nempty(log) -> log?kind,stanza,number
      :: empty(log) -> break
      od;
      recall();
#ifndef WITHOUT_PRESENCE_AGAIN
      announced = false;
#else
      announced = (knownID != 0);
#endif
#ifdef WITHOUT_DURABLE_PRESENCE
      presence = false;
#endif
      kind = 0; stanza = 0; number = 0 }
  :: d_step { canFail && nempty(log) -> faults++;
      do
      :: nempty(log) -> log?kind,stanza,number
      :: empty(log) -> break
      od;
#ifdef WITHOUT_GIVEN_UP_UNCOUNTED
      appended = messages;
#else
      drop(stanza);
      recall();
#endif
      kind = 0; stanza = 0; number = 0 }
  od
}

/* ---- When nothing can happen any more ---- */
active proctype Judge() {
  calm;
  timeout;
  promise(lost, shown == bit(MESSAGES + 1) - 2);
  promise(forgotten, presence)
}
