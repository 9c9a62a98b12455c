import Bytes
import MessageLog
import TestSupport

/// A script of damages to a sound log of several segments; the first byte says whether checksums are put right behind
/// them, as a clever attacker would. The log is opened, read and written to as the daemon does it.
@Sendable func fuzzLog(_ bytes: [UInt8]) {
  var script = Script(bytes)
  let mode = script.byte()
  var content = sound
  while !script.isOver { damage(&content, &script) }
  if mode & 1 != 0 {
    for id in content.segments.keys { content.segments[id].map { content.segments[id] = mended($0) } }
  }
  let storage = MemoryStorage(content)
  guard let first = open(storage) else { return }
  for (number, text) in first.read where mode & 1 == 0 {
    hold(text == "record \(number)", "record \(number) is as it was written: \(text)")
  }
  var writer = first.log.makeWriter(uuid: uuid, segmentSize: 300)
  checkReaders(storage, first.log.index)
  let added = append(["new", "newer"], &writer, storage)
  guard let second = open(storage) else { return hold(false, "what could be opened can be opened again") }
  for (number, text) in zip(added, ["new", "newer"]) {
    hold(second.read[number] == text, "what was added is read: \(number)")
  }
  // Where checksums are forged, what is added may make another reading of the rest the likelier one.
  for (number, text) in first.read where mode & 1 == 0 {
    hold(second.read[number] == text, "record \(number) is still there")
  }
}

private let uuid = {
  guard let uuid = LogUUID(random: [UInt8](repeating: 7, count: 16)) else { preconditionFailure("16 bytes are a UUID") }
  return uuid
}()

/// Records 1 to 12 in segments of about 300 bytes, and a checkpoint as of record 4.
private let sound: MemoryStorage.Content = {
  let storage = MemoryStorage()
  guard let opened = open(storage) else { preconditionFailure("an empty log opens") }
  var writer = opened.log.makeWriter(uuid: uuid, segmentSize: 300)
  for number in 1...12 {
    _ = append(["record \(number)"], &writer, storage)
    guard number == 4 else { continue }
    let checkpoint = Checkpoint(log: uuid, sequence: writer.durable, location: writer.durableEnd, body: [1, 2, 3])
    try? checkpoint.write(to: storage)
  }
  return storage.snapshot
}()

private func open(_ storage: MemoryStorage) -> (log: RecoveredLog, read: [UInt64: String])? {
  var read: [UInt64: String] = [:]
  var last: UInt64 = 0
  guard var recovery = try? Recovery(of: storage, log: uuid, mode: .readWrite) else { return nil }
  recovery.ignoreCheckpoint("everything is to be read")
  let log = try? recovery.run { frame in
    hold(frame.sequence > last, "records come in their order")
    last = frame.sequence
    read[frame.sequence] = text(of: frame)
  }
  return log.map { ($0, read) }
}

private func text(of frame: borrowing LogFrame) -> String {
  let text = try? frame.withFields { reader throws(FieldError) in
    while let number = try reader.next() { if number == 1 { return try reader.string() } }
    return ""
  }
  return text ?? "no text"
}

private func append(_ texts: [String], _ writer: inout LogWriter, _ storage: MemoryStorage) -> [UInt64] {
  let numbers = texts.map { text in writer.append(kind: 20) { $0.string(1, text) } }
  while let batch = writer.takeBatch() {
    hold((try? batch.perform(on: storage)) != nil, "memory does not fail")
    writer.completed(batch)
  }
  return numbers
}

/// Readers go through what recovery found, from any number and any place.
private func checkReaders(_ storage: MemoryStorage, _ index: LogIndex) {
  let reader = LogReader(storage: storage, chunk: 64)
  for number in [1, 5, 12, 13, UInt64.max] {
    guard var cursor = try? reader.locate(number, in: index) else { return hold(false, "memory does not fail") }
    var last: UInt64 = 0
    try? reader.read(&cursor, in: index) { frame in
      hold(frame.sequence > last, "records come in their order")
      last = frame.sequence
      return true
    }
  }
  for offset in [0, 64, 65, 81, 200, UInt32.max] {
    for ordinal in [0, 1, 3, UInt32.max] {
      let place = LogLocation(ordinal: ordinal, offset: offset)
      let number = try? reader.record(1, at: place, in: index) { $0.sequence }
      hold(number == nil || number == 1, "what is asked for comes, or nothing")
    }
  }
}

/// One damage: to a byte, a stretch, an end, a whole file, or its name.
private func damage(_ content: inout MemoryStorage.Content, _ script: inout Script) {
  let kind = script.byte()
  if kind & 0x80 != 0 { return damageCheckpoint(&content, &script) }
  let ids = content.segments.keys.sorted()
  guard !ids.isEmpty else { return }
  let id = ids[script.byte() % ids.count]
  var bytes = content.segments[id] ?? []
  let place = bytes.isEmpty ? 0 : script.word() % bytes.count
  switch kind % 8 {
  case 0: if !bytes.isEmpty { bytes[place] ^= UInt8(max(1, script.byte())) }
  case 1: bytes.replaceSubrange(place..<bytes.count, with: script.piece())
  case 2: bytes.insert(contentsOf: script.piece(), at: place)
  case 3: bytes.removeSubrange(place..<min(bytes.count, place + script.byte()))
  case 4: bytes += [UInt8](repeating: 0, count: script.byte()) + script.piece()
  case 5: bytes.insert(contentsOf: bytes.prefix(place).suffix(script.byte()), at: place)
  case 6: return content.segments[id] = nil
  default:
    // No file's name says more (`SegmentID.init(fileName:)`).
    let first = script.take(8).reduce(1) { $0 << 8 | UInt64($1) } & UInt64(Int64.max)
    content.segments[SegmentID(first: max(1, first))] = bytes
    return
  }
  content.segments[id] = bytes
}

private func damageCheckpoint(_ content: inout MemoryStorage.Content, _ script: inout Script) {
  guard var file = content.files["checkpoint"], file.count > 4 else { return }
  file[script.word() % file.count] = UInt8(script.byte())
  let sum = CRC32C.checksum(file.dropLast(4))
  for place in 0..<4 { file[file.count - 4 + place] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(place))) }
  content.files["checkpoint"] = file
}

/// The bytes with every checksum right that stands where one should.
private func mended(_ bytes: [UInt8]) -> [UInt8] {
  var bytes = bytes
  if bytes.count >= 64 { put(CRC32C.checksum(bytes[..<60]), &bytes, at: 60) }
  var start = 64
  let head = bytes.count > 8 && bytes[8] == 1 ? 16 : 9
  while start + head <= bytes.count {
    // No record of this log is so long that its length takes more than one byte.
    let length = Int(bytes[start + (head == 16 ? 4 : 8)])
    guard length < 0x80, start + head + length <= bytes.count else { break }
    put(CRC32C.checksum(bytes[(start + 4)..<(start + head + length)]), &bytes, at: start)
    start += head + length
  }
  return bytes
}

private func put(_ number: UInt32, _ bytes: inout [UInt8], at place: Int) {
  for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * UInt32(index))) }
}
