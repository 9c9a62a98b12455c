import Bytes
import SASL
import Testing
import XMPPCore
import XMPPStream

/// Conversations that end well, written out; each is played whole, split everywhere and byte by byte.
@Suite struct GoldenTests {
  @Test func startTLSWithSHA1() throws {
    try Conversation(
      """
      C: <?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' to='example.org' version='1.0' xml:lang='en'>
      S: <?xml version='1.0'?><stream:stream from='example.org' id='a1' version='1.0' xml:lang='en' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'><stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/></stream:features>
      C: <starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>
      S: <proceed xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>
      TLS
      C: <?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' from='user@example.org' to='example.org' version='1.0' xml:lang='en'>
      S: <?xml version='1.0'?><stream:stream from='example.org' id='a2' version='1.0' xml:lang='en' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'><stream:features><mechanisms xmlns='urn:ietf:params:xml:ns:xmpp-sasl'><mechanism>PLAIN</mechanism><mechanism>SCRAM-SHA-1-PLUS</mechanism><mechanism>SCRAM-SHA-1</mechanism></mechanisms></stream:features>
      C: <auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='SCRAM-SHA-1'>biwsbj11c2VyLHI9ZnlrbytkMmxiYkZnT05Sdjlxa3hkYXdM</auth>
      S: <challenge xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>cj1meWtvK2QybGJiRmdPTlJ2OXFreGRhd0wzcmZjTkhZSlkxWlZ2V1ZzN2oscz1RU1hDUitRNnNlazhiZjkyLGk9NDA5Ng==</challenge>
      C: <response xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>Yz1iaXdzLHI9ZnlrbytkMmxiYkZnT05Sdjlxa3hkYXdMM3JmY05IWUpZMVpWdldWczdqLHA9djBYOHYzQnoyVDBDSkdiSlF5RjBYK0hJNFRzPQ==</response>
      S: <success xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>dj1ybUY5cHFWOFM3c3VBb1pXamE0ZEpSa0ZzS1E9</success>
      C: <?xml version='1.0'?><stream:stream xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' from='user@example.org' to='example.org' version='1.0' xml:lang='en'>
      S: <?xml version='1.0'?><stream:stream from='example.org' id='a3' version='1.0' xml:lang='en' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams'><stream:features><c hash='sha-1' ver='1jgYtVCrTmmY5i+2cFSBcXIkxSg=' node='http://prosody.im' xmlns='http://jabber.org/protocol/caps'/><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><required/></bind><session xmlns='urn:ietf:params:xml:ns:xmpp-session'><optional/></session><ver xmlns='urn:xmpp:features:rosterver'/><sub xmlns='urn:xmpp:features:pre-approval'/><sm xmlns='urn:xmpp:sm:2'><optional/></sm><sm xmlns='urn:xmpp:sm:3'><optional/></sm></stream:features>
      C: <iq type='set' id='q7-bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>confab</resource></bind></iq>
      S: <iq id='q7-bind' type='result'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><jid>user@example.org/confab</jid></bind></iq>
      READY user@example.org/confab
      """
    ).playEveryWay()
  }

  @Test func directTLSWithSHA256() throws {
    try Conversation(
      tls: .direct, nonce: "rOprNGfwEbeRWgbNEkqO",
      """
      TLS
      C: \(Snippet.header)
      S: \(Snippet.opened("s1"))\(Snippet.offersLogin("SCRAM-SHA-1", "SCRAM-SHA-256"))
      C: \(Snippet.auth("SCRAM-SHA-256", "{n,,n=user,r=rOprNGfwEbeRWgbNEkqO}"))
      S: \(Snippet.challenge("{r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096}"))
      C: \(Snippet.response("{c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=}"))
      S: \(Snippet.success("{v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=}"))
      C: \(Snippet.header)
      S: \(Snippet.opened("s2"))\(Snippet.offersBind)
      C: \(Snippet.bind)
      S: \(Snippet.bound("user@example.org/confab"))
      READY user@example.org/confab
      """
    ).playEveryWay()
  }

