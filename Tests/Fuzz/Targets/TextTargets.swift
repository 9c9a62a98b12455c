import MarkedText
import Pictures

/// A pack of emoticons, as JSON, or as a property list of either form: what is taken can be looked up, and is bounded.
@Sendable func fuzzPacks(_ bytes: [UInt8]) {
  guard let pack = try? PackContent(bytes, name: "pack", pictures: ["a.png": "/packs/a.png"]) else { return }
  var emoticons = Emoticons()
  guard (try? emoticons.append(pack)) == true else { return }
  emoticons.finish()
  for emoticon in pack.emoticons {
    hold(emoticons.emoticon(emoticon.code) != nil, "each code is known")
    hold(!emoticon.code.unicodeScalars.contains { $0.properties.isWhitespace }, "a code has no white space")
  }
}

/// A picture: what its header says has bounds.
@Sendable func fuzzPictures(_ bytes: [UInt8]) {
  guard let header = PictureHeader(bytes) else { return }
  hold(min(header.width, header.height) > 0 && max(header.width, header.height) <= Int(Int32.max), "it has pixels")
}

/// The text of a message: spans lie in it, in their order.
@Sendable func fuzzTexts(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  let codes = PhraseTable([(":a:", "x"), ("[微笑]", "y"), (":", "z")])
  let spans = MarkedText.spans(of: text, emoticons: codes, names: MentionTable([("bob", "b"), ("小明", "m")]))
  let count = text.unicodeScalars.count
  hold(spans.allSatisfy { !$0.range.isEmpty && $0.range.upperBound <= count }, "spans lie in the text")
  hold(zip(spans, spans.dropFirst()).allSatisfy { $0.range.lowerBound <= $1.range.lowerBound }, "spans are sorted")
}
