import Glibc

/// A real name server of one's own on loopback, over UDP and TCP: dnsmasq, which knows what it is told and asks nobody.
package final class Dnsmasq: Sendable {
  package let port: UInt16
  private let process: ChildProcess

  /// For `dns-server` and the resolver.
  package var address: String { "127.0.0.1:\(port)" }

  /// Starts it and waits until it answers.
  ///
  /// - Parameters:
  ///   - zone: the domain that it speaks for; others are refused.
  ///   - records: in the words of its options: `srv-host=_xmpp-client._tcp.example.org,im.example.org,5222,5,10`,
  ///     `host-record=im.example.org,127.0.0.1,::1`, `cname=alias.example.org,im.example.org`.
  package init(in folder: TemporaryFolder, zone: String, records: [String]) throws {
    let home = try folder.makeFolder("dnsmasq")
    let ready = home + "/pid"
    port = try freePort()
    let user = unsafe getpwuid(getuid()).map { unsafe String(cString: $0.pointee.pw_name) } ?? "root"
    let options = [
      "conf-file=/dev/null", "keep-in-foreground", "no-resolv", "no-hosts", "no-poll", "bind-interfaces",
      "listen-address=127.0.0.1", "port=\(port)", "pid-file=\(ready)", "user=\(user)", "log-facility=\(home)/log",
      "local=/\(zone)/",
    ]
    let output = unsafe open(home + "/output", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let input = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { for descriptor in [input, output] { close(descriptor) } }
    let listening = try FolderWatch(home)
    process = try ChildProcess(
      ["/usr/sbin/dnsmasq"] + (options + records).map { "--" + $0 }, input: input, output: output, error: output)
    guard try listening.wait(until: .seconds(60), orEndOf: process, { TestFiles.text(ready)?.isEmpty == false }) else {
      throw TestFailure("dnsmasq does not start: \(TestFiles.tail(home + "/output"))")
    }
  }
}
