/* Kept back, too late, taken back: a message with `hold=` and `expires=`, and a front end that may `cancel` it.
 *
 * Where `cancel` is answered `ok`, or the message failed because it expired, it never arrives; it is not handed to the
 * stream after its time; and what is neither taken back nor too late arrives. What the server has is known here, by
 * its `h`: where nobody can tell is in outbound.pml.
 *
 * RULE SYNC_BEFORE_OK  breaks untrue  `cancel` is answered when that it is taken back is durable
 * RULE CANCEL_BLOCKS   breaks untrue  from the request on, nothing hands the message to the stream
 * RULE LEFT_IS_LEFT    breaks untrue  what is on its way to the disk to leave is neither taken back nor too late
 * RULE LOOKED_AT_AGAIN breaks late    what has to go again is looked at whether its time is over
 * RULE TIMES_DURABLE   breaks late    its time is durable with the message
 * RULE RELEASE_GOES_ON breaks lost    what was kept back goes out, though the one who kept it has died
 *
 * FULL   -DFAULTS=4
 * SMALL  -DFAULTS=2
 * RULES  -DFAULTS=2
 */
#include "delivery.pml"

#define ROOM 6

/* ---- The log, and the facts ---- */
mtype = { QUEUED, RELEASED, PLACED, CANCELLED, EXPIRED, SENT, RETURNED };
chan log = [ROOM] of { mtype };
bool queued, held, placed, cancelled, expired, sent;

/* ---- Memory ---- */
mtype link = DOWN;
bool releasing, placing, cancelling, expiring;      /* on their way to the disk */
bool knowsTimes, keeps;                             /* what is forgotten without the rules */

/* ---- The world ---- */
bool asked, ok, okCancel;                           /* what the front end asked and was told */
bool expires, cancels;                              /* it was sent with `expires=`; the front end will `cancel` */
bool due, over;                                     /* it is kept back no longer; its time is over */
byte flying, copies;                                /* on its way to the server; there */

#define final (cancelled || expired || sent)

#ifdef WITHOUT_LEFT_IS_LEFT
#define left placed
#else
#define left (placed || placing)
#endif
#ifdef WITHOUT_CANCEL_BLOCKS
#define blocked expiring
#else
#define blocked (cancelling || expiring)
#endif
#ifdef WITHOUT_TIMES_DURABLE
#define isOver (over && knowsTimes)
#else
#define isOver over
#endif
#ifdef WITHOUT_RELEASE_GOES_ON
#define isDue (due && keeps)
#else
#define isDue due
#endif
#ifdef WITHOUT_LOOKED_AT_AGAIN
#define inTime (!isOver || sentOnce)
bool sentOnce;
#else
#define inTime !isOver
#endif

inline fold(record) {
  if
  :: record == QUEUED -> queued = true; held = true; ok = true; knowsTimes = true; keeps = true
  :: record == RELEASED -> releasing = false; held = false
  :: record == PLACED ->
    placing = false; placed = true;
    if
    :: link == UP -> flying++
    :: else
    fi
  :: record == CANCELLED -> cancelling = false; cancelled = true; okCancel = true
  :: record == EXPIRED -> expiring = false; expired = true
  :: record == SENT -> sent = true
  :: record == RETURNED -> placed = false
  fi
}

inline drop(record) {
  emptied(log, record);
  releasing = false; placing = false; cancelling = false; expiring = false;
  flying = 0; link = DOWN; record = 0
}

proctype Server() {
end:
  do
  :: d_step { flying > 0 ->
      flying--; copies++;
      promise(twice, copies <= 1);
      promise(untrue, !okCancel && !expired) }
  od
}

proctype Daemon() {
  mtype record;
end:
  do
  /* The front end. Without the rule it is told before the disk is. */
  :: d_step { !asked && nfull(log) -> asked = true; log!QUEUED }
  :: d_step { ok && cancels && !left && !final && !cancelling && !expiring && !okCancel && nfull(log) ->
      cancelling = true; log!CANCELLED;
#ifdef WITHOUT_SYNC_BEFORE_OK
      okCancel = true
#endif
    }
  /* Time. */
  :: d_step { queued && !due -> due = true }
  :: d_step { queued && expires && !over -> over = true }
  :: d_step { queued && held && isDue && !releasing && !cancelling && !expiring && !final && nfull(log) ->
      releasing = true; log!RELEASED }
  :: d_step { queued && isOver && !left && !final && !cancelling && !expiring && nfull(log) ->
      expiring = true; log!EXPIRED }
  /* The stream. */
  :: d_step { link == DOWN && empty(log) ->
      link = UP;
      if
      :: placed && !final && copies > 0 -> log!SENT
      :: placed && !final && copies == 0 -> log!RETURNED
      :: else
      fi }
  :: d_step { link == UP && queued && !held && !placed && !placing && !blocked && !final && inTime && nfull(log) ->
      placing = true; log!PLACED;
#ifdef WITHOUT_LOOKED_AT_AGAIN
      sentOnce = true;
#endif
      promise(late, !over) }
  :: d_step { link == UP && placed && copies > 0 && !final && empty(log) -> log!SENT }
  /* The disk. */
  :: d_step { nempty(log) -> log?record; fold(record); record = 0 }
  /* What goes wrong: a cut, a failed write, a crash. */
  :: d_step { canFail && link == UP -> faults++; flying = 0; link = DOWN }
  :: d_step { canFail && nempty(log) -> faults++; drop(record); asked = queued }
  :: d_step { canFail && asked -> faults++; drop(record); asked = queued; knowsTimes = false; keeps = false }
  od
}

/* From some moment on nothing goes wrong: when nothing can happen any more, it is there, or nobody waits for it. */
proctype Judge() {
  atomic { ok -> calm };
  timeout;
  promise(lost, copies == 1 || cancelled || expired)
}

init {
  atomic {
    if
    :: expires = true
    :: cancels = true
    :: expires = true; cancels = true
    :: skip
    fi;
    run Server(); run Daemon(); run Judge()
  }
}
