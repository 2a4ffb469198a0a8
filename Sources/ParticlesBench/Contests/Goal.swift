/// A goal for an operation. Operations without a goal are measured for orientation.
struct Goal {
  /// A bound for our time, relative to a peer or absolute.
  enum Bound {
    /// At least this many times as fast as the peer.
    case timesFaster(Double)
    /// At most this many times the time of the peer.
    case timesAsLong(Double)
    /// The same per item.
    case timesAsLongEach(Double)
    /// At most this many seconds longer than the peer.
    case longer(Double)
    /// At most this many seconds; there is no peer.
    case seconds(Double)
  }

  let operation: Operation
  /// nil for all of them.
  let shape: Shape?
  /// The label of the peer; nil if there is none to compare with.
  let peer: String?
  let bound: Bound
  /// The largest permitted ratio of the size of our package to that of the peer.
  var size: Double?

  static let all = [
    Goal(.pack, .big, "zip -6", .timesFaster(6.5), size: 1),
    Goal(.pack, .many, "zip -6", .timesFaster(4.5), size: 0.76),
    Goal(.pack, .typical, "zip -6", .timesFaster(4), size: 1),
    Goal(.pack, .tiny, "zip -6", .timesAsLong(2), size: 1),
    Goal(.packFast, .big, "zip -6", .timesFaster(10), size: 1.08),
    Goal(.unpack, .big, "unzip", .timesFaster(8)),
    Goal(.unpack, .big, "bsdtar", .timesFaster(3.4)),
    Goal(.unpack, .many, "unzip", .timesFaster(6.5)),
    Goal(.list, .many, "unzip -l", .timesFaster(9)),
    Goal(.list, .tiny, "unzip -l", .timesFaster(1)),
    Goal(.list, .tiny, "true", .longer(0.001)),
    Goal(.extract, .tiny, "unzip -p", .timesFaster(1)),
    Goal(.extract, .tiny, "true", .longer(0.001)),
    Goal(.verify, .big, "unzip -t", .timesFaster(11)),
    Goal(.verify, .tiny, "unzip -t", .timesFaster(1)),
    Goal(.verify, .tiny, "true", .longer(0.001)),
    Goal(.verifyQuick, .big, "unzip -t", .timesFaster(100)),
    Goal(.append, nil, nil, .seconds(0.0003)),
    Goal(.appendSynced, .tiny, "sqlite3 -A", .timesAsLong(1)),
    Goal(.appendSynced, .many, "sqlite3 -A", .timesAsLong(1)),
    Goal(.replace, nil, "cp", .timesAsLong(1.2)),
    Goal(.read, .tiny, "read(2)", .timesAsLong(4)),
    Goal(.read, .many, nil, .seconds(0.000080)),
    Goal(.info, .tiny, "true", .longer(0.0015)),
    Goal(.decode, .tiny, "JSON parser", .timesAsLong(3)),
    Goal(.encode, .tiny, "JSON printer", .timesAsLong(3)),
    Goal(.convert, .tiny, "true", .longer(0.005)),
    Goal(.batch, .tiny, nil, .seconds(1.0 / 2000)),
    Goal(.exportCocos2d, .tiny, "100 emitters", .timesAsLongEach(1.5)),
    Goal(.exportSpriteKit, .tiny, "100 emitters", .timesAsLongEach(1.5)),
    Goal(.exportSceneKit, .tiny, "100 emitters", .timesAsLongEach(1.5)),
    Goal(.exportStarling, .tiny, "100 emitters", .timesAsLongEach(1.5)),
    Goal(.simulate10k, .tiny, "LÖVE", .timesFaster(6)),
    Goal(.simulate100k, .tiny, "LÖVE", .timesFaster(3)),
    Goal(.simulate10kTwo, .tiny, "1 core", .timesFaster(1.8)),
    Goal(.simulate100kTwo, .tiny, "1 core", .timesFaster(1.8)),
    // 1.8 times the goals for one core.
    Goal(.simulate10kTwo, .tiny, "LÖVE", .timesFaster(1.8 * 6)),
    Goal(.simulate100kTwo, .tiny, "LÖVE", .timesFaster(1.8 * 3)),
    Goal(.simulateMillion, .tiny, "100000 particles", .timesAsLong(1.5)),
    Goal(.renderGIF, .tiny, nil, .seconds(1.5)),
    Goal(.thumbnailTemplates, .tiny, nil, .seconds(0.060)),
    Goal(.thumbnailCorpus, .tiny, nil, .seconds(1.0 / 30)),
    Goal(.documentOpen, .tiny, nil, .seconds(0.0003)),
    Goal(.documentAutosave, .tiny, nil, .seconds(0.0003)),
    Goal(.documentAutosaveSynced, .tiny, "flush", .longer(0.001)),
    Goal(.documentUndo, .tiny, nil, .seconds(0.050)),
    Goal(.documentUndoMemory, .tiny, nil, .seconds(1)),
    Goal(.documentEdits, .tiny, nil, .seconds(10)),
    Goal(.documentBlocked, .tiny, nil, .seconds(0.005)),
    Goal(.typesLoad, nil, nil, .seconds(0.001)),
    Goal(.typeOfExtension, nil, nil, .seconds(1e-6)),
    Goal(.conforms, nil, nil, .seconds(1e-7)),
  ]

  /// The memory limit for each of our processes. A batch of conversions keeps the images that its
  /// documents share, up to 64 MiB; pictures need memory for their pixels and particles. Undo has its own
  /// limit, beyond a document of 100 MiB.
  static func memory(of operation: Operation) -> Int {
    if operation == .documentUndoMemory { return 50 << 20 }
    return operation == .batch || operation.isPicture ? 128 << 20 : 16 << 20
  }

  /// The goal of a comparison, if there is one.
  static func find(_ operation: Operation, _ shape: Shape, peer: String?) -> Goal? {
    all.first {
      $0.operation == operation && ($0.shape ?? shape) == shape && $0.peer == peer
    }
  }

  private init(
    _ operation: Operation, _ shape: Shape?, _ peer: String?, _ bound: Bound, size: Double? = nil
  ) {
    self.operation = operation
    self.shape = shape
    self.peer = peer
    self.bound = bound
    self.size = size
  }

  /// Whether our time keeps the bound.
  func isMet(ours: Double, theirs: Double?, sizeRatio: Double?) -> Bool {
    if let size, let sizeRatio, sizeRatio > size { return false }
    switch (bound, theirs) {
    case (.timesFaster(let factor), let theirs?): return theirs >= ours * factor
    case (.timesAsLong(let factor), let theirs?), (.timesAsLongEach(let factor), let theirs?):
      return ours <= theirs * factor
    case (.longer(let seconds), let theirs?): return ours <= theirs + seconds
    case (.seconds(let seconds), _): return ours <= seconds
    case (_, nil): return false
    }
  }

  /// The goal as the table shows it.
  var text: String {
    let time =
      switch bound {
      case .timesFaster(let factor): "≥ \(Text.plain(factor))×"
      case .timesAsLong(let factor): "≤ \(Text.plain(factor)) of its time"
      case .timesAsLongEach(let factor): "≤ \(Text.plain(factor)) of its time for each"
      case .longer(let seconds): "≤ +\(Text.time(seconds))"
      case .seconds(let seconds): "≤ \(Text.time(seconds))"
      }
    return time + (size.map { ", ≤ \(Text.plain($0)) of its size" } ?? "")
  }
}
