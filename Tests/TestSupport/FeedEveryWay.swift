/// Feeds the same bytes to fresh consumers in every way that a network might: whole, in two pieces split at every
/// place, and one by one. What came out must be the same each time.
///
/// - Parameters:
///   - bytes: what to feed.
///   - splitLimit: inputs longer than this are split at this many places, evenly spread, instead of everywhere.
///   - consume: makes a new consumer, feeds it the pieces in order, and returns all that it made of them.
/// - Returns: what the whole made, and a description of each way that made something else.
package func feedEveryWay<Output: Equatable>(
  _ bytes: [UInt8], splitLimit: Int = 4096, consume: (_ pieces: [ArraySlice<UInt8>]) throws -> Output
) rethrows -> (output: Output, differences: [String]) {
  let whole = try consume([bytes[...]])
  var differences: [String] = []
  let step = max(1, bytes.count / max(1, splitLimit))
  for place in stride(from: 1, to: bytes.count, by: step) {
    let output = try consume([bytes[..<place], bytes[place...]])
    if output != whole { differences.append("split at \(place): \(output) instead of \(whole)") }
  }
  let single = try consume(bytes.indices.map { bytes[$0...$0] })
  if single != whole { differences.append("byte by byte: \(single) instead of \(whole)") }
  return (whole, differences)
}
