/// A format of OMEMO (XEP-0384). Sessions of the two are separate; the identity is one.
package enum RatchetVersion: UInt8, Hashable, Sendable, CaseIterable {
  /// `eu.siacs.conversations.axolotl` (version 0.3.0): the messages of the Signal protocol's version 3.
  case legacy = 3
  /// `urn:xmpp:omemo:2` (version 0.8.0 and later).
  case omemo2 = 4

  /// The library's number of it.
  var number: UInt32 { UInt32(rawValue) }
}

/// Random bytes, so many: the caller's, so that the same ones give the same result.
package typealias RandomBytes = (Int) -> [UInt8]
