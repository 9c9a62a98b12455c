import ConfabConfiguration
package import XMPPCore

/// A fault of a configuration that only the engine can see.
package struct ConfigurationProblem: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}

extension AccountSettings {
  /// The account's bare JID, or a full one if a resource is configured.
  package var address: JID {
    get throws(JIDError) {
      let jid = try JID(typed: jid)
      guard jid.local != nil else { throw .empty(.local) }
      guard jid.isBare else { throw .unprepared(.resource, "has a key of its own") }
      return if let resource { try jid.with(typedResource: resource) } else { jid }
    }
  }
}
