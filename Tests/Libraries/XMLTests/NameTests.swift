import Testing

@testable import XML

/// Names are numbers on a tree, and those that are known have the same on all.
@Suite struct NameTests {
  @Test func eachKnownNameIsToldByItsNumberAndByItsBytes() throws {
    #expect(Set(KnownName.allCases.map(\.text.description)).count == KnownName.allCases.count)
    #expect(KnownName.allCases.enumerated().allSatisfy { $0.offset == Int($0.element.number) })
    for known in KnownName.allCases where known != .none && !known.text.description.contains(":") {
      let element = try stanza("<\(known.text) xmlns='urn:x' \(known.text)='1' other='2'/>")
      #expect(element.isNamed(known.text, "urn:x") && !element.isNamed(known, .client))
      #expect(element.attribute(known) == "1" && element.attribute(known, equals: "1"))
      #expect(element.attribute(known.text) == "1" && !element.attribute(known, .client, isThere: true))
      #expect(element.local == known.text.description && element.namespace == "urn:x")
    }
  }

  @Test(arguments: [KnownName.client, .stanzaIDs, .delayed, .receipts, .chatMarkers])
  func aKnownNamespaceIsToldByItsNumber(_ namespace: KnownName) throws {
    let element = try stanza("<body xmlns='\(namespace.text)'><iq xmlns=''/></body>")
    #expect(element.isNamed(.body, namespace) && element.isNamed("body", namespace.text))
    #expect(element.namespace == namespace.text.description)
    let inner = try #require(element.children.first { _ in true })
    #expect(inner.isNamed(.iq, .none) && inner.namespace == "")
  }

  @Test func namesThatAreForgottenAreKnownAgain() throws {
    let strange = (0..<150).map { "<n\($0)/>" }.joined()
    let text = "<message type='chat'><body>b</body>\(strange)</message>"
    let all = items(of: opening + text + text + text, splitLimit: 256).compactMap(\.element)
    #expect(all.count == 3)
    #expect(all.allSatisfy { $0.isNamed(.message, .client) && $0.attribute(.type, equals: "chat") })
    #expect(all.allSatisfy { Array($0.children).last?.local == "n149" })
  }

  /// Values are copied at one stroke where they stand together as they are; the library makes anew what is escaped,
  /// normalised or no ASCII, and white space may part them.
  @Test func valuesAreReadWhereverTheLibraryHasThem() throws {
    let space = String(repeating: " ", count: 3_000)
    let values = ["plain", "a&amp;b", "gr\u{FC}n", "tab\tnew\nline", "", "&#38;#38;", "x&apos;y"]
    let read = ["plain", "a&b", "gr\u{FC}n", "tab new line", "", "&#38;", "x'y"]
    for (first, second) in [(0, 0), (0, 1), (1, 0), (2, 0), (0, 3), (4, 0), (0, 4), (4, 4), (5, 6), (6, 5), (3, 2)] {
      for gap in [" ", "\n\t ", space] {
        let text = "<m a='\(values[first])'\(gap)b=\"\(values[second])\"\(gap)c='end'><n d='\(values[first])'/></m>"
        let elements = items(of: opening + text, splitLimit: 64).compactMap(\.element)
        let element = try #require(elements.first)
        #expect(element.attribute("a") == read[first] && element.attribute("b") == read[second])
        #expect(element.attribute("c") == "end" && element.attributeCount == 3)
        #expect(element.child("n", "jabber:client")?.attribute("d") == read[first])
      }
    }
  }

  /// Local names and namespaces are counted, each once, exactly where there may be too many.
  @Test func distinctNamesAreCountedWhereThereAreMany() {
    func isTaken(_ children: [String], limit: Int) -> Bool {
      let text = "<message>\(children.joined())<last/></message>"
      var limits = StreamLimits.authenticated
      limits.stanzaNames = limit
      return items(of: opening + text, limits: limits, splitLimit: 32).compactMap(\.element).count == 1
    }
    // message, jabber:client, body, and one for each of the others.
    let same = [String](repeating: "<body/>", count: 50)
    #expect(isTaken(same, limit: 3) && !isTaken(same, limit: 2))
    let others = (0..<20).map { "<e\($0) a='1'/>" }
    #expect(isTaken(others + same, limit: 24) && !isTaken(others + same, limit: 23))
    let namespaces = (0..<20).map { "<e xmlns='urn:\($0)' e='1'/>" }
    #expect(isTaken(same + namespaces, limit: 24) && !isTaken(same + namespaces, limit: 23))
  }
}

extension Element {
  fileprivate func attribute(_ local: KnownName, _ namespace: KnownName, isThere: Bool) -> Bool {
    attribute(local, namespace) != nil
  }
}
