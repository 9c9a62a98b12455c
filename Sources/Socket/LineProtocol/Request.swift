package import Clocks

/// A client's own mark on a request; comes back as given on every line of the answer.
package enum RequestTag: Hashable, Sendable {
  /// From the words form always, from JSON where it was a string.
  case string(String)
  /// From JSON where it was a whole number.
  case integer(Int64)

  fileprivate var byteCount: Int {
    if case .string(let text) = self { text.utf8.count } else { 0 }
  }
}

/// One well-formed request, from either form; what it means is the engine's business.
package struct Request: Equatable, Sendable {
  /// The verb's row in the table.
  package let row: VerbRow
  /// Only those given; the accessors know the defaults.
  package var options: NamedValues<OptionName>
  package var arguments: NamedValues<ArgumentName>
  /// nil: absent; an empty one was given as such.
  package var text: String?
  package var tag: RequestTag?
  /// `account=`, a name or a JID; not looked up here.
  package var account: String?

  package init(
    _ verb: Verb, options: NamedValues<OptionName> = [:], arguments: NamedValues<ArgumentName> = [:],
    text: String? = nil, tag: RequestTag? = nil, account: String? = nil
  ) {
    self.init(VerbTable[verb], options: options, arguments: arguments, text: text, tag: tag, account: account)
  }

  init(
    _ row: VerbRow, options: NamedValues<OptionName> = [:], arguments: NamedValues<ArgumentName> = [:],
    text: String? = nil, tag: RequestTag? = nil, account: String? = nil
  ) {
    self.row = row
    self.options = options
    self.arguments = arguments
    self.text = text
    self.tag = tag
    self.account = account
  }

  package var verb: Verb { row.verb }

  /// The kind of this request: `draft`, `nick` and `topic` without a text, and `encrypt` without a policy, only read.
  package var kind: VerbKind {
    if verb == .encrypt { return string(.policy) == nil ? .query : .command }
    return text == nil && [.draft, .nick, .topic].contains(verb) ? .query : row.kind
  }

  /// Bytes of memory while it waits, about: what every request has, and its texts.
  package var heldBytes: Int {
    512 + (text?.utf8.count ?? 0) + (tag?.byteCount ?? 0) + (account?.utf8.count ?? 0) + options.textBytes
      + arguments.textBytes
  }

  /// True if its answer may come out of order.
  package var mayOvertake: Bool {
    switch row.overtaking {
    case .never: false
    case .always: true
    case .with(let option): options[option] != nil
    }
  }
}

// MARK: - Values

extension Request {
  /// The option as given, or its default in the table; nil if there is neither.
  package func value(_ name: OptionName) -> Value? {
    options[name] ?? row.defaultValue(of: name)
  }

  /// A whole number: `limit`, `row`.
  package func integer(_ name: OptionName) -> Int? {
    if case .integer(let value) = value(name) { value } else { nil }
  }

  /// A message or a sequence number: `before`, `after`, `around`, and `since` of `watch` unless it is `now`.
  package func id(_ name: OptionName) -> UInt64? {
    if case .id(let value) = value(name) { value } else { nil }
  }

  /// `timeout`, `gap`.
  package func duration(_ name: OptionName) -> Interval? {
    if case .duration(let value) = value(name) { value } else { nil }
  }

  /// `since` and `until_time` of `history`.
  package func time(_ name: OptionName) -> Timestamp? {
    if case .time(let value) = value(name) { value } else { nil }
  }

  /// Words, JIDs, keys and choices.
  package func string(_ name: OptionName) -> String? {
    if case .string(let value) = value(name) { value } else { nil }
  }

  /// True if the option is set to `yes`.
  package func isSet(_ name: OptionName) -> Bool { value(name) == .string("yes") }

  /// True if the argument is required in this request.
  package func needs(_ argument: ArgumentRow) -> Bool {
    !argument.isOptional && !(argument.excludedBy.map(isSet) ?? false)
  }

  /// `kinds`.
  package func list(_ name: OptionName) -> [String]? {
    if case .list(let value) = value(name) { value } else { nil }
  }

  /// `emoji`
  package func list(_ name: ArgumentName) -> [String]? {
    if case .list(let value) = arguments[name] { value } else { nil }
  }

  /// `fields`
  package func fields(_ name: ArgumentName) -> [FieldValues]? {
    if case .fields(let value) = arguments[name] { value } else { nil }
  }

  /// `seq`
  package func integer(_ name: ArgumentName) -> Int? {
    if case .integer(let value) = arguments[name] { value } else { nil }
  }

  /// `to`, `jid`, `show`, `about`.
  package func string(_ name: ArgumentName) -> String? {
    if case .string(let value) = arguments[name] { value } else { nil }
  }

  /// `id`.
  package func id(_ name: ArgumentName) -> UInt64? {
    if case .id(let value) = arguments[name] { value } else { nil }
  }
}

extension Rights {
  /// True if a socket with these rights takes the request; the engine checks the recipient.
  package func allow(_ request: Request) -> Bool {
    switch self {
    case .full: true
    case .send: request.row.rights.contains(.send)
    case .read: request.row.rights.contains(.read) && request.kind != .command && request.options[.as] == nil
    }
  }

  /// The error of a request that these rights do not allow; the verb may be allowed in part.
  package func refusal(of request: Request) -> RequestFailure {
    guard request.row.rights.contains(self), request.options[.as] != nil else { return refusal(of: request.verb) }
    return RequestFailure(
      .notAllowed, "a socket with the right '\(rawValue)' may use \(request.verb.rawValue) only without as=",
      argument: "as")
  }

  /// The error of a verb that these rights do not allow.
  package func refusal(of verb: Verb) -> RequestFailure {
    RequestFailure(.notAllowed, "this socket may not use \(verb.rawValue): its right is '\(rawValue)'")
  }
}

/// Why a request was not taken, or could not be done; becomes one final line.
package struct RequestFailure: Error, Equatable, Sendable {
  package var code: ErrorCode
  /// A sentence for people.
  package var reason: String
  /// The argument or option it is about, by its name in JSON.
  package var argument: String?
  /// The position in a text, in Unicode scalars from 0.
  package var position: Int?
  /// The request's tag, where it could be read.
  package var tag: RequestTag?
  /// With `limit`: after how long the same request may be taken.
  package var retryAfter: Interval?
  /// With `too-large`: the most bytes that are taken.
  package var limit: UInt64?

  package init(
    _ code: ErrorCode, _ reason: String, argument: String? = nil, position: Int? = nil, tag: RequestTag? = nil
  ) {
    (self.code, self.reason, self.argument, self.position, self.tag) = (code, reason, argument, position, tag)
  }

  /// Returns this failure with the tag, unless it has one.
  func tagged(_ tag: RequestTag?) -> RequestFailure {
    var copy = self
    copy.tag = self.tag ?? tag
    return copy
  }
}
