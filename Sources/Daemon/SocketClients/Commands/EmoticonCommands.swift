import ConfabAccounts
import JSON
import LineProtocol
import MarkedText
import Records
import ConfabConfiguration
import State

/// `emoticons` and `emoticon-used`.
extension Command {
  static let emoticons: [Verb: Handler] = [
    .emoticons: { try $0.listEmoticons() },
    .emoticonUsed: { try $0.useEmoticon() },
  ]

  private func listEmoticons() throws(RequestFailure) {
    guard let emoticons = context.emoticons.all else { return answerOK() }
    if request.string(.list) != nil {
      try refuseOptionsOfRecent()
      answer(emoticons: context.state.recentEmoticons.codes.compactMap(emoticons.emoticon))
    } else if let name = request.string(.pack) {
      guard let pack = emoticons.pack(named: name) else {
        throw RequestFailure(.notFound, "no pack is named \(name)", argument: "pack")
      }
      answer(emoticons: emoticons.emoticons(of: pack))
    } else if let text = request.string(.match) {
      answer(emoticons: emoticons.search(text, limit: request.integer(.limit) ?? 50))
    } else {
      answer(emoticons.packs.flatMap { pack in request.data("pack") { pack.write(into: &$0) } } + request.ok())
    }
  }

  private func refuseOptionsOfRecent() throws(RequestFailure) {
    for option in [OptionName.pack, .match] where request.string(option) != nil {
      throw RequestFailure(
        .badArgument, "\(option.rawValue)= and recent exclude each other", argument: option.rawValue)
    }
  }

  private func answer(emoticons: some Sequence<Emoticon>) {
    var writer = JSONWriter()
    for emoticon in emoticons { Answer.data("emoticon", request.tag, into: &writer) { emoticon.write(into: &$0) } }
    Answer.ok(request.tag, into: &writer)
    answer(writer.bytes)
  }

  private func useEmoticon() throws(RequestFailure) {
    try context.checkStorage()
    let code = request.string(.code) ?? ""
    guard context.emoticons.all?.emoticon(code) != nil else {
      throw RequestFailure(.notFound, "no emoticon has the code \(code)", argument: "code")
    }
    store(.emoticonUsed(EmoticonUsedRecord(code: code)))
  }
}

extension Request {
  /// True if the answer or the events have emoticons or texts, with their spans.
  var needsEmoticons: Bool {
    switch verb {
    case .emoticons, .emoticonUsed, .history, .search, .conversations, .watch: true
    default: string(.emoticons) != nil
    }
  }
}

extension EmoticonPack {
  fileprivate func write(into writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("title", title)
    writer.member("count", count)
  }
}

extension Emoticon {
  fileprivate func write(into writer: inout JSONWriter) {
    writer.member("code", code)
    switch meaning {
    case .text(let text): writer.member("text", text)
    case .picture(let path): writer.member("picture", path)
    }
    writer.member("name", name)
  }
}

/// The packs of emoticons, which are read when they are first needed.
final class LoadedEmoticons {
  /// nil until they are read.
  private(set) var all: Emoticons?
  private var isAsked = false

  /// True if they are read. If not, asks for them to be read; requests that wait for them continue then.
  func areRead(_ effects: Effects) -> Bool {
    if all == nil, !isAsked {
      isAsked = true
      effects.act(.readEmoticons)
    }
    return all != nil
  }

  /// Writes the spans of the texts of a conversation in which these are known by name.
  func spanWriter(naming names: [(name: String, target: String)]) -> (String, Bool, inout JSONWriter) -> Void {
    let marks = KnownMarks(emoticons: all?.table ?? PhraseTable(), names: names)
    return { $2.member(spans: marks.spans(of: $0, isStyled: $1)) }
  }

  /// The packs were read.
  func take(_ emoticons: Emoticons, _ problems: [String], _ effects: Effects) {
    for problem in problems { effects.journal(.warning, problem) }
    let (packs, codes) = (emoticons.packs.count, emoticons.codeCount)
    effects.journal(
      .info, "read \(packs) packs of emoticons: \(codes) codes, \(emoticons.byteCount >> 10) KiB of memory")
    all = emoticons
    effects.act(.releaseMemory)
  }
}
