import ConfabConfiguration
import XMPPCore

/// A fault of a configuration that only the engine can see.
package struct ConfigurationProblem: Error, CustomStringConvertible {
  package let description: String
}

extension AccountSettings {
  /// The account's bare JID, or a full one if a resource is configured.
  var address: JID {
    get throws(JIDError) {
      let jid = try JID(typed: jid)
      guard jid.local != nil else { throw .empty(.local) }
      guard jid.isBare else { throw .unprepared(.resource, "has a key of its own") }
      return if let resource { try jid.with(typedResource: resource) } else { jid }
    }
  }
}
