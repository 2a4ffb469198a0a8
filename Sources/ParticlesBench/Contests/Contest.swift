internal import ParticlesCore

/// An operation on a shape, run by our tool and by its peers in turn.
struct Contest {
  let operation: Operation
  let shape: Shape
  let ours: Contestant
  let peers: [Contestant]
}

/// A participant of a contest.
struct Contestant {
  /// The work that is timed.
  enum Work {
    /// A process, from its start to its end.
    case process(ChildProcess)
    /// A call inside this process.
    case call(() throws -> Void)
    /// A call too short to be timed once: it is repeated for some milliseconds.
    case shortCall(() throws -> Void)
    /// Work that measures itself.
    case measured(() throws -> Sample)
  }

  let label: String
  /// The preparation before every run, not timed.
  var prepare: () throws -> Void = {}
  let work: Work
  /// Checks the result of the first run, and throws if it is wrong.
  var check: () throws -> Void = {}
  /// The size of the result in bytes. Nil where it does not matter.
  var size: () throws -> Int? = { nil }
  /// How close its pictures are to the original, as the peak signal-to-noise ratio in dB. Nil where nothing is drawn.
  var quality: () throws -> Double? = { nil }
  /// The number of items that one run handles. Times are compared per item.
  var count = 1
}

/// The result of a contestant.
struct Achievement {
  let label: String
  let sample: Sample
  let size: Int?
  var quality: Double?
  var count = 1

  /// Seconds per item.
  var each: Double { sample.wall / Double(count) }
}

extension Contest {
  /// The results of a contest.
  struct Result {
    let operation: Operation
    let shape: Shape
    let ours: Achievement
    let peers: [Achievement]
  }

  /// Runs every contestant once in every round, so that other load on the machine affects all alike. The first round is
  /// a warm-up that is checked and not counted.
  /// - Parameter failed: called with the name and error of each peer that failed.
  /// - Throws: the error of our own contestant, which ends the contest.
  func run(rounds: Int, failed: (String) -> Void) throws -> Result {
    var runners = ([ours] + peers).map(Runner.init)
    for round in 0...rounds {
      for index in runners.indices where runners[index].isIn {
        try Interruption.check()
        do {
          try runners[index].run(counting: round > 0)
        } catch let error where index > 0 && !(error is Interruption) {
          runners[index].isIn = false
          failed("\(runners[index].contestant.label): \(error.text)")
        }
      }
    }
    let achievements = try runners.map { try $0.isIn ? $0.achievement() : nil }
    guard let ours = achievements[0] else { throw ChildProcess.Failure(text: "nothing measured") }
    return Result(
      operation: operation, shape: shape, ours: ours,
      peers: achievements.dropFirst().compactMap { $0 })
  }
}

/// A contestant and its samples so far.
private struct Runner {
  let contestant: Contestant
  var isIn = true
  private var samples: [Sample] = []
  private var repetitions = 1

  init(_ contestant: Contestant) { self.contestant = contestant }

  mutating func run(counting: Bool) throws {
    try contestant.prepare()
    let sample = try sample()
    if counting {
      samples.append(sample)
    } else {
      // Four milliseconds are long for the clock and short for whoever waits.
      if case .shortCall = contestant.work {
        repetitions = max(1, min(10_000, Int(saturating: 0.004 / max(sample.wall, 1e-7))))
      }
      try contestant.check()
    }
  }

  private func sample() throws -> Sample {
    switch contestant.work {
    case .process(let process): return try process.run()
    case .call(let body): return try Self.time(1, body)
    case .shortCall(let body): return try Self.time(repetitions, body)
    case .measured(let body): return try body()
    }
  }

  private static func time(_ repetitions: Int, _ body: () throws -> Void) throws -> Sample {
    let (wall, processor) = (Clock.wall, Clock.processor)
    for _ in 0..<repetitions { try body() }
    let times = (Clock.wall - wall, Clock.processor - processor)
    let count = Double(repetitions)
    return Sample(wall: times.0 / count, processor: times.1 / count, memory: nil)
  }

  func achievement() throws -> Achievement? {
    guard let median = Sample.median(of: samples) else { return nil }
    return Achievement(
      label: contestant.label, sample: median, size: try contestant.size(),
      quality: try contestant.quality(), count: contestant.count)
  }
}

/// A goal for an operation. Operations without a goal are measured for orientation.
struct Goal {
  /// A bound for our time, relative to a peer or absolute.
  enum Bound {
    /// At least this many times as fast as the peer.
    case timesFaster(Double)
    /// At most this many times the time of the peer.
    case timesAsLong(Double)
    /// At most this many times the time of the peer, per item.
    case timesAsLongEach(Double)
    /// At most this many seconds longer than the peer.
    case longer(Double)
    /// At most this many seconds. There is no peer.
    case seconds(Double)
  }

  let operation: Operation
  /// nil for all shapes.
  let shape: Shape?
  /// The label of the peer. Nil without a peer.
  let peer: String?
  let bound: Bound
  /// The largest permitted ratio of our package's size to the peer's.
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

