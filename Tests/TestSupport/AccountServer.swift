/// Where accounts are, on loopback.
package protocol AccountServer {
  var startTLSPort: UInt16 { get }
  var directTLSPort: UInt16 { get }
  /// The file of the authority that clients are to trust.
  var authority: String { get }
}

extension Prosody: AccountServer {}
extension Ejabberd: AccountServer {}
extension ScriptedServer: AccountServer {}
