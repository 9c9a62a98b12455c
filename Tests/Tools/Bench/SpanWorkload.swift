import Glibc
import MarkedText
import TestSupport

/// `spans`: links, mentions, topics, emoticons and styling in 16 MiB of mixed texts, with the codes of 3,000 emoticons; beside
/// `rg --count-matches -F -j1` for the codes alone over the same texts, a line each.
enum SpanWorkload {
  private static let runs = 5
  private static let byteCount = 16 << 20
  private static let codeCount = 3_000

  static func run(_ bench: Bench) throws {
    let codes = try codes()
    let emoticons = PhraseTable(codes.map { (phrase: $0, target: "x") })
    let texts = texts(codes)
    let (file, patterns) = (bench.data.file("span-texts"), bench.data.file("span-codes"))
    try TestFiles.write(file, Array((texts.joined(separator: "\n") + "\n").utf8))
    try TestFiles.write(patterns, Array((codes.joined(separator: "\n") + "\n").utf8))
    var (ours, theirs, found): ([Double], [Double], Int) = ([], [], 0)
    for _ in 0..<runs {
      theirs.append(try TimedProgram.run(["rg", "--count-matches", "-F", "-j1", "-f", patterns, file]).cpu)
      let start = cpu
      found = texts.reduce(0) { $0 + MarkedText.spans(of: $1, emoticons: emoticons, names: names).count }
      ours.append(cpu - start)
    }
    let megabytes = Double(texts.reduce(0) { $0 + $1.utf8.count }) / 1e6
    bench.report("spans", Double(found), "", note: "(in \(texts.count) texts)")
    bench.report("rg --count-matches -F -j1, 3,000 codes", megabytes / (theirs.median / 1e6), "MB/s")
    bench.report("all spans", megabytes / (ours.median / 1e6), "MB/s")
    bench.report("ratio of CPU", ours.median / theirs.median, "")
  }

  private static let names = MentionTable([
    ("Alice", "alice@example.org"), ("Bob", "bob@example.org"), ("小明", "ming@example.org"),
  ])

  /// Microseconds of this thread.
  private static var cpu: Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }

  /// Codes of both packs that are shipped.
  private static func codes() throws -> [String] {
    let packs = try ["emoji", "emoji-zh"].map { name in
      let path = Products.repository + "/config/emoticons/\(name).json"
      let text = try TestFiles.text(path) ?? { throw TestFailure("no \(path)") }()
      return try PackContent(Array(text.utf8), name: name).emoticons.prefix(codeCount / 2).map(\.code)
    }
    return packs.flatMap(\.self)
  }

  /// One text in ten has an emoticon, one in ten something else, as people write.
  private static func texts(_ codes: [String]) -> [String] {
    let plain = [
      "I will be there in ten minutes, or so; don't wait with the food.", "今天 天气 很好，我们去公园吧。",
      "Привет, как дела? Да, хорошо.",
      "ok", "that is what she said, and I (almost) believed it: at 5:30 pm",
      "Ja, natürlich, schöne Grüße auch von Anna!",
    ]
    let special = [
      "see https://example.org/wiki/Page_(disambiguation)?id=17#top for more.", "*really* good, _honestly_",
      "@Bob can you look?",
      "#今天 天气# 很好", "> quoted text\nand an answer", "run `make test` first", "write to alice@example.org",
    ]
    var (texts, size, number) = ([String](), 0, 0)
    while size < byteCount {
      var text = plain[number % plain.count]
      if number % 10 == 3 { text += " " + codes[number * 7 % codes.count] }
      if number % 10 == 7 { text += " " + special[number / 10 % special.count] }
      texts.append(text)
      (size, number) = (size + text.utf8.count, number + 1)
    }
    return texts
  }
}
