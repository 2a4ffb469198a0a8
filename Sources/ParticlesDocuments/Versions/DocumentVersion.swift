internal import ParticlesCore

/// An earlier state of a document, kept in the data folder of the user.
public struct DocumentVersion: Sendable, Hashable {
  /// Why a version was kept.
  public enum Kind: String, Sendable, CaseIterable {
    /// The state before the first save.
    case opened
    /// A save that was asked for.
    case saved
    /// An automatic save.
    case autosaved
    /// A state that another program has saved.
    case outside
    /// A state that was replaced by an older version, or by the saved state.
    case replaced
    /// One side of a conflict.
    case conflict
  }

  /// Its number, unique in the versions of the document and never used again.
  public var number: Int

  /// Why it was kept.
  public var kind: Kind

  /// When it was kept, in seconds since 1970.
  public var seconds: Double

  /// The name of the program that kept it, and that of the machine.
  public var program: String, host: String

  /// A description, such as the changes that were made; nil if there is none.
  public var comment: String?

  /// The size of all files in bytes.
  public var size: Int

  /// The digest of the list of its files.
  var tree: String

  /// Whether the document was saved in this state, so that it may be in it still.
  var isSavedState: Bool { [.opened, .saved, .autosaved, .outside].contains(kind) }

  /// Whether it may be dropped to save room. The sides of a conflict may not, until they are deleted.
  var isDiscardable: Bool { kind != .conflict }

  var json: JSONValue {
    var object: JSONObject = [
      "number": .int(number), "kind": .string(kind.rawValue), "seconds": .double(seconds),
      "program": .string(program), "host": .string(host), "size": .int(size),
      "tree": .string(tree),
    ]
    object["comment"] = comment.map(JSONValue.string)
    return .object(object)
  }

  init(
    number: Int, kind: Kind, seconds: Double, comment: String?, size: Int, tree: String,
    program: String = RunningProcess.name, host: String = RunningProcess.host
  ) {
    (self.number, self.kind, self.seconds) = (number, kind, seconds)
    (self.comment, self.size, self.tree) = (comment, size, tree)
    (self.program, self.host) = (program, host)
  }

  /// Nil if a member is missing.
  init?(_ json: JSONValue) {
    guard let object = json.object, let number = object["number"]?.int,
      let kind = object["kind"]?.string.flatMap(Kind.init), let tree = object["tree"]?.string,
      let seconds = object["seconds"]?.double, let size = object["size"]?.int
    else { return nil }
    self.init(
      number: number, kind: kind, seconds: seconds, comment: object["comment"]?.string,
      size: size, tree: tree, program: object["program"]?.string ?? "",
      host: object["host"]?.string ?? "")
  }
}

/// How many versions of a document are kept: all of the last day, one for each hour of the last week, one
/// for each day of the last month, and one for each week before.
public struct VersionLimits: Sendable, Hashable {
  /// The greatest room for the versions of a document, in bytes; 1 GiB by default. The newest version and
  /// those of conflicts stay in any case.
  public var bytes = 1 << 30

  /// The greatest number of versions; 1,000 by default.
  public var count = 1_000

  /// Creates the default limits.
  public init() {}

  private static let (hour, day, week) = (3600.0, 86_400.0, 604_800.0)

  /// Returns the numbers of the versions that are dropped.
  /// - Parameters:
  ///   - versions: all versions, the oldest first.
  ///   - now: the time, in seconds since 1970.
  ///   - sizes: the room that dropping a version would free, by number.
  func superfluous(_ versions: [DocumentVersion], now: Double) -> Set<Int> {
    var dropped: Set<Int> = []
    var last: (Double, Double)?
    // From the newest: in each period the newest version stays.
    for version in versions.reversed() where version.isDiscardable {
      let age = now - version.seconds
      let period =
        age <= Self.day
        ? 0 : age <= Self.week ? Self.hour : age <= 30 * Self.day ? Self.day : Self.week
      guard period > 0 else { continue }
      let bucket = (period, (version.seconds / period).rounded(.down))
      if let last, last == bucket { dropped.insert(version.number) }
      last = bucket
    }
    let kept = versions.filter { $0.isDiscardable && !dropped.contains($0.number) }
    let excess = versions.count - dropped.count - count
    if excess > 0 { dropped.formUnion(kept.dropLast().prefix(excess).map(\.number)) }
    return dropped
  }
}
