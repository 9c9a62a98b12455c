package import Bytes
import AddressPreparation
package import ConfabConfiguration
import XMPPCore
package import XMPPStream

/// Looks at an account's server from outside of any session, for `confabd --doctor`: finds its places, and reaches and
/// secures each, one after the other. If it is to sign in, it stops at the first secure place; it sends no presence, so
/// no message is delivered to it. Events go in; findings and actions come out.
package struct Probe {
  /// How far to go.
  package enum Goal: Sendable {
    case secured, signedIn
  }

  /// One place where the server may be.
  package struct Place: Equatable, Sendable {
    package let host: String
    package let port: UInt16
    /// TLS from the first byte; else STARTTLS.
    package let isDirect: Bool
  }

  package enum Finding: Equatable, Sendable {
    /// The DNS could not be asked for a kind of service, in words; what it names as a place may be a guess.
    case unanswered(String)
    /// The server's addresses, in the order of trying.
    case places([Place])
    /// There is nowhere to connect to, in words.
    case nowhere(String)
    case reached(Place, remote: String)
    case unreached(Place, String)
    case secured(Place, TLSFacts)
    case unsecured(Place, String)
    case signedIn(Place, NegotiatedStream)
    /// `isRefusal`: the server said no to address or password.
    case notSignedIn(Place, String, isRefusal: Bool)
  }

  package enum Output: Sendable {
    case found(Finding)
    /// For the present link; after `abort` the next one is for a new link.
    case act(LinkAction)
    /// Always the last one.
    case finished
  }

  enum State {
    case resolving
    case connecting(Place)
    case negotiating(ClientStream, Place, isSecured: Bool)
    /// Signed in, and closing.
    case leaving
    case finished
  }

  /// More places than this are not looked at, however many a domain names.
  package static let mostPlaces = 4

  package let account: AccountSettings
  let goal: Goal
  let jid: JID
  let domain: String
  let random: any RandomSource
  var state = State.resolving
  var rest: [Place] = []

  /// - Parameter account: of a configuration that `Engine.check` has found good.
  /// - Throws: what is wrong with its JID nevertheless.
  package init(
    _ account: AccountSettings, goal: Goal, random: any RandomSource
  ) throws(ConfigurationProblem) {
    (self.account, self.goal, self.random) = (account, goal, random)
    do {
      jid = try account.address.bare
      domain = try DomainName.ascii(jid.domain)
    } catch let error as JIDError {
      throw ConfigurationProblem(description: error.sentence)
    } catch {
      throw ConfigurationProblem(description: "\(account.jid) has no valid DNS domain")
    }
  }

  /// Begins.
  package mutating func begin(into outputs: inout [Output]) {
    switch ServerLocation(account, domain: domain) {
    case .none(let reason): end(.nowhere(reason), &outputs)
    case .plan(let plan): take(plan, &outputs)
    case .lookUp(let domain): outputs.append(.act(.resolve(domain: domain)))
    }
  }

  /// One event of the present link.
  package mutating func handle(_ event: LinkEvent, into outputs: inout [Output]) {
    switch event {
    case .resolved(let services): resolved(services, &outputs)
    case .opened(let remote): opened(remote, &outputs)
    case .secured(let facts): secured(facts, &outputs)
    case .received(let bytes): received(bytes, &outputs)
    case .drained: break
    case .closed(let reason): failed(reason ?? "the server closed the connection", &outputs)
    }
  }

  /// The login's credential was derived from the password, or cannot be.
  package mutating func handle(_ derived: Derived, into outputs: inout [Output]) {
    switch derived {
    case .credential(let credential): negotiate(.derived(credential: credential), &outputs)
    case .failed(let reason): failed(reason, &outputs)
    }
  }

  /// The present step has taken too long.
  package mutating func timedOut(into outputs: inout [Output]) {
    failed("the server took too long to answer", &outputs)
  }
}
