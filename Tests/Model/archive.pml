/* The archive: what came while we were away, and what a second device did.
 *
 * Everything that the archive has and keeps is shown, and shown once, however it comes: live, as a carbon (XEP-0280),
 * again after <resumed/>, or from the archive (XEP-0313). What inbound.pml shows of resumption is taken from there: what
 * is durable does not come again, and what is not does. Each page of the archive has one message.
 *
 * RULE ASKED_BEHIND_PRESENCE breaks lost   the archive is asked again behind initial presence and carbons: what came before these is delivered to nobody
 * RULE ASKED_AFTER_RESTART   breaks lost   a new process asks the archive though it resumed: the old one may not have come to its end
 * RULE GIVEN_UP_ASKED       breaks lost   so does one whose write failed: what it gave up of the archive does not come again on the stream
 * RULE TO_THE_END            breaks lost   page by page until `complete` (XEP-0313, 4.4); a page is not the archive
 * RULE NO_GAP                breaks lost   a live message moves the anchor only where everything before it was asked for
 * RULE ANCHOR_LAST           breaks lost   the anchor moves when all before it is durable: its record is behind theirs
 * RULE MARGIN                breaks lost   asked from a little before the anchor: what is live may overtake, within what servers stamp
 * RULE ITEM_NOT_FOUND        breaks lost   an item that has gone from the archive is no end of it: what is left is asked for by time
 * RULE DOUBLES_BY_STANZA_ID  breaks twice  one stanza-id of our archive is one message (XEP-0359)
 * RULE DOUBLES_BY_CONTENT    breaks twice  a copy without one is known by sender, origin-id and text
 * RULE ID_BEFORE_CONTENT     breaks lost   two stanza-ids are two messages, whatever they say
 * RULE TRUSTED_IDS           breaks lost   a stanza-id counts where our server answers for it (XEP-0359, 6): others can be made up
 *
 * FULL   -DMESSAGES=4 -DFAULTS=3
 * SMALL  -DMESSAGES=3 -DFAULTS=2
 * RULES  -DMESSAGES=2 -DFAULTS=3
 * BOUND  -DMESSAGES=3 for NO_GAP ANCHOR_LAST ID_BEFORE_CONTENT TRUSTED_IDS
 */
#include "delivery.pml"

/* Messages are numbered as they stand in the archive. The first is mine, from the second device: a carbon, without its
 * stanza-id. The next two say the same under the same id; and where the server lets that through, the third pretends to
 * have the stanza-id of the second. */
#define isCarbon(n) (n == 1)
#define isForged(n) (n == 3 && !stamps)
#define sameContent(n) (n == 2 || n == 3 -> (bit(2) | bit(3)) : bit(n))
/* A live message may overtake this many before it. */
#define MARGIN 1
#define ROOM (MESSAGES + 2)

/* ---- The server ---- */
bool stamps;                        /* live messages have their stanza-id, and nobody's else (`urn:xmpp:sid:0`) */
byte archived, gone;                /* messages that came, and how many of these have been dropped, oldest first */
byte slow;                          /* is in the archive, and not yet on its way to us */
byte excused;                       /* went from the archive before we could have them (a set) */
bool session, available;            /* it keeps a session; presence and carbons were asked for on it */
chan held = [MESSAGES] of { byte }; /* for us, on that session; not read */
chan taken = [MESSAGES] of { byte };/* read, and not yet durable: they come again after <resumed/> */

/* ---- The log, and the facts ---- */
mtype = { LIVE_NEW, LIVE_KNOWN, ARCHIVE_NEW, ARCHIVE_KNOWN, MOVED };
chan log = [ROOM] of { mtype, byte, byte };      /* kind, message, where the anchor may go */
byte stored, identified, live;      /* messages: all; those with their stanza-id; those of which a live copy came (sets) */
byte anchor;

