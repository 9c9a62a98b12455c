import Glibc
import Syscalls

/// One way in from outside, fed with anything: it may refuse, and must not trap, hang, grow or break what it promises.
struct FuzzTarget: Sendable {
  let name: String
  let run: @Sendable ([UInt8]) -> Void

  static let all: [FuzzTarget] = [
    FuzzTarget(name: "stream", run: fuzzStream),
    FuzzTarget(name: "stanzas", run: fuzzStanzas),
    FuzzTarget(name: "negotiator", run: fuzzNegotiator),
    FuzzTarget(name: "scram", run: fuzzSCRAM),
    FuzzTarget(name: "jids", run: fuzzJIDs),
    FuzzTarget(name: "names", run: fuzzNames),
    FuzzTarget(name: "passwords", run: fuzzPasswords),
    FuzzTarget(name: "proxy", run: fuzzProxy),
    FuzzTarget(name: "network", run: fuzzNetwork),
    FuzzTarget(name: "transfers", run: fuzzTransfers),
    FuzzTarget(name: "web", run: fuzzWeb),
    FuzzTarget(name: "lines", run: fuzzLines),
    FuzzTarget(name: "json", run: fuzzJSON),
    FuzzTarget(name: "packs", run: fuzzPacks),
    FuzzTarget(name: "pictures", run: fuzzPictures),
    FuzzTarget(name: "pixels", run: fuzzPixels),
    FuzzTarget(name: "drawings", run: fuzzDrawings),
    FuzzTarget(name: "texts", run: fuzzTexts),
    FuzzTarget(name: "records", run: fuzzRecords),
    FuzzTarget(name: "log", run: fuzzLog),
    FuzzTarget(name: "checkpoint", run: fuzzCheckpoint),
    FuzzTarget(name: "configuration", run: fuzzConfiguration),
    FuzzTarget(name: "times", run: fuzzTimes),
    FuzzTarget(name: "terminal", run: fuzzTerminal),
    FuzzTarget(name: "ratchet", run: fuzzRatchet),
    FuzzTarget(name: "omemo", run: fuzzOMEMO),
    FuzzTarget(name: "envelopes", run: fuzzEnvelopes),
    FuzzTarget(name: "engine", run: fuzzEngine),
  ]

  /// The one that the command line names.
  static let chosen = all.first { $0.name == ProcessArguments.mended().first }
}

/// A promise: where it does not hold, libFuzzer keeps the input.
func hold(_ isKept: Bool, _ promise: @autoclosure () -> String) {
  guard !isKept else { return }
  print("NOT KEPT: \(promise())")
  fflush(nil)
  abort()
}

/// CONFAB_FUZZ_TRACE=1: says what happens, for a look at one input.
private let isTracing = unsafe getenv("CONFAB_FUZZ_TRACE") != nil

func trace(_ what: @autoclosure () -> String) {
  guard isTracing else { return }
  print(what())
  fflush(nil)
}
