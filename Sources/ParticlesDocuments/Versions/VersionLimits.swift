/// How many versions are kept. Of a document: all of the last day, one for each hour of the last week, one
/// for each day of the last month, and one for each week before.
public struct VersionLimits: Sendable, Hashable {
  /// The greatest room for the versions of a document, in bytes; 1 GiB by default. The newest version and
  /// those of conflicts stay in any case.
  public var bytes = 1 << 30

  /// The greatest number of versions; 1,000 by default.
  public var count = 1_000

  /// The greatest room for the versions of all documents, in bytes; 8 GiB by default. It is enforced once a
  /// day; the newest version of each document that is there stays in any case.
  public var totalBytes = 8 << 30

  /// For how many seconds the versions of a document that is gone are kept; 90 days by default.
  public var goneSeconds = 90.0 * 86_400

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