  @Test func directTLSWithSHA512AndTheProofInAChallenge() throws {
    try Conversation(
      tls: .direct, nonce: "rOprNGfwEbeRWgbNEkqO",
      """
      TLS
      C: \(Snippet.header)
      S: \(Snippet.opened("s1"))\(Snippet.offersLogin("SCRAM-SHA-512", "SCRAM-SHA-1", "SCRAM-SHA-256"))
      C: \(Snippet.auth("SCRAM-SHA-512", "{n,,n=user,r=rOprNGfwEbeRWgbNEkqO}"))
      S: \(Snippet.challenge("{r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096}"))
      C: \(Snippet.response("{c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=gMGXRcevScNtxZ6/8lQYpGtnsNAc3mGcmNomv+xnoOMw+3R2xNJdMNnzMlTN8PPC6wdp6dybEmDYXYTxwnYPJQ==}"))
      S: \(Snippet.challenge("{v=ZQnYEgWQMFmmsM8aQMF0nDDCy/AgCzkwk8CmMZYcMg0vSVlKDanekLtifDSeVGT4+5ZxXnJq199RVG2rR7N7Zw==}"))
      C: \(Snippet.response(""))
      S: \(Snippet.success(""))
      C: \(Snippet.header)
      S: \(Snippet.opened("s2"))\(Snippet.offersBind)
      C: \(Snippet.bind)
      S: \(Snippet.bound("user@example.org/confab"))
      READY user@example.org/confab
      """
    ).playEveryWay()
  }

  @Test func whatTheFeaturesSay() throws {
    let features = Snippet.features(
      "<bind xmlns='\(Snippet.bindNamespace)'/><sm xmlns='urn:xmpp:sm:3'/><ver xmlns='urn:xmpp:features:rosterver'/>"
        + "<sub xmlns='urn:xmpp:features:pre-approval'/>"
        + "<c xmlns='http://jabber.org/protocol/caps' hash='sha-1' node='n' ver='v'/>")
    let driver = try Conversation(
      """
      \(Snippet.untilSuccess)
      S: \(Snippet.opened("last"))\(features)
      C: \(Snippet.bind)
      S: \(Snippet.bound("user@example.org/confab"))
      """
    ).play()
    let stream = try #require(driver.ready)
    #expect(stream.login.mechanism == .scramSHA1)
    #expect(stream.tls == TLSFacts(version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384"))
    #expect(stream.features.streamManagement)
    #expect(stream.features.rosterVersioning)
  }

  /// After the last action the stream belongs to the session: the negotiator has no part in it.
  @Test func nothingAfterReady() throws {
    var driver = try Conversation(Snippet.whole).play()
    driver.isDeaf()
  }

  @Test(
    arguments: [
      ("user@example.org/server-chosen", ""),
      ("USER@Example.org/confab", ""),
      ("user@example.org/confab", " from='user@example.org'"),
      ("user@example.org/confab", " from='user@example.org/confab'"),
      ("user@example.org/confab", " from='example.org'"),
    ])
  func acceptedBindings(jid: String, from: String) throws {
    let driver = try Conversation("\(Snippet.untilBind)\nS: \(Snippet.bound(jid, from: from))").play()
    #expect(driver.ready?.jid.bare.description == "user@example.org")
  }

  @Test(
    arguments: [
      "<stream:stream xmlns='jabber:client' \(Snippet.streams) id='x' version='1.0'>",
      "<stream:stream xmlns='jabber:client' \(Snippet.streams) id='x' version='1.0' from='EXAMPLE.org'>",
      "<stream:stream xmlns='jabber:client' \(Snippet.streams) id='x' version='1.1' to='other' from='example.org'>",
      "<stream:stream xmlns='jabber:client' \(Snippet.streams) id='x' version='2.0' from='example.org'>",
      "\n<s:stream xmlns='jabber:client' xmlns:s='http://etherx.jabber.org/streams' xmlns:stream='http://etherx.jabber.org/streams' id='x' version='01.0'>",
    ])
  func acceptedHeaders(header: String) throws {
    // A line of a conversation holds no line feed; the leading one is part of what is tested.
    var driver = try Conversation("C: \(Snippet.plainHeader)").play()
    driver.receive(ArraySlice(header.utf8))
    driver.receive(ArraySlice(Snippet.offersTLS.utf8))
    #expect(driver.takeSent().hasSuffix(Snippet.startTLS))
  }
}
