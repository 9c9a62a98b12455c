package import ConfabConfiguration
/// The changes of a newly read configuration, by key, as `reload` reports them.
package struct ConfigurationChanges: Equatable {
  /// In force now.
  package private(set) var changed: [String] = []
  /// In force after a restart.
  package private(set) var restart: [String] = []

  package init(from old: Configuration, to new: Configuration) {
    compare(old.daemon.snapInterval, new.daemon.snapInterval, "snap-interval")
    compare(old.daemon.logLevel, new.daemon.logLevel, "log-level")
    compare(old.daemon.onStop, new.daemon.onStop, "on-stop")
    compare(old.daemon.dnsServers, new.daemon.dnsServers, "dns-server")
    let (oldFiles, newFiles) = (old.daemon.files, new.daemon.files)
    compare(oldFiles.cacheSize, newFiles.cacheSize, "cache-size")
    compare(oldFiles.largestFetched, newFiles.largestFetched, "fetch-max")
    compare(oldFiles.fetchesPrivate, newFiles.fetchesPrivate, "fetch-private")
    compare(oldFiles.spoolSize, newFiles.spoolSize, "spool-size")
    compare(old.daemon.strangersFloor, new.daemon.strangersFloor, "strangers-floor")
    compare(oldFiles.stripsMetadata, newFiles.stripsMetadata, "strip-metadata")
    compareAtRestart(old.daemon.socket, new.daemon.socket, "socket")
    compareAtRestart(old.daemon.data, new.daemon.data, "data")
    compare(old.daemon.access.users, new.daemon.access.users, "allow-uid")
    compare(old.daemon.access.group, new.daemon.access.group, "socket-group")
    compareLimits(old.daemon.limits, new.daemon.limits)
    let sockets = Set((old.sockets + new.sockets).compactMap(\.name))
    for name in sockets.sorted() {
      compare(old.sockets.first { $0.name == name }, new.sockets.first { $0.name == name }, "socket \(name)")
    }
    let hooks = Set((old.hooks + new.hooks).map(\.name))
    for name in hooks.sorted() {
      compare(old.hooks.first { $0.name == name }, new.hooks.first { $0.name == name }, "hook \(name)")
    }
    let names = Set(old.accounts.map(\.name)).union(new.accounts.map(\.name))
    for name in names.sorted() {
      compare(old.accounts.first { $0.name == name }, new.accounts.first { $0.name == name }, "account \(name)")
    }
  }

  private mutating func compareLimits(_ old: ConnectionLimits, _ new: ConnectionLimits) {
    compare(old.connections, new.connections, "max-connections")
    compare(old.connectionsPerUser, new.connectionsPerUser, "max-connections-per-uid")
    compare(old.requests, new.requests, "max-requests")
    compare(old.output, new.output, "max-output")
    compare(old.totalOutput, new.totalOutput, "max-total-output")
  }

  private mutating func compare<Value: Equatable>(_ old: Value, _ new: Value, _ key: String) {
    if old != new { changed.append(key) }
  }

  private mutating func compareAtRestart<Value: Equatable>(_ old: Value, _ new: Value, _ key: String) {
    if old != new { restart.append(key) }
  }
}

/// Why a configuration was not taken, with file and line.
package struct ReloadFailure: Error {
  package let reason: String

  package init(reason: String) { self.reason = reason }
}
