import TestSupport

/// `import`: `confab import` of ten messages for each of the burst, a million by default, into an empty log and again into
/// the one that has them: a database of profanity, and logs of mcabber, which have no ids.
enum ImportWorkload {
  private static let conversations = 200

  static func run(_ bench: Bench) throws {
    let count = bench.count * 10
    for client in ["profanity", "mcabber"] {
      let history = try bench.data.makeFolder("import-" + client)
      let made = try Program.run(
        ["/usr/bin/python3", "-c", maker, client, history, "\(count)", "\(conversations)"], until: .seconds(600))
      guard made.status == .exited(0) else { throw TestFailure("the history of \(client): \(made.errorText)") }
      let command = [
        bench.confab, "import", client, history, "--data", bench.data.file("imported-" + client), "--account=home",
        "--jid=alice@example.org",
      ]
      let first = try TimedProgram.run(command).cpu
      let again = try TimedProgram.run(command).cpu
      bench.report("\(client): CPU a message", first / Double(count), "us", note: "(at most 40; \(count) messages)")
      bench.report("\(client) again: CPU a message", again / Double(count), "us")
    }
  }

  /// Writes a history as the client does: a message each 7 s, in all conversations in turn, one of three of them mine.
  private static let maker = """
    import sqlite3, sys, time
    client, folder, count, conversations = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    words = "the quick brown fox jumps over the lazy dog and runs away from the moonlit river".split()
    def messages():
        for n in range(count):
            text = " ".join(words[n * k % len(words)] for k in range(1, 3 + n % 11)) + f" {n}"
            yield n, f"person{n % conversations}@example.org", n % 3 == 0, 1500000000 + 7 * n, text
    if client == "profanity":
        database = sqlite3.connect(folder + "/chatlog.db")
        database.execute("CREATE TABLE ChatLogs (id INTEGER PRIMARY KEY AUTOINCREMENT, from_jid TEXT NOT NULL, "
            "to_jid TEXT NOT NULL, from_resource TEXT, to_resource TEXT, message TEXT, timestamp TEXT, type TEXT, "
            "stanza_id TEXT, archive_id TEXT, replace_id TEXT, encryption TEXT, marked_read INTEGER)")
        me = "alice@example.org"
        rows = ((me if mine else who, who if mine else me, "phone", "", text,
            time.strftime("%Y-%m-%dT%H:%M:%S.000000Z", time.gmtime(at)), "chat", f"{n:032x}", f"a{n:015x}", "", "none", None)
            for n, who, mine, at, text in messages())
        database.executemany("INSERT INTO ChatLogs (from_jid, to_jid, from_resource, to_resource, message, timestamp, "
            "type, stanza_id, archive_id, replace_id, encryption, marked_read) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", rows)
        database.commit()
    else:
        logs = {}
        for n, who, mine, at, text in messages():
            logs.setdefault(who, []).append(
                f"M{'S' if mine else 'R'} {time.strftime('%Y%m%dT%H:%M:%SZ', time.gmtime(at))} 000 {text}\\n")
        for who, lines in logs.items(): open(folder + "/" + who, "w").writelines(lines)
    """
}
