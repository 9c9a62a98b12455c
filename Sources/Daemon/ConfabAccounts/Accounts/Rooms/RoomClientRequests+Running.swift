package import LineProtocol
import Records
import XML
import XMPPCore
package import XMPPExtensions

// Requests to run a room: its configuration, the right to speak, and registered nicks.
extension RoomClientRequests {
  /// Shows the form by which the room is configured (XEP-0045, section 10.2).
  package func showForm(for ticket: Ticket) { withForm(for: ticket) { [effects] in effects.answer(ticket, .form($0)) } }

  /// Changes fields of that form; the others stay.
  ///
  /// - Parameter changes: makes the changes by the form, or says why it does not take them.
  package func configure(
    for ticket: Ticket, _ changes: @escaping (DataForm) -> Result<[DataForm.Change], RequestFailure>
  ) {
    withForm(for: ticket) { [weak self] form in
      switch changes(form) {
      case .failure(let failure): self?.effects.answer(ticket, .failed(failure))
      case .success(let changes):
        self?.ask(for: ticket) { [jid = self?.jid] id in
          jid.map { RoomConfiguration.submit(form, changes, to: $0, id: id) } ?? []
        }
      }
    }
  }

  private func withForm(for ticket: Ticket, _ use: @escaping (DataForm) -> Void) {
    surroundings.requests.ask(jid, isOfClient: true) { [jid] in
      RoomConfiguration.request(jid, id: $0)
    } then: { [effects] answer in
      guard case .result(let iq) = answer else { return effects.answer(ticket, answer.outcome) }
      do throws(DataForm.Failure) {
        use(try RoomConfiguration.form(in: iq))
      } catch {
        effects.answer(ticket, .refused(error.words))
      }
    }
  }

  /// Asks for the right to speak (section 7.13).
  package func askForVoice(for ticket: Ticket) {
    let id = effects.token(bytes: 12)
    surroundings.stream.send(VoiceRequest.ask(in: jid, id: id))
    confirm(id) { [effects] in effects.answer(ticket, $0) }
  }

  /// Answers somebody who asks for it (section 8.6).
  ///
  /// - Parameter isDone: true if the room has done it, asked behind the answer.
  func answer(
    _ request: RoomRecord.VoiceRequest, isGranted: Bool, for ticket: Ticket, isDone: @escaping () -> Bool
  ) {
    let id = effects.token(bytes: 12)
    surroundings.stream.send(VoiceRequest.answer(isGranted, to: request.nick, request.jid, in: jid, id: id))
    confirm(id) { [effects] outcome in
      if case .done = outcome, !isDone() {
        effects.answer(ticket, .refused("the room did not give \(request.nick) the right to speak"))
      } else {
        effects.answer(ticket, outcome)
      }
    }
  }

  /// Shows my registered nick (section 7.10).
  package func showRegistration(for ticket: Ticket) {
    withRegistration(for: ticket) { [effects] in effects.answer(ticket, .registered($0.nick)) }
  }

  /// Registers a nick.
  package func register(_ nick: String, for ticket: Ticket) {
    withRegistration(for: ticket) { [weak self] registration in
      guard let self else { return }
      guard registration.openFields.isEmpty else {
        let fields = registration.openFields.joined(separator: ", ")
        return effects.answer(ticket, .refused("the room asks for more than a nick: \(fields)"))
      }
      ask(for: ticket) { [jid] in
        registration.submit(nick: nick, to: jid, id: $0)
      } reading: { _ in
        .registered(nick)
      }
    }
  }

  private func withRegistration(for ticket: Ticket, _ use: @escaping (Registration) -> Void) {
    surroundings.requests.ask(jid, isOfClient: true) { [jid] in
      Registration.request(jid, id: $0)
    } then: { [effects] answer in
      switch answer {
      case .result(let iq):
        if let registration = Registration(iq) { return use(registration) }
        effects.answer(ticket, .unsupported("the room registers no nicks"))
      case .error(let iq):
        let error = StanzaError(parsing: iq)
        let isUnknown = ["service-unavailable", "feature-not-implemented"].contains(error.condition)
        let words = "the room registers no nicks: \(error.sentence)"
        effects.answer(ticket, isUnknown ? .unsupported(words) : answer.outcome)
      case .missing(let outcome): effects.answer(ticket, outcome)
      }
    }
  }
}

extension DataForm.Failure {
  /// In words for people.
  fileprivate var words: String {
    switch self {
    case .missing: "the room gives no form"
    case .tooManyFields: "the room's form has more than \(DataForm.mostFields) fields"
    case .tooLong: "the room's form has more than \(DataForm.mostBytes) bytes"
    }
  }
}