/* ---- Memory ---- */
mtype = { ASK, ANNOUNCE, ASK_AGAIN, CAUGHT_UP };
mtype link = DOWN, phase = ASK;
byte cursor;                        /* the archive was read up to here */
bool isFirstPage;                   /* which is asked for by time */
byte mStored, mIdentified, mLive;   /* the facts and what has been appended */

/* ---- What the server does ---- */
inline deliver(n) {
  if
  :: available -> held!n
  :: else
  fi
}

proctype Server() {
  byte n;
end:
  do
  :: d_step { archived < MESSAGES && (slow == 0 || archived < slow + MARGIN) -> archived++; deliver(archived) }
  :: d_step { archived < MESSAGES && slow == 0 && available -> archived++; slow = archived }
  :: d_step { slow != 0 -> deliver(slow); slow = 0 }
  :: d_step { canFail && gone < archived -> faults++;
      gone++;
      if
      :: !has(stored, gone) -> excused = excused | bit(gone)
      :: else
      fi }
  :: d_step { canFail && session && link == DOWN -> faults++;
      session = false; available = false; slow = 0; emptied(held, n); emptied(taken, n); n = 0 }
  od
}

/* ---- What the daemon does ---- */
inline remember() { mStored = stored; mIdentified = identified; mLive = live }

inline ask() {
#ifdef WITHOUT_MARGIN
  cursor = anchor;
#else
  cursor = (anchor > MARGIN -> anchor - MARGIN - 1 : 0);
#endif
  isFirstPage = true
}

#ifdef WITHOUT_TRUSTED_IDS
#define hasID(n) (!isCarbon(n) && (stamps || isForged(n)))
#define claimed(n) (isForged(n) -> 2 : n)
#else
#define hasID(n) (!isCarbon(n) && stamps)
#define claimed(n) (n)
#endif
#ifdef WITHOUT_DOUBLES_BY_STANZA_ID
#define isIdentified(n) false
#else
#define isIdentified(n) has(mIdentified, n)
#endif
#ifdef WITHOUT_DOUBLES_BY_CONTENT
#define isLiveUnidentified(n) false
#define isArchivedOnly(n) false
#elif defined(WITHOUT_ID_BEFORE_CONTENT)
#define isLiveUnidentified(n) (mLive & sameContent(n))
#define isArchivedOnly(n) (mIdentified & ~mLive & sameContent(n))
#else
#define isLiveUnidentified(n) (mLive & ~mIdentified & bit(n))
#define isArchivedOnly(n) (mIdentified & ~mLive & bit(n))
#endif
#ifdef WITHOUT_NO_GAP
#define mayMove true
#else
#define mayMove (phase == CAUGHT_UP)
#endif

/* A live message, or a carbon. */
inline read(n) {
  held?n;
  taken!n;
  if
  :: (hasID(n) && isIdentified(claimed(n))) || (!hasID(n) && isArchivedOnly(n)) ->
    log!LIVE_KNOWN,n,(hasID(n) && mayMove -> n : 0)
  :: else ->
    log!LIVE_NEW,n,(hasID(n) && mayMove -> n : 0);
    mStored = mStored | bit(n);
    mIdentified = (hasID(n) -> mIdentified | bit(n) : mIdentified)
  fi;
  mLive = mLive | bit(n);
  n = 0
}

/* A page, and whether it is the last. */
inline page(n) {
  if
  :: cursor <= gone && !isFirstPage && cursor != 0 && cursor < archived ->      /* item-not-found */
#ifdef WITHOUT_ITEM_NOT_FOUND
    cursor = archived
#else
    isFirstPage = true
#endif
  :: else ->
    cursor = (cursor < gone -> gone : cursor);
    isFirstPage = false;
    if
    :: cursor < archived ->
      cursor++;
#ifdef WITHOUT_ANCHOR_LAST
      anchor = (cursor > anchor -> cursor : anchor);   /* in a file of its own */
#endif
      if
      :: isIdentified(cursor) || isLiveUnidentified(cursor) -> log!ARCHIVE_KNOWN,cursor,0
      :: else -> log!ARCHIVE_NEW,cursor,0; mStored = mStored | bit(cursor)
      fi;
      mIdentified = mIdentified | bit(cursor);
#ifndef WITHOUT_ANCHOR_LAST
      log!MOVED,0,cursor
#endif
    :: else
    fi;
#ifdef WITHOUT_TO_THE_END
    n = archived;
#else
    n = cursor;
#endif
    if
    :: n == archived && phase == ASK -> phase = ANNOUNCE
    :: n == archived && phase == ASK_AGAIN -> phase = CAUGHT_UP
    :: else
    fi
  fi;
  n = 0
}

