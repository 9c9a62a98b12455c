import Bytes
import Records

/// Hidden histories of an account, by bare JID or domain.
package struct Forgotten: Sendable {
  /// The hidden part of one.
  package struct History: Sendable, Equatable {
    /// The record that hid all messages before it.
    package var last: UInt64
    /// Messages that the archive stamped up to this time were stored here, or are unwanted: milliseconds since 1970;
    /// nil: unknown.
    package var archive: Int64?
    /// When that was, by our clock: milliseconds since 1970; nil: a version wrote it that did not say.
    package var time: Int64?
    /// For a domain: bare JIDs that were no strangers, each with the record up to which it had been forgotten before.
    package var spared: [String: UInt64] = [:]
    /// True if a later record may hold something that `forget-history` would hide, or scrubbing erase.
    package var mayHaveNewer = true

    /// For a domain: records of this JID with smaller numbers are hidden.
    func last(of jid: String) -> UInt64 { spared[jid] ?? last }
  }

  private(set) var byJID: [String: History] = [:]

  /// Nothing is hidden.
  package var isEmpty: Bool { byJID.isEmpty }

  package internal(set) subscript(jid: String) -> History? {
    get { byJID[jid] }
    set { byJID[jid] = newValue }
  }

  /// True if a message of a conversation is hidden from every answer.
  package func hides(_ id: UInt64, of jid: String) -> Bool { byJID[jid].map { id < $0.last } ?? false }

  /// True if a record other than a message, which names a bare JID, is to be erased: the JID was forgotten later, or
  /// its domain was while the JID was a stranger.
  package func hidesTraces(of jid: String, _ id: UInt64) -> Bool {
    hides(id, of: jid) || Self.domain(of: jid).flatMap { byJID[$0] }.map { id < $0.last(of: jid) } ?? false
  }

  /// True if a bare JID was ever forgotten, alone or as a stranger of its domain.
  package func has(_ jid: String) -> Bool { hidesTraces(of: jid, 0) }

  /// Hides what there is of a bare JID or domain.
  ///
  /// - Parameter known: the bare JIDs of whom is no stranger.
  mutating func apply(_ forgetting: ForgettingRecord, sequence: UInt64, known: Set<String>) {
    let before = byJID[forgetting.jid]
    let spared = forgetting.jid.contains("@") ? [] : known.filter { Self.domain(of: $0) == forgetting.jid }
    byJID[forgetting.jid] = History(
      last: sequence, archive: forgetting.archive, time: forgetting.time,
      spared: Dictionary(uniqueKeysWithValues: spared.map { ($0, before?.last(of: $0) ?? 0) }), mayHaveNewer: false)
  }

  /// Time at which a bare JID was forgotten last, alone or with its domain: milliseconds since 1970; nil if never, or
  /// unknown.
  func time(of jid: String) -> Int64? {
    let domain = Self.domain(of: jid).flatMap { byJID[$0] }.flatMap { $0.spared[jid] == nil ? $0 : nil }
    return [byJID[jid], domain].compactMap { $0?.time }.max()
  }

  /// A record has something of a conversation, which may have been forgotten before.
  mutating func noteNewer(_ jid: String) {
    if !isEmpty { byJID[jid]?.mayHaveNewer = true }
  }

  /// A record that is no message has something of somebody: the same, and the domain may have been forgotten before.
  mutating func noteTraces(of jid: String) {
    noteNewer(jid)
    if !isEmpty, let domain = Self.domain(of: jid) { byJID[domain]?.mayHaveNewer = true }
  }

  /// The domain of a bare JID; nil if it is one.
  static func domain(of jid: String) -> String? {
    jid.lastIndex(of: "@").map { String(jid[jid.index(after: $0)...]) }
  }
}

// In a checkpoint: 2 bare JID, 3 the record, 4 the archive's time, 5 nothing has come since, 6 our time, 7 who is
// spared (1 bare JID, 2 the record).
extension Forgotten.History {
  func write(_ jid: String, into writer: inout FieldWriter) {
    writer.string(2, jid)
    writer.uint(3, last)
    if let archive { writer.int(4, archive) }
    if !mayHaveNewer { writer.uint(5, 1) }
    if let time { writer.int(6, time) }
    for (jid, last) in spared.sorted(by: { $0.key < $1.key }) {
      writer.message(7) {
        $0.string(1, jid)
        $0.uint(2, last)
      }
    }
  }

  mutating func take(_ field: UInt32, _ reader: borrowing FieldReader) throws(FieldError) {
    switch field {
    case 3: last = try reader.uint()
    case 4: archive = try reader.int()
    case 5: mayHaveNewer = try reader.uint(UInt32.self) == 0
    case 6: time = try reader.int()
    case 7: try takeSpared(reader)
    default: break
    }
  }

  private mutating func takeSpared(_ reader: borrowing FieldReader) throws(FieldError) {
    var (jid, last): (String, UInt64) = ("", 0)
    try reader.message { inner throws(FieldError) in
      while let field = try inner.next() {
        if field == 1 { jid = try inner.string() }
        if field == 2 { last = try inner.uint() }
      }
    }
    spared[jid] = last
  }
}

extension PayloadRecord {
  /// The bare JIDs that the stanza names; a domain and our own JID only as its sender, since servers name themselves in
  /// other stanzas too, and all stanzas name us.
  func jids(besides own: String) -> [String] {
    let words = String(decoding: xml, as: UTF8.self).split { $0 == "'" || $0 == "\"" || $0 == "/" }
    return zip([""] + words, words).compactMap { before, word in
      word.contains("@") && word != own || before.hasSuffix(" from=") ? String(word) : nil
    }
  }
}
