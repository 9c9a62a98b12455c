import Clocks

/// What a stream that goes on need not be asked again: the server still owes the answers, or has given them.
extension Session {
  /// What was asked on a stream, and what came of it so far.
  struct Questions {
    var pending: PendingIQs
    var features: OwnFeatures
    var archive: ArchiveProgress
    /// See `Session.arrived`.
    var arrived: Set<UInt64>
    var testimony: ArchiveTestimony
    /// See `Session.rosterTrouble`.
    var rosterTrouble: String?
  }

  var questions: Questions {
    Questions(
      pending: iqs, features: features, archive: archive, arrived: arrived, testimony: testimony,
      rosterTrouble: rosterTrouble)
  }

  /// An earlier stream goes on: answers have their whole time again.
  func takeUp(_ questions: Questions?) {
    guard let questions else { return }
    (iqs, features, archive) = (questions.pending, questions.features, questions.archive)
    (arrived, testimony, rosterTrouble) = (questions.arrived, questions.testimony, questions.rosterTrouble)
    (archive.told, archive.isOwedFromBefore) = (nil, archive.run != nil)
    iqs.renew(at: effects.now.instant)
  }

  /// Asks for what nobody has been asked for.
  func askFurther(_ questions: Questions?) {
    guard questions != nil else { return askFeatures() }
    if features.unknown.isEmpty, archive.state == .unknown { beginArchive() }
  }
}