/* A sync covers the next record. */
inline fold(kind, n, place) {
  log?kind,n,place;
  if
  :: kind == LIVE_NEW || kind == ARCHIVE_NEW ->
    promise(twice, !has(stored, n));
    stored = stored | bit(n)
  :: else
  fi;
  if
  :: kind == LIVE_NEW || kind == LIVE_KNOWN ->
    live = live | bit(n);
    identified = (hasID(n) -> identified | bit(n) : identified);
    if
    :: nempty(taken) -> taken?_
    :: empty(taken) /* the session is gone, and will not bring it again anyway */
    fi
  :: kind == ARCHIVE_NEW || kind == ARCHIVE_KNOWN -> identified = identified | bit(n)
  :: else
  fi;
  anchor = (place > anchor -> place : anchor);
  kind = 0; n = 0; place = 0
}

/* What was not durable never was; on that session it comes again. */
inline forget(kind, n, place) {
  do
  :: nempty(log) -> log?kind,n,place
  :: empty(log) -> break
  od;
  n = len(held);
  do
  :: n > 0 -> held?place; taken!place; n--
  :: else -> break
  od;
  do
  :: nempty(taken) -> taken?place; held!place
  :: empty(taken) -> break
  od;
  remember();
  link = DOWN; cursor = 0; isFirstPage = false;
  kind = 0; n = 0; place = 0
}

proctype Daemon() {
  mtype kind;
  byte n, place;
end:
  do
  :: d_step { link == DOWN && empty(log) ->
      link = UP;
      if
      :: !session -> session = true; phase = ASK
      :: else
      fi;
      if
      :: phase == ASK || phase == ASK_AGAIN -> ask()
      :: else
      fi }
  :: d_step { link == UP && (phase == ASK || phase == ASK_AGAIN) && len(log) + 2 <= ROOM -> page(n) }
  :: d_step { link == UP && phase == ANNOUNCE ->
      available = true;
#ifdef WITHOUT_ASKED_BEHIND_PRESENCE
      phase = CAUGHT_UP
#else
      phase = ASK_AGAIN
#endif
      }
  :: d_step { link == UP && nempty(held) && nfull(log) -> read(n) }
  :: d_step { nempty(log) -> fold(kind, n, place) }
  od
}

/* ---- What goes wrong ---- */
proctype Faults() {
  mtype kind;
  byte n, place;
end:
  do
  :: d_step { canFail && link == UP -> faults++; link = DOWN }
  :: d_step { canFail -> faults++; forget(kind, n, place);
#ifdef WITHOUT_ASKED_AFTER_RESTART
      phase = (session -> CAUGHT_UP : ASK)
#else
      phase = ASK
#endif
      }
  :: d_step { canFail && nempty(log) -> faults++; forget(kind, n, place);
#ifdef WITHOUT_GIVEN_UP_ASKED
      phase = (phase == CAUGHT_UP -> CAUGHT_UP : ASK)
#else
      phase = ASK
#endif
      }
  od
}

/* ---- When nothing can happen any more ---- */
proctype Judge() {
  calm;
  timeout;
  promise(lost, (stored | excused) == bit(MESSAGES + 1) - 2)
}

init {
  atomic {
    if
    :: stamps = true
    :: skip
    fi;
    run Server(); run Daemon(); run Faults(); run Judge()
  }
}