  /// The memory limit for each of our processes. A batch of conversions keeps the images that its documents share, up
  /// to 64 MiB. Pictures need memory for their pixels and particles. Undo has its own limit, beyond a document of 100
  /// MiB.
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

/// A measured operation.
enum Operation: String, CaseIterable {
  /// Packs a folder.
  case pack
  /// Packs a folder at the fast level.
  case packFast = "pack-fast"
  /// Unpacks a package.
  case unpack
  /// Lists the names in a package.
  case list
  /// Extracts one small file.
  case extract
  /// Verifies a package by unpacking everything.
  case verify
  /// Verifies a package by the checksums of the stored bytes only.
  case verifyQuick = "verify-quick"
  /// Saves a document, of which 4 KB have changed, by appending to its file.
  case append
  /// Saves by appending, synchronised to disk: in the folder for temporary files. All other operations run in memory if
  /// there is room.
  case appendSynced = "append-synced"
  /// Saves the document of `append` by rewriting its file.
  case replace
  /// Opens a package in this process and reads one small file.
  case read
  /// Decodes a typical document from its JSON, in this process.
  case decode
  /// Encodes it as JSON.
  case encode
  /// Prints the version of the tool.
  case start
  /// Prints information about a small document.
  case info
  /// Converts a SpriteKit file to cocos2d without writing it (`--dry-run`).
  case convert
  /// Converts thousands of small effects with their images to packages, in one run.
  case batch

  /// Exports an effect of many plain emitters to cocos2d in this process, beside effects of fewer.
  case exportCocos2d = "export-cocos2d"
  /// Exports to SpriteKit.
  case exportSpriteKit = "export-spritekit"
  /// Exports to SceneKit.
  case exportSceneKit = "export-scenekit"
  /// Exports to Starling.
  case exportStarling = "export-starling"

  /// Advances and evaluates 10,000 particles on one core.
  case simulate10k = "simulate-10k"
  /// Simulates 10,000 particles on two cores.
  case simulate10kTwo = "simulate-10k-two"
  /// 100,000 particles.
  case simulate100k = "simulate-100k"
  /// Simulates 100,000 particles on two cores.
  case simulate100kTwo = "simulate-100k-two"
  /// A million particles, beside fewer.
  case simulateMillion = "simulate-million"

  /// Draws 60 frames of 512 × 512 pixels of the template Fire as a GIF.
  case renderGIF = "render-gif"
  /// Draws a thumbnail of 256 pixels of each template in a new process. The slowest counts.
  case thumbnailTemplates = "thumbnail-templates"
  /// Draws a thumbnail of each effect of the corpus, each in a new process.
  case thumbnailCorpus = "thumbnail-corpus"
  /// Opens a typical document, in this process.
  case documentOpen = "document-open"
  /// Changes a property and saves it automatically.
  case documentAutosave = "document-autosave"
  /// Saves the document as `documentAutosave` does, synchronised to disk, beside one flush of as many bytes.
  case documentAutosaveSynced = "document-autosave-synced"
  /// Undoes 10,000 edits.
  case documentUndo = "document-undo"
  /// Makes and undoes 10,000 edits of a document of 100 MiB. Memory is the peak for the edits.
  case documentUndoMemory = "document-undo-memory"
  /// Makes 100,000 edits. Memory is the growth by the last 80,000.
  case documentEdits = "document-edits"
  /// The longest time for reading and editing while a document of 100 MiB is saved.
  case documentBlocked = "document-blocked"

  /// Reads the system's types from their table.
  case typesLoad = "types-load"
  /// Looks up the type of a file name extension.
  case typeOfExtension = "type-of-extension"
  /// Tests whether one type conforms to another.
  case conforms

  /// Whether it runs inside this process.
  var isInProcess: Bool {
    switch self {
    case .pack, .packFast, .unpack, .list, .extract, .verify, .verifyQuick: false
    case .start, .info, .convert, .batch: false
    default: !isPicture
    }
  }

  /// Whether it depends on the shape. Otherwise, it is measured once, with the smallest shape.
  var isAboutPackages: Bool {
    switch self {
    case .pack, .packFast, .unpack, .list, .extract, .verify, .verifyQuick: true
    case .append, .appendSynced, .replace, .read: true
    default: false
    }
  }

  /// The number of simulated particles. Nil for other operations.
  var particleCount: Int? {
    switch self {
    case .simulate10k, .simulate10kTwo: 10_000
    case .simulate100k, .simulate100kTwo: 100_000
    case .simulateMillion: 1_000_000
    default: nil
    }
  }

  var isPicture: Bool {
    switch self {
    case .renderGIF, .thumbnailTemplates, .thumbnailCorpus: true
    default: false
    }
  }

  /// Whether two cores are measured beside one.
  var isOnTwoCores: Bool { self == .simulate10kTwo || self == .simulate100kTwo }

  /// The name of the format that many emitters are exported to. Nil for other operations.
  var exportFormat: String? {
    rawValue.hasPrefix("export-") ? String(rawValue.dropFirst("export-".count)) : nil
  }

  /// The number of counted rounds.
  func rounds(on shape: Shape, quick: Bool) -> Int {
    if particleCount != nil { return quick ? 3 : 7 }
    if self == .thumbnailCorpus { return 1 }
    if isPicture { return quick ? 1 : 5 }
    if [.documentUndoMemory, .documentEdits, .documentBlocked].contains(self) {
      return quick ? 1 : 3
    }
    return exportFormat == nil && self != .batch ? shape.rounds(quick: quick) : quick ? 1 : 3
  }
}
