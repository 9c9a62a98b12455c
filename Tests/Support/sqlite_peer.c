// The peer of pages in `make bench`: it answers on the Unix socket that is its standard input with 50 messages out of
// SQLite, found by key, as lines of JSON. It knows one question: a row's number.
//
// usage: sqlite_peer make FILE COUNT
//        sqlite_peer serve FILE
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define CONVERSATIONS 300
#define FIRST_TIME 1600000000000LL
#define STEP 60000LL

static sqlite3 *database;

static void check(int is_good, const char *what) {
  if (is_good) return;
  fprintf(stderr, "sqlite_peer: %s: %s\n", what, database != NULL ? sqlite3_errmsg(database) : "");
  exit(1);
}

static void run(const char *statement) { check(sqlite3_exec(database, statement, NULL, NULL, NULL) == SQLITE_OK, statement); }

static sqlite3_stmt *prepare(const char *text) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v2(database, text, -1, &statement, NULL) == SQLITE_OK, text);
  return statement;
}

// Every second message is in conversation 0, and message 2n is its row n.
static void make(long count) {
  run("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;"
      "CREATE TABLE message (id INTEGER PRIMARY KEY, conversation INTEGER, time INTEGER, mine INTEGER, peer TEXT,"
      " stanza TEXT, text TEXT); CREATE INDEX page ON message (conversation, time, id); BEGIN");
  sqlite3_stmt *insert = prepare("INSERT INTO message VALUES (?, ?, ?, ?, 'friend@people.example/phone', ?, ?)");
  char stanza[32], text[256];
  srandom(1);
  for (long id = 0; id < count; id++) {
    int length = 20 + random() % 121;
    memset(text, 'a' + id % 26, length);
    snprintf(stanza, sizeof stanza, "stanza-%016lx", id);
    sqlite3_bind_int64(insert, 1, id);
    sqlite3_bind_int64(insert, 2, id % 2 == 0 ? 0 : 1 + random() % (CONVERSATIONS - 1));
    sqlite3_bind_int64(insert, 3, FIRST_TIME + id * STEP);
    sqlite3_bind_int64(insert, 4, id % 3 == 0);
    sqlite3_bind_text(insert, 5, stanza, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 6, text, length, SQLITE_STATIC);
    check(sqlite3_step(insert) == SQLITE_DONE, "insert");
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  run("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
}

static size_t write_message(char *line, size_t room, sqlite3_stmt *row) {
  sqlite3_int64 milliseconds = sqlite3_column_int64(row, 1);
  time_t seconds = milliseconds / 1000;
  struct tm date;
  char time[32];
  strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &date));
  return snprintf(
      line, room,
      "{\"message\":{\"id\":%lld,\"conversation\":\"friend@people.example\",\"account\":\"alice\",\"time\":\"%s.%03lldZ\","
      "\"direction\":\"%s\",\"from\":\"%s\",\"stanza_id\":\"%s\",\"delivery\":\"received\",\"text\":\"%s\"}}\n",
      sqlite3_column_int64(row, 0), time, milliseconds % 1000, sqlite3_column_int(row, 2) ? "out" : "in",
      sqlite3_column_text(row, 3), sqlite3_column_text(row, 4), sqlite3_column_text(row, 5));
}

static size_t answer(sqlite3_stmt *page, long long row, char *lines, size_t room) {
  size_t length = 0;
  sqlite3_bind_int64(page, 1, FIRST_TIME + 2 * row * STEP);
  sqlite3_bind_int64(page, 2, 2 * row);
  while (sqlite3_step(page) == SQLITE_ROW) length += write_message(lines + length, room - length, page);
  sqlite3_reset(page);
  return length + snprintf(lines + length, room - length, "{\"ok\":true}\n");
}

static void serve(void) {
  sqlite3_stmt *page = prepare(
      "SELECT id, time, mine, peer, stanza, text FROM message WHERE conversation = 0 AND (time, id) >= (?, ?)"
      " ORDER BY time, id LIMIT 50");
  static char lines[1 << 20];
  char question[64];
  for (ssize_t got; (got = recv(0, question, sizeof question - 1, 0)) > 0;) {
    question[got] = 0;
    size_t length = answer(page, atoll(question), lines, sizeof lines);
    if (send(0, lines, length, MSG_NOSIGNAL) != (ssize_t)length) break;
  }
}

int main(int count, char **arguments) {
  int makes = count == 4 && strcmp(arguments[1], "make") == 0;
  if (!makes && !(count == 3 && strcmp(arguments[1], "serve") == 0)) {
    fprintf(stderr, "usage: sqlite_peer make FILE COUNT | sqlite_peer serve FILE\n");
    return 64;
  }
  check(sqlite3_open(arguments[2], &database) == SQLITE_OK, arguments[2]);
  if (makes) make(atol(arguments[3])); else serve();
  return 0;
}
