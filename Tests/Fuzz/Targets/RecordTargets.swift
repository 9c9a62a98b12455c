import Bytes
import Clocks
import ConfabEngine
import State
import Records

/// Records: first byte the kind. What is read is written so that it reads the same.
@Sendable func fuzzRecords(_ bytes: [UInt8]) {
  guard let kind = bytes.first, let record = try? Record(kind: kind, payload: Array(bytes.dropFirst())) else { return }
  if case .unknown = record { return }
  hold(record.kind == kind, "a record is of its kind")
  var writer = FieldWriter()
  record.encode(into: &writer)
  hold((try? Record(kind: kind, payload: writer.bytes)) == record, "\(record) reads as it was written")
}

/// A checkpoint's body: refused, or state that make one again, which then do all that state are for.
@Sendable func fuzzCheckpoint(_ bytes: [UInt8]) {
  let gap = Interval.hours(1)
  guard let state = try? State.restored(from: bytes, sequence: 50, gap: gap) else { return }
  let body = state.checkpointBody
  guard let again = try? State.restored(from: body, sequence: 50, gap: gap) else {
    return hold(false, "what a checkpoint was read from makes one")
  }
  hold(topFields(of: again.checkpointBody) == topFields(of: body), "a checkpoint of a checkpoint is the same")
  let world = World(state: state)
  world.tryEverything()
}

/// The fields of a checkpoint, in an order that no dictionary has a say in.
func topFields(of body: [UInt8]) -> [[UInt8]] {
  var fields: [[UInt8]] = []
  try? FieldReader.read(body) { reader throws(FieldError) in
    while let number = try reader.next() { fields.append([UInt8(number)] + ((try? reader.bytes()) ?? [])) }
  }
  return fields.sorted { $0.lexicographicallyPrecedes($1) }
}
