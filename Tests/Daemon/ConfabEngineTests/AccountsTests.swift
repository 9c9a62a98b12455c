import Clocks
import ConfabAccounts
import JSON
import ConfabConfiguration
import Testing

@Suite("several accounts, and their configuration")
struct AccountsTests {
  private func hello(_ jid: String, id: String = "1") -> String {
    "<message from='\(jid)' type='chat' id='\(id)'><body>hello</body></message>"
  }

  @Test("requests say which account they mean, by name or JID, or are told to")
  func needed() throws {
    let harness = try Harness(accounts: [Harness.alice, Harness.work])
    let client = harness.connect()
    for request in [
      "send bob@example.org x", "history bob@example.org", "sections bob@example.org", "read bob@example.org",
      "draft bob@example.org", "presence away", "connect", "disconnect", "add bob@example.org",
      "remove bob@example.org", "accept bob@example.org", "deny bob@example.org",
    ] {
      let failure = harness.ask(client, request).last
      #expect(failure?["error"]?.string == "account-needed", "\(request)")
      #expect(failure?["argument"]?.string == "account", "\(request)")
    }
    for request in ["send account=work bob@example.org x", "send account=ann@work.example bob@example.org x"] {
      #expect(harness.ask(client, request).last?["ok"]?.bool == true)
    }
    #expect(harness.ask(client, "history account=nobody b@c").last?["error"]?.string == "not-found")
    for request in ["conversations", "roster", "groups", "unread", "status", "watch"] {
      #expect(harness.ask(client, request).contains { $0["ok"]?.bool == true }, "\(request)")
    }
  }

  @Test("account is a member of every object with a conversation, jid or contact, only where several are configured")
  func members() throws {
    for accounts in [[Harness.alice, Harness.work], [Harness.alice]] {
      let harness = try Harness(accounts: accounts, server: .with(contacts: "bob@example.org"))
      let (client, watcher) = (harness.connect(1), harness.connect(2))
      let expected = accounts.count > 1 ? "home" : nil
      _ = harness.ask(watcher, "watch")
      harness.receive(hello("bob@example.org/x") + "<presence from='bob@example.org/x'/>")
      harness.receive(
        "<iq type='set' id='p1'><query xmlns='jabber:iq:roster'>"
          + "<item jid='bob@example.org' name='B' subscription='both'/></query></iq>")
      harness.pass(.seconds(1))
      for request in ["send b@c x", "draft bob@example.org d", "read bob@example.org"] {
        _ = harness.ask(client, request.replacing(" ", with: " account=home ", maxReplacements: 1))
      }
      harness.pass(.seconds(1))
      let events = harness.takeLines(watcher)
      let kinds = Set(events.compactMap { $0["event"]?.string })
      #expect(kinds.isSuperset(of: ["message", "presence", "roster", "draft", "read"]))
      for event in events {
        let object = event["message"] ?? event
        #expect(object["account"]?.string == expected, "\(event)")
        if let contact = event["contact"] { #expect(contact["account"]?.string == expected) }
      }
      for question in ["history account=home bob@example.org", "conversations", "roster"] {
        let line = try #require(harness.ask(client, question).first)
        let object = line["message"] ?? line["conversation"] ?? line["contact"]
        #expect(object?["account"]?.string == expected, "\(question)")
      }
    }
  }

  @Test("accounts are apart: states, conversations, keys, watches")
  func apart() throws {
    let harness = try Harness(accounts: [Harness.alice, Harness.work])
    let (client, watcher) = (harness.connect(1), harness.connect(2))
    _ = harness.ask(watcher, "watch account=work kinds=message,connection")
    harness.receive(hello("bob@example.org/x"))
    harness.receive(hello("bob@example.org/x"), port: 5224)
    harness.pass(.seconds(1))
    #expect(harness.takeLines(watcher).compactMap { $0["message"]?["account"]?.string } == ["work"])
    #expect(
      harness.ask(client, "conversations").compactMap { $0["conversation"]?["account"]?.string }.sorted() == [
        "home", "work",
      ])
    #expect(harness.ask(client, "unread in=bob@example.org").last?["unread"]?.integer == 2)
    #expect(harness.ask(client, "unread account=work").last?["unread"]?.integer == 1)
    for account in ["home", "work"] {
      let answer = harness.ask(client, "send account=\(account) key=same bob@example.org x").last
      #expect(answer?["ok"]?.bool == true && answer?["repeated"] == nil)
    }
    let id = try #require(harness.ask(client, "send account=work bob@example.org y").last?["id"]?.integer)
    #expect(harness.ask(client, "wait account=home for=sent \(id)").last?["error"]?.string == "not-found")
    harness.cut(port: 5224)
    let states = harness.ask(client, "status").compactMap { $0["account"]?["state"]?.string }
    #expect(states == ["online", "waiting"])
    #expect(harness.ask(client, "status account=home for=online").last?["ok"]?.bool == true)
  }

  @Test("reload adds, changes and takes away accounts, and says what changed; the history of one that is gone stays")
  func reload() throws {
    let harness = try Harness()
    let (client, watcher) = (harness.connect(1), harness.connect(2))
    harness.receive(hello("bob@example.org/x"))
    harness.pass(.milliseconds(50))
    _ = harness.ask(watcher, "watch kinds=connection")
    var configuration = harness.configuration
    configuration.accounts = [Harness.work]
    configuration.daemon.snapInterval = .hours(1)
    configuration.daemon.socket = "/elsewhere"
    harness.nextConfiguration = .read(configuration)
    let answer = try #require(harness.ask(client, "reload tag=r").last)
    #expect(answer["changed"]?.array?.compactMap(\.string) == ["snap-interval", "account home", "account work"])
    #expect(answer["restart"]?.array?.compactMap(\.string) == ["socket"])
    #expect(answer["tag"]?.string == "r")
    #expect(harness.toServer.contains("</stream:stream>"))
    let events = harness.takeLines(watcher)
    #expect(events.contains { $0["account"]?.string == "home" && $0["state"]?.string == "stopped" })
    #expect(harness.ask(client, "status").compactMap { $0["account"]?["name"]?.string } == ["work"])
    // What is another account's than the only one says so.
    let told = harness.ask(harness.connect(3), "watch since=0 kinds=message").compactMap { $0["message"] }
    #expect(told.map { $0["account"]?.string } == ["home"])
    configuration.accounts = [Harness.alice]
    harness.nextConfiguration = .read(configuration)
    #expect(harness.ask(client, "reload").last?["restart"]?.array?.compactMap(\.string) == ["socket"], "still")
    configuration.daemon.socket = harness.configuration.daemon.socket
    harness.nextConfiguration = .read(configuration)
    #expect(harness.ask(client, "reload").last?["restart"]?.array?.isEmpty == true)
    #expect(harness.ask(client, "history bob@example.org").count == 2)
    harness.nextConfiguration = .refused("confab.conf:3: [daemon] sockt: unknown key")
    let refused = harness.ask(client, "reload").last
    #expect(refused?["error"]?.string == "failed")
    #expect(refused?["reason"]?.string == "confab.conf:3: [daemon] sockt: unknown key")
  }

  @Test("who waits for an account that is taken away is told")
  func gone() throws {
    let harness = try Harness(accounts: [Harness.alice, Harness.work])
    let client = harness.connect()
    harness.cut(port: 5224)
    harness.send(client, "status account=work for=online timeout=1h\n")
    harness.reload { $0.accounts.removeLast() }
    #expect(harness.takeLines(client).last?["error"]?.string == "not-found")
  }
}
