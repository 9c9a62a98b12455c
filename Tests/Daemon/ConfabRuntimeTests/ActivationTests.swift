import ConfabConfiguration
import Testing

@testable import ConfabRuntime

@Suite("Sockets that systemd passed")
struct ActivationTests {
  private static let sockets: [SocketSettings] = [
    SocketSettings(path: "/run/confab/socket"), SocketSettings(name: "alerts", path: "/run/confab/alerts"),
    SocketSettings(name: "eyes", path: "/run/confab/eyes"),
  ]

  @Test(
    "are known by their names, else by their paths; the rest is the main one",
    arguments: [
      ("alerts", "/run/confab/alerts", "alerts"), ("alerts", "/elsewhere", "alerts"), ("alerts", nil, "alerts"),
      ("alerts", "/run/confab/socket", "alerts"), ("confabd-alerts.socket", "/run/confab/alerts", "alerts"),
      ("", "/run/confab/eyes", "eyes"), ("other", "/run/confab/eyes", "eyes"), ("confabd.socket", "/elsewhere", nil),
      ("unknown", nil, nil), ("", nil, nil), ("main", "/run/confab/socket", nil),
    ] as [(String, String?, String?)])
  func match(name: String, path: String?, section: String?) throws {
    let matched = try Activation.match([.init(descriptor: 3, name: name, path: path)], Self.sockets)
    #expect(matched.map(\.0) == [3] && matched.map(\.1.name) == [section])
  }

  @Test("one that was named for a section that is not there is refused, rather than served with full rights")
  func unknown() {
    let error = #expect(throws: Activation.Unknown.self) {
      try Activation.match([.init(descriptor: 3, name: "alarms", path: "/elsewhere")], Self.sockets)
    }
    #expect(error?.description == "systemd passed a socket named alarms, but the configuration has no [socket alarms]")
  }
}

@Suite("DaemonPaths")
struct PlacesTests {
  @Test("a section's path is not that of the main socket, also where only the environment says that one")
  func ownPath() throws {
    var configuration = Configuration()
    configuration.sockets = [SocketSettings(name: "alerts", path: "/run/user/1//confab/socket")]
    let environment = ["XDG_RUNTIME_DIR": "/run/user/1", "HOME": "/home/alice"]
    let error = #expect(throws: DaemonPaths.Unknown.self) { try DaemonPaths(configuration, environment: environment) }
    #expect(error?.description == "[socket alerts] path: expected a path of its own, found that of the main socket")
    configuration.sockets[0].path = "/run/user/1/confab/alerts"
    #expect(try DaemonPaths(configuration, environment: environment).socket == "/run/user/1/confab/socket")
  }

  @Test("a main socket that systemd passed needs no path; a socket with rights of its own is not the main one")
  func passed() throws {
    var configuration = Configuration()
    configuration.sockets = [SocketSettings(name: "alerts", path: "/run/alerts")]
    let environment = ["HOME": "/home/alice"]
    let main = Activation.PassedSocket(descriptor: 3, name: "confabd.socket", path: "/run/x")
    #expect(try DaemonPaths(configuration, environment: environment, passed: [main]).socket == nil)
    let other = Activation.PassedSocket(descriptor: 3, name: "alerts", path: "/run/alerts")
    for passed in [[], [other]] {
      #expect(throws: DaemonPaths.Unknown.self) {
        try DaemonPaths(configuration, environment: environment, passed: passed)
      }
    }
  }
}
