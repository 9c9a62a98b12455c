import Screen

/// What a terminal sends: first byte how it is cut, and whether answers about the cursor are awaited. The events do not depend
/// on the cuts, no text is a control character, and once nothing follows the decoder is ready for the next key.
@Sendable func fuzzTerminal(_ bytes: [UInt8]) {
  var script = Script(bytes)
  let choice = script.byte()
  let input = script.remaining()
  var whole = DecodedInput(awaitsCursor: choice & 0x80 != 0)
  var cut = whole
  whole.receive(input)
  for piece in input.pieces(choice) { cut.receive(Array(piece)) }
  // How a paste is cut into events depends on how it came.
  let (all, pieces) = (whole.events.joiningPastes, cut.events.joiningPastes)
  hold(all == pieces, "the events of a cut input are the same: \(all) \(pieces)")
  hold(
    whole.decoder.timeoutMilliseconds == cut.decoder.timeoutMilliseconds, "what is waited for is the same after cuts")
  // An ESC in a string begins another sequence, and that may be half as well.
  for _ in 0..<3 where whole.decoder.needsTimeout { whole.decoder.timeOut(into: &whole.events) }
  hold(!whole.decoder.needsTimeout, "what was cut off ends when nothing follows")
  for event in whole.events { hold(isHarmless(event), "no control character is text: \(event)") }
  let count = whole.events.count
  whole.receive([UInt8(ascii: "z")])
  hold(whole.events.dropFirst(count).elementsEqual([.key(Key(.character("z")))]), "the next key is that key")
}

/// A decoder and its events.
private struct DecodedInput {
  var decoder = InputDecoder()
  var events: [InputEvent] = []

  init(awaitsCursor: Bool) { decoder.awaitsCursor = awaitsCursor }

  mutating func receive(_ bytes: [UInt8]) { decoder.receive(bytes, into: &events) }
}

private func isHarmless(_ event: InputEvent) -> Bool {
  switch event {
  case .key(let key):
    guard case .character(let character) = key.code else { return true }
    return !character.unicodeScalars.contains { $0.properties.generalCategory == .control }
  case .mouse(let mouse): return mouse.position.column >= 0 && mouse.position.line >= 0
  case .reply(.version(let text)): return !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
  case .reply, .paste, .focus: return true
  }
}

extension [InputEvent] {
  fileprivate var joiningPastes: Self {
    reduce(into: []) { events, event in
      if case .paste(let text) = event, case .paste(let before)? = events.last {
        events[events.count - 1] = .paste(before + text)
      } else {
        events.append(event)
      }
    }
  }
}
