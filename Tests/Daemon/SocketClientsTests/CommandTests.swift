import LineProtocol
import Testing

@testable import SocketClients

@Suite("Commands")
struct CommandTests {
  @Test("Every verb has a handler", arguments: Verb.allCases)
  func handled(verb: Verb) { #expect(Command.handlers[verb] != nil) }
}
