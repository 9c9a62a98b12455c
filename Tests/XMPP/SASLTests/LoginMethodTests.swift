import SASL
import Testing

/// Which mechanism is chosen, and what is said about channel binding.
@Suite struct LoginMethodTests {
  /// Written out: what a server offers, with what it says of types (XEP-0440), and what comes of it on a connection that
  /// has both channel bindings.
  @Test(
    arguments: [
      (["PLAIN", "SCRAM-SHA-1", "SCRAM-SHA-256", "SCRAM-SHA-512"], nil, "y SCRAM-SHA-512"),
      (["SCRAM-SHA-1", "SCRAM-SHA-256"], nil, "y SCRAM-SHA-256"),
      (["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"], nil, "n SCRAM-SHA-1 unused"),
      (["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"], [], "n SCRAM-SHA-1 unused"),
      (["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"], ["tls-unique"], "n SCRAM-SHA-1 unused"),
      (["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"], ["tls-unique", "tls-exporter"], "p SCRAM-SHA-1-PLUS tls-exporter"),
      (
        ["SCRAM-SHA-512", "SCRAM-SHA-256-PLUS", "SCRAM-SHA-1-PLUS"], ["tls-server-end-point", "tls-exporter"],
        "p SCRAM-SHA-256-PLUS tls-exporter"
      ),
      (["SCRAM-SHA-512-PLUS"], ["tls-server-end-point"], "p SCRAM-SHA-512-PLUS tls-server-end-point"),
      (["SCRAM-SHA-1"], ["tls-exporter"], "n SCRAM-SHA-1 unused"),
      (["SCRAM-SHA-1", "GS2-KRB5-PLUS"], nil, "n SCRAM-SHA-1 unused"),
      (["SCRAM-SHA-1"], [], "y SCRAM-SHA-1"),
      (["SCRAM-SHA-1-PLUS", "PLAIN", "EXTERNAL", "ANONYMOUS", "DIGEST-MD5"], nil, "none"),
      (["SCRAM-SHA-1", "SCRAM-SHA-1-PLUS"], ["TLS-exporter", "tls-exporter "], "n SCRAM-SHA-1 unused"),
      (["scram-sha-1", " SCRAM-SHA-1", "SCRAM-SHA-1\0"], nil, "none"),
      ([], nil, "none"), ([], ["tls-exporter"], "none"),
    ] as [([String], [String]?, String)])
  func chosen(mechanisms: [String], types: [String]?, expected: String) {
    let offer = SASLOffer(mechanisms: mechanisms, channelBindings: types)
    #expect(shown(choose(offer, Set(ChannelBindingType.allCases), allowsPlain: false)) == expected)
  }

  /// Every set of mechanisms, with every set of types, on every kind of connection.
  @Test(arguments: [true, false])
  func everyCombination(allowsPlain: Bool) {
    let mechanisms = subsets(Mechanism.allCases.map(\.rawValue) + ["SCRAM-SHA-3-PLUS"])
    let types = [nil] + subsets(["tls-unique", "tls-exporter", "tls-server-end-point"]).map(Optional.some)
    for mechanisms in mechanisms {
      for types in types {
        let offer = SASLOffer(mechanisms: mechanisms.reversed(), channelBindings: types)
        for available in subsets(ChannelBindingType.allCases) {
          let method = choose(offer, Set(available), allowsPlain: allowsPlain)
          let expected = Expected(mechanisms, types ?? [], available, allowsPlain)
          #expect(shown(method) == expected.text, "\(offer) \(available)")
        }
      }
    }
  }

  /// The same as RFC 5802, section 6, RFC 9266 and XEP-0440 put it.
  private struct Expected {
    let text: String

    init(_ mechanisms: [String], _ types: [String], _ available: [ChannelBindingType], _ allowsPlain: Bool) {
      let common = ["tls-exporter", "tls-server-end-point"].first { type in
        types.contains(type) && available.contains { $0.rawValue == type }
      }
      let hashes = ["512", "256", "1"]
      let isOffered = !types.isEmpty || mechanisms.contains { $0.hasSuffix("-PLUS") }
      if let common, let hash = hashes.first(where: { mechanisms.contains("SCRAM-SHA-\($0)-PLUS") }) {
        text = "p SCRAM-SHA-\(hash)-PLUS \(common)"
      } else if let hash = hashes.first(where: { mechanisms.contains("SCRAM-SHA-\($0)") }) {
        let flag = isOffered || available.isEmpty ? "n" : "y"
        text = "\(flag) SCRAM-SHA-\(hash)" + (isOffered ? " unused" : "")
      } else {
        text = allowsPlain && mechanisms.contains("PLAIN") ? "PLAIN" : "none"
      }
    }
  }

  @Test func theOrderOfStrength() {
    #expect(Mechanism.plain < .scramSHA1)
    #expect(Mechanism.scramSHA1 < .scramSHA256)
    #expect(Mechanism.scramSHA256 < .scramSHA512)
    #expect(Mechanism.scramSHA512 < .scramSHA1Plus)
    #expect(Mechanism.scramSHA256Plus < .scramSHA512Plus)
    #expect(!(Mechanism.scramSHA1 < .scramSHA1))
  }

  private func choose(
    _ offer: SASLOffer, _ available: Set<ChannelBindingType>, allowsPlain: Bool
  ) -> LoginMethod? {
    let bindings = Dictionary(uniqueKeysWithValues: available.map { ($0, Array($0.rawValue.utf8)) })
    return .choose(from: offer, bindings: bindings, allowsPlain: allowsPlain)
  }

  private func shown(_ method: LoginMethod?) -> String {
    guard let method else { return "none" }
    let unused = method.leavesBindingUnused ? " unused" : ""
    switch method.flag {
    case .unsupported where method.mechanism == .plain: return "\(method)\(unused)"
    case .unoffered where method.mechanism == .plain: return "\(method)\(unused)"
    case .unsupported: return "n \(method)\(unused)"
    case .unoffered: return "y \(method)\(unused)"
    case .bound(let type, let data):
      #expect(data == Array(type.rawValue.utf8))
      return "p \(method)\(unused)"
    }
  }

  private func subsets<Member>(_ members: [Member]) -> [[Member]] {
    members.reduce([[]]) { sets, member in sets + sets.map { $0 + [member] } }
  }
}
