import Bytes

/// A stored session with other parts than it had: fields of Protocol Buffers are copied as they are, but those of one
/// number.
enum RecordEditing {
  /// Replaces each field `number` of a message by what `edit` makes of its content; nil removes it.
  static func map(
    _ number: UInt32, of message: ArraySlice<UInt8>, _ edit: (ArraySlice<UInt8>) -> [UInt8]?
  ) -> [UInt8] {
    let bytes = Array(message)
    return rewrite(number, of: bytes) { reader, writer throws(FieldError) in
      if let content = edit(bytes[try reader.range()]) { writer.bytes(number, content) }
    }
  }

  /// Sets a field that is a number.
  static func set(_ number: UInt32, to value: UInt32, of message: ArraySlice<UInt8>) -> [UInt8] {
    rewrite(number, of: Array(message)) { _, writer in writer.uint(number, UInt64(value)) }
  }

  /// Copies a message, but for the fields `number`, which `write` writes.
  private static func rewrite(
    _ number: UInt32, of bytes: [UInt8], _ write: (borrowing FieldReader, inout FieldWriter) throws(FieldError) -> Void
  ) -> [UInt8] {
    let edited = try? FieldReader.read(bytes) { reader throws(FieldError) in
      var writer = FieldWriter()
      while reader.bytesLeft > 0 {
        let start = bytes.count - reader.bytesLeft
        guard let found = try reader.next() else { break }
        if found == number {
          try write(reader, &writer)
        } else {
          writer.bytes += bytes[start..<bytes.count - reader.bytesLeft]
        }
      }
      return writer.bytes
    }
    return edited ?? bytes
  }

  /// Makes the state with a base key the present one, and all others older ones.
  static func putting(first baseKey: ArraySlice<UInt8>, in record: [UInt8]) -> [UInt8] {
    guard let layout = RecordLayout(record),
      let index = layout.states.firstIndex(where: { record[$0.baseKey] == baseKey }), index > 0
    else { return record }
    var states: [[UInt8]] = []
    for number in [1, 2] as [UInt32] {
      _ = map(number, of: record[...]) { state in
        states.append(Array(state))
        return nil
      }
    }
    states.insert(states.remove(at: index), at: 0)
    var writer = FieldWriter()
    for (place, state) in states.enumerated() { writer.bytes(place == 0 ? 1 : 2, state) }
    return writer.bytes
  }

  /// Edits the receiving chains of all states.
  static func mapReceivers(of record: [UInt8], _ edit: (ArraySlice<UInt8>) -> [UInt8]) -> [UInt8] {
    let present = map(1, of: record[...]) { map(7, of: $0, edit) }
    return map(2, of: present[...]) { map(7, of: $0, edit) }
  }
}

extension RatchetSession {
  /// Takes the skipped keys out of a record of the library.
  static func split(_ record: [UInt8]) throws(RatchetError) -> (core: [UInt8], skipped: [SkippedKey]) {
    guard let layout = RecordLayout(record) else { throw .failed(code: 0) }
    guard layout.hasMessageKeys else { return (record, []) }
    var skipped: [SkippedKey] = []
    for state in layout.states {
      for chain in state.receivers {
        let id = state.chain(chain, in: record)
        skipped += chain.messageKeys.compactMap {
          SkippedKey(id: .init(chain: id, counter: $0.counter), key: $0.parts.flatMap { record[$0] })
        }
      }
    }
    return (RecordEditing.mapReceivers(of: record) { RecordEditing.map(4, of: $0) { _ in nil } }, skipped)
  }

  /// The core with the length of our previous chain in it, if the step from `before` began another one. The library writes
  /// one less, as the Signal protocol's have always done and do not read; others, which read it (XEP-0384, section 4.3:
  /// the length), would miss the last message of the chain if it comes late.
  static func core(_ core: [UInt8], countingPreviousChainOf before: RatchetSession?) -> [UInt8] {
    guard let before, let state = RecordLayout(core)?.states.first,
      let old = before.layout.states.first(where: { before.core[$0.baseKey] == core[state.baseKey] }),
      before.core[old.sender.ratchetKey] != core[state.sender.ratchetKey]
    else { return core }
    return RecordEditing.map(1, of: core[...]) { RecordEditing.set(5, to: old.sender.index, of: $0) }
  }

  /// The record of the library with these skipped keys, which are of the present state or of older ones.
  func record(with keys: [SkippedKey]) -> [UInt8] {
    guard !keys.isEmpty else { return core }
    var states = layout.states[...]
    let present = RecordEditing.map(1, of: core[...]) { state in add(keys, to: state, of: states.popFirst()) }
    return RecordEditing.map(2, of: present[...]) { state in add(keys, to: state, of: states.popFirst()) }
  }

  private func add(_ keys: [SkippedKey], to state: ArraySlice<UInt8>, of layout: StateLayout?) -> [UInt8] {
    guard let layout else { return Array(state) }
    var chains = layout.receivers[...]
    return RecordEditing.map(7, of: state) { chain in
      var writer = FieldWriter(appendingTo: Array(chain))
      guard let id = chains.popFirst().map({ layout.chain($0, in: core) }) else { return writer.bytes }
      for key in keys where key.chain == id { writer.messageKey(key) }
      return writer.bytes
    }
  }
}

extension StateLayout {
  /// The name of one of its receiving chains.
  func chain(_ chain: ChainLayout, in record: [UInt8]) -> SkippedKey.Chain {
    SkippedKey.Chain(
      baseKey: CurveKey(checked: record[baseKey]), ratchetKey: CurveKey(checked: record[chain.ratchetKey]))
  }
}

extension FieldWriter {
  fileprivate mutating func messageKey(_ skipped: SkippedKey) {
    message(4) { writer in
      writer.uint(1, UInt64(skipped.counter))
      writer.bytes(2, skipped.key.prefix(32))
      writer.bytes(3, skipped.key.dropFirst(32).prefix(32))
      writer.bytes(4, skipped.key.dropFirst(64))
    }
  }
}
