import Clocks

extension ValueKind where Value == Interval {
  static var runTime: Self {
    Self(expected: "a duration above zero such as 90s, 30m or 2h, at most a day") {
      Interval($0).flatMap { $0 > .zero && $0 <= .days(1) ? $0 : nil }
    }
  }
}

extension ValueKind where Value == [HookEvent] {
  static var hookEvents: Self {
    Self(expected: "some of \(Phrase.oneOf(HookEvent.allCases.map(\.rawValue))), separated by commas") { text in
      let words = text.split(separator: ",", omittingEmptySubsequences: false)
      let events = words.map { HookEvent(rawValue: trimmed($0)) }
      return events.contains(nil) ? nil : events.compactMap(\.self)
    }
  }

  private static func trimmed(_ word: Substring) -> String {
    word.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
  }
}

extension ValueKind where Value == [String] {
  /// Bare JIDs; only their shape is checked here, and the engine parses them. A comma after a domain separates
  /// addresses; a comma within a word is part of its local part.
  static var conversations: Self {
    Self(expected: "bare JIDs such as bob@example.org team@rooms.example.org") { text in
      let words = text.split { $0 == " " || $0 == "\t" }.map { $0.hasSuffix(",") ? $0.dropLast() : $0 }
      return words.isEmpty || words.contains { $0.isEmpty || $0.contains("/") || $0.utf8.count > 3071 }
        ? nil : words.map(String.init)
    }
  }
}
