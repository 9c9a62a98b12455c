import Glibc

/// Where things are: the repository, and what the build made of it.
package enum Products {
  /// The top folder of the repository these tests were compiled from.
  package static let repository: String = {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    parts.removeLast(3)
    return parts.joined(separator: "/")
  }()

  /// The folder of the programs built with the tests: CONFAB_BUILD, else where the test bundle lies.
  package static let folder: String = {
    if let chosen = ProcessEnvironment.current["CONFAB_BUILD"] { return chosen }
    let arguments = (TestFiles.read("/proc/self/cmdline") ?? []).split(separator: 0)
    let bundle = arguments.map { String(decoding: $0, as: UTF8.self) }.first { $0.hasSuffix(".xctest") }
    guard let bundle, let slash = bundle.lastIndex(of: "/") else { return repository + "/.build/debug" }
    return String(bundle[..<slash])
  }()

  /// The folder of the programs as they ship.
  package static let releaseFolder = repository + "/.build/release"

  /// A program built with the tests.
  package static func program(_ name: String) -> String { folder + "/" + name }

  /// A helper in Tests/Support.
  package static func support(_ name: String) -> String { repository + "/Tests/Support/" + name }
}

/// The environment of this process.
package enum ProcessEnvironment {
  package static let current: [String: String] = {
    var variables: [String: String] = [:]
    for entry in (TestFiles.read("/proc/self/environ") ?? []).split(separator: 0) {
      guard let equals = entry.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(decoding: entry[..<equals], as: UTF8.self)
      variables[name] = String(decoding: entry[(equals + 1)...], as: UTF8.self)
    }
    return variables
  }()
}
