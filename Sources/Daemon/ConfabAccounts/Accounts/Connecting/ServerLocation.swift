import ConfabConfiguration
/// How an account's server is to be found, by its configuration alone.
enum ServerLocation {
  /// These places, without a DNS query.
  case plan(ConnectionPlan)
  /// The service records of this domain, with A-labels.
  case lookUp(domain: String)
  /// Nowhere, for the reason given in words.
  case none(String)

  /// - Parameter domain: the JID's, with A-labels.
  init(_ settings: AccountSettings, domain: String) {
    let server = settings.server?.ascii
    if settings.proxy == nil, OnionName.matches(server?.host ?? domain) {
      self = .none("\(server?.host ?? domain) is reachable only through Tor: set proxy")
    } else if let server {
      self = .plan(ConnectionPlan(server: server, tls: settings.tls))
    } else if settings.proxy != nil {
      self = .plan(ConnectionPlan(throughProxyTo: domain, tls: settings.tls))
    } else {
      self = .lookUp(domain: domain)
    }
  }
}
