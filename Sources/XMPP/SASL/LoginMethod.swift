/// How a login is done: the mechanism, and what the client says about channel binding.
package struct LoginMethod: Hashable, Sendable {
  package let mechanism: Mechanism
  package let flag: ChannelBindingFlag
  /// The server offers channel binding, but of no type that this connection has: the login goes without, and people are
  /// told.
  package let leavesBindingUnused: Bool

  /// The type of channel binding; nil if the login is not bound.
  package var channelBinding: ChannelBindingType? {
    if case .bound(let type, _) = flag { type } else { nil }
  }

  /// The strongest method that both sides have, whatever the order that the server names them in; nil: none.
  ///
  /// A -PLUS mechanism is used with a type that the server names (XEP-0440) and never on a guess: without names, servers
  /// mean `tls-unique`, and a wrong guess cannot be told from a wrong password.
  ///
  /// - Parameters:
  ///   - bindings: the channel bindings that this connection has.
  ///   - allowsPlain: whether the account's owner allows PLAIN.
  package static func choose(
    from offer: SASLOffer, bindings: [ChannelBindingType: [UInt8]], allowsPlain: Bool
  ) -> LoginMethod? {
    let binding = ChannelBindingType.allCases.lazy.filter(offer.offers).compactMap { type in
      bindings[type].map { ChannelBindingFlag.bound(type: type, data: $0) }
    }.first
    let candidates = Mechanism.allCases.filter(offer.offers)
    for mechanism in candidates where mechanism != .plain || allowsPlain {
      switch (mechanism.isBound, binding) {
      case (true, nil): continue
      case (true, let flag?): return LoginMethod(mechanism: mechanism, flag: flag, leavesBindingUnused: false)
      case (false, _): return unbound(mechanism, offer, isAble: !bindings.isEmpty)
      }
    }
    return nil
  }

  /// `y` says "I could, and you offer nothing": a lie, and the end of the login at an honest server, wherever it offers
  /// anything of the kind.
  private static func unbound(_ mechanism: Mechanism, _ offer: SASLOffer, isAble: Bool) -> LoginMethod {
    let isOffered = offer.speaksOfChannelBinding
    return LoginMethod(
      mechanism: mechanism, flag: isAble && !isOffered ? .unoffered : .unsupported,
      leavesBindingUnused: isOffered && mechanism != .plain)
  }
}

extension LoginMethod: CustomStringConvertible {
  /// Such as `SCRAM-SHA-256` or `SCRAM-SHA-256-PLUS tls-exporter`.
  package var description: String {
    [mechanism.rawValue, channelBinding?.rawValue].compactMap(\.self).joined(separator: " ")
  }
}
