internal import CParticlesInterface
internal import ParticlesCore

/// The status of a call: a constant of `particles.h`.
struct Status {
  let code: CInt

  static let ok = CInt(PARTICLES_OK)
  static let misuse = CInt(PARTICLES_MISUSE)
  static let noMemory = CInt(PARTICLES_NOMEM)

  /// The rules whose status differs from their family's.
  private static let rules: [Rule: Int] = [
    .fileNotFound: PARTICLES_NOTFOUND, .noEntry: PARTICLES_NOTFOUND,
    .noDocument: PARTICLES_NOTFOUND, .fileExists: PARTICLES_EXISTS,
    .fileChanged: PARTICLES_CHANGED, .fileConflict: PARTICLES_CHANGED,
    .fileReadOnly: PARTICLES_READONLY, .losses: PARTICLES_VALUE,
    .fileBusy: PARTICLES_BUSY, .limit: PARTICLES_LIMIT, .fileClosed: PARTICLES_MISUSE,
    .fileGesture: PARTICLES_MISUSE,
    .unknownFormat: PARTICLES_FORMAT, .foreign: PARTICLES_FORMAT,
    .name: PARTICLES_NAME, .twins: PARTICLES_NAME, .link: PARTICLES_NAME, .special: PARTICLES_NAME,
    .parent: PARTICLES_NAME,
    .usage: PARTICLES_VALUE, .imageOutput: PARTICLES_VALUE, .cancelled: PARTICLES_CANCELLED,

    .misuse: PARTICLES_MISUSE, .busyHandle: PARTICLES_MISUSE, .forked: PARTICLES_MISUSE,
    .callback: PARTICLES_CALLBACK, .absentValue: PARTICLES_NOTFOUND,
    .absentName: PARTICLES_NOTFOUND, .refusedValue: PARTICLES_VALUE,
  ]

  init(of fault: Diagnostic) {
    let family = fault.rule.family
    code = CInt(Self.rules[fault.rule] ?? (family == "file" ? PARTICLES_SYSTEM : PARTICLES_DAMAGED))
  }

  /// A sentence for each status.
  static func text(_ status: CInt) -> StaticString {
    switch Int(status) {
    case PARTICLES_OK: "done"
    case PARTICLES_SYSTEM: "the system refused to read or write"
    case PARTICLES_DAMAGED: "the input breaks the rules of its format"
    case PARTICLES_LIMIT: "the input exceeds a limit"
    case PARTICLES_CHANGED: "another program has changed the file"
    case PARTICLES_NOTFOUND: "not found"
    case PARTICLES_EXISTS: "the file or entry exists"
    case PARTICLES_NAME: "the name or link is not allowed in a package"
    case PARTICLES_CANCELLED: "cancelled"
    case PARTICLES_MISUSE:
      "a handle is 0, closed, of another kind or in use, or an argument is missing or wrong"
    case PARTICLES_NOMEM: "not enough memory"
    case PARTICLES_FORMAT: "no known format, or one that cannot be read or written"
    case PARTICLES_READONLY: "the file may not be written"
    case PARTICLES_BUSY: "another program holds the lock of the file"
    case PARTICLES_VALUE: "the value is not allowed there"
    case PARTICLES_CALLBACK: "a callback has failed"
    case PARTICLES_ROW: "there is a next element"
    case PARTICLES_DONE: "there are no more elements"
    default: "unknown status"
    }
  }
}

/// Rules of this interface alone: they concern calls, not files.
extension Rule {
  static let misuse = Rule(
    "interface/misuse", .error, "wrong call", spec: "interface.md#errors")
  static let busyHandle = Rule(
    "interface/busy", .error, "another call uses the handle", spec: "interface.md#errors")
  static let forked = Rule(
    "interface/forked", .error,
    "a document cannot be used in a process that was forked after one was opened: open it in a process of its own",
    spec: "interface.md#errors")
  static let callback = Rule(
    "interface/callback", .error, "a callback has failed", spec: "interface.md#errors")
  static let cancelled = Rule(
    "interface/cancelled", .error, "cancelled", spec: "interface.md#errors")
  static let absentValue = Rule(
    "interface/not-set", .error, "there is no such value", spec: "interface.md#errors")
  static let losses = Rule(
    "interface/losses", .error, "the format of the file has no room for an edit",
    spec: "interface.md#errors")
  static let refusedValue = Rule(
    "interface/refused", .error, "the value is refused", spec: "interface.md#errors")
}

extension Diagnostic {
  /// The failure of a callback.
  static func callback(_ name: StaticString, _ result: CInt) -> Diagnostic {
    Diagnostic(.callback, "'\(name)'", expected: "0", found: "\(result)")
  }

  /// A wrong argument.
  static func argument(_ name: String, expected: String, found: String? = nil) -> Diagnostic {
    Diagnostic(.misuse, "'\(name)'", expected: expected, found: found)
  }
}
