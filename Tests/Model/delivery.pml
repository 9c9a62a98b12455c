/* Who acknowledges what: what the models of this folder have in common.
 *
 * Confab promises that what was answered `ok`, and what was acknowledged to the server, is never lost, and that nothing
 * is sent or shown twice while the server can tell. The models say which rules keep that promise, and spin looks at
 * every order of events within the bounds. Each model is checked whole, and once without each of its rules
 * (-DWITHOUT_...), which must break a promise: so no rule is there for nothing. `make model` does it all.
 *
 *   inbound.pml   the server hands us messages; there is no archive, only offline storage (XEP-0160)
 *   outbound.pml  a front end sends; stream management (XEP-0198), then the archive, tell what the server has
 *   archive.pml   the archive (XEP-0313) tells what came while we were away, and what a second device did (XEP-0280)
 *   keeping.pml   a message that is kept back, expires, or is taken back before it has left
 *   storage.pml   the log on a disk, and the front end that asks again: failed syncs, killed processes, power cuts
 *
 * Why several models, and not one: README.md in this folder.
 *
 * Except in storage.pml the daemon's log is a queue: a record is appended, becomes durable when a sync takes it out, in
 * order, and only then leads to anything. A crash or a failed write loses what is still in the queue. Since a sync takes
 * records one at a time, every torn batch is among the cases. What follows is common to all. */

/* What goes wrong, in any mixture and at any step: a crash, a cut of the connection (each side learns of it late), a
 * session that the server forgets, a failed write. */
#ifndef FAULTS
#define FAULTS 3
#endif
byte faults;
#define canFail (faults < FAULTS)
/* From now on nothing goes wrong: what does not come about then never will. */
#define calm faults = FAULTS

/* The promises: what breaks one sets its flag. */
bool lost, twice, forgotten, refused, unmarked, disorder, untrue, late;
#ifndef BROKEN
#define BROKEN (lost || twice || forgotten || refused || unmarked || disorder || untrue || late)
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
