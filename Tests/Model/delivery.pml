/* Who acknowledges what: what the models of this folder have in common.
 *
 * Confab promises that what was answered `ok`, and what was acknowledged to the server, is never lost, and that nothing
 * is sent or shown twice while the server can tell. The models say which rules keep that promise, and spin looks at
 * every order of events within the bounds. Each model is checked whole, and once without each of its rules
 * (-DWITHOUT_...), which must break a promise: so no rule is there for nothing. `make model` does it all.
 *
 *   inbound.pml   the server hands us messages; there is no archive, only offline storage (XEP-0160)
 *
 * What follows is the faults, and what they do to the daemon's log. A record is appended to `log`, becomes
 * durable when a sync takes it out, in order, and only then leads to anything. A crash or a failed write loses what is
 * still in the queue; since a sync takes records one at a time, every torn batch is among the cases. */

#ifndef CRASHES
#define CRASHES 1               /* kill -9, or the power goes: nothing but the durable facts is left */
#endif
#ifndef CUTS
#define CUTS 2                  /* the connection goes; either side learns of it late, and bytes on their way may be lost */
#endif
#ifndef FAILURES
#define FAILURES 1              /* a write or a sync fails */
#endif
#ifndef EXPIRIES
#define EXPIRIES 1              /* the server forgets a session that nobody resumed; a server that restarts does the same */
#endif

byte crashes, cuts, failures, expiries;
bool calm;                      /* from now on nothing goes wrong: what is not there at the end never comes */

/* The promises: what breaks one sets its flag. */
bool lost, twice, forgotten, refused;
#ifndef BROKEN
#define BROKEN (lost || twice || forgotten || refused)
#endif
#define promise(flag, holds) flag = flag || !(holds); assert(!BROKEN)

mtype = { DOWN, UP, DYING };    /* the connection as the daemon knows it: DYING is cut, and it has not noticed */

#define bit(n) (1 << (n))
#define has(set, n) ((set) & bit(n))

inline emptied(queue, item) {
  do
  :: nempty(queue) -> queue?item
  :: empty(queue) -> break
  od
}
