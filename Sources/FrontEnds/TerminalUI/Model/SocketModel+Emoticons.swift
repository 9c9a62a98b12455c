import LineProtocol

/// Emoticons: packs, searches, those that were used last.
extension SocketModel {
  /// Asks for emoticons, unless they are here.
  package mutating func need(_ list: EmoticonList) {
    guard link == .connected, emoticons.lacks(list) else { return }
    emoticons.ask(list)
    ask(list.request, .emoticons(list))
  }

  package mutating func closeEmoticons() { emoticons.putAway() }

  /// An emoticon was put into a text.
  package mutating func useEmoticon(_ code: String) {
    tell(Request(.emoticonUsed, arguments: [.code: .string(code)]))
  }
}

extension EmoticonList {
  /// The request for it.
  fileprivate var request: Request {
    var request = Request(.emoticons)
    switch self {
    case .packs: break
    case .recent: request.arguments[.list] = .string("recent")
    case .pack(let name): request.options[.pack] = .string(name)
    case .matches(let text):
      request.options[.match] = .string(text)
      request.options[.limit] = .integer(200)
    }
    return request
  }
}
