package import ParticlesCore
package import ParticlesModel

/// Statistics of an effect over several runs. All records have one unit and one direction of axes, so that
/// two can be compared: y points up, angles count anticlockwise. Places count from the emitter, or in a
/// recording from the origin of its engine.
package struct EffectRecord: Sendable {
  var emitters: [Emitter]
  /// The number of runs.
  let seeds: Int
  /// Whether depth is not compared, as in a plane.
  package var isFlat: Bool
  /// How much a rotation of the particles of each emitter shows, from 0 for round images to 1, the
  /// value if it is missing.
  package var turning: [Double] = []
  /// The unit of length, or nil if it is not known.
  package private(set) var unit: ParticleSystem.LengthUnit?
  /// Whether sizes are factors of the image rather than lengths.
  var isScaled = false
  /// The view of the recorded engine, or nil for a simulation.
  private var view: EngineUnits?
  /// Whether particles that cannot be seen were left out.
  package private(set) var hidesAny = false
  /// Whether particles were left out because of the limits of the plan.
  package private(set) var isOverCapacity = false
  /// Frames, their length and the distance of sampled frames. The number of runs is the record's.
  package let plan: ParticleStatistics.Plan
  /// The simulated profile, or the profile of the recorded engine.
  package let profile: ParticleSystem.Profile?
}

// MARK: - Simulations

extension EffectRecord {
  /// Runs an effect.
  /// - Parameters:
  ///   - system: the effect.
  ///   - profile: the law to follow.
  ///   - plan: frames and runs.
  ///   - groups: the number of records that the runs are shared out to.
  ///   - length: the factor that converts lengths to the unit of the effect to compare with.
  ///   - showsAll: whether particles that cannot be seen count, too.
  ///   - recording: the recording to compare with, or nil for another simulation.
  /// - Throws: `CancellationError` if the current task is cancelled.
  package static func runs(
    of system: ParticleSystem, profile: ParticleSystem.Profile, plan: ParticleStatistics.Plan,
    groups: Int = 1, length: Double = 1, showsAll: Bool = false,
    against recording: EffectRecord? = nil
  ) throws(Failure) -> [EffectRecord] {
    let other = recording?.view
    let lens = ParticleSelection(
      system, profile: profile, length: length, showsAll: showsAll,
      isScaled: recording?.isScaled ?? false, isRelative: other?.isRelative ?? true)
    let view = EngineUnits(comparing: lens, with: other)
    let sums = try ParticleStatistics.sums(
      of: system, profile: profile, plan: plan, seenAs: view, groups: groups)
    let columns = FrameSums.names(view).map { Column($0) }
    return sums.groups.map { emitters in
      var record = EffectRecord(
        emitters: emitters.map { frames in
          let rows = frames.map { $0.values }
          var emitter = Emitter(frames: rows.count)
          for (index, column) in columns.enumerated() {
            if let column { emitter[column] = rows.map { $0[index] } }
          }
          return emitter
        }, seeds: max(1, plan.seeds / max(1, groups)), isFlat: system.asset.dimension == .plane,
        plan: plan, profile: profile)
      record.hidesAny = emitters.contains { $0.contains(where: { $0.hidesAny }) }
      record.isOverCapacity = sums.isOverCapacity
      return record
    }
  }

  /// The mean number of living particles over the frames at which there are any.
  package var meanCount: Double {
    emitters.reduce(0) { sum, emitter in
      let counts = (emitter[.count] ?? []).compactMap { $0 }.filter { $0 > 0 }
      return sum + (counts.isEmpty ? 0 : counts.reduce(0, +) / Double(counts.count))
    }
  }

  /// This record with the numbers of another record for all emitters but one.
  package func withEmitters(of other: EffectRecord, except index: Int) -> EffectRecord {
    var record = self
    for place in emitters.indices where place != index && other.emitters.indices.contains(place) {
      record.emitters[place] = other.emitters[place]
    }
    return record
  }

  /// Whether any particle was counted.
  package var showsAny: Bool {
    emitters.contains { $0[.count]?.contains { $0 ?? 0 > 0 } ?? false }
  }

  /// Whether any particle was emitted.
  package var isEmitting: Bool {
    emitters.contains { ($0[.births]?.last ?? 0) ?? 0 > 0 }
  }

  /// The mean colour with its opacity, and how much of the picture the emitter takes. Nil if the
  /// emitter cannot be seen.
  package static func look(
    ofEmitter index: Int, in records: [EffectRecord]
  ) -> (color: SIMD4<Float>, cover: Double)? {
    var (color, cover) = (SIMD4<Double>.zero, 0.0)
    for record in records where record.emitters.indices.contains(index) {
      let emitter = record.emitters[index]
      for frame in 0..<emitter.frames {
        guard let red = emitter.known(.r, frame), let green = emitter.known(.g, frame),
          let blue = emitter.known(.b, frame), let alpha = emitter.known(.a, frame)
        else { continue }
        let weight = emitter.value(.count, frame) * (emitter.known(.size, frame) ?? 1).magnitude
        color += SIMD4(red, green, blue, alpha) * weight
        cover += weight
      }
    }
    guard cover > 0 else { return nil }
    color /= cover
    let alpha = min(max(color.w, 0), 1)
    return (SIMD4<Float>(color).inUnit, cover * alpha)
  }
}

// MARK: - Recordings

extension EffectRecord {
  /// The difference of a running effect from this recording. A recording does not tell which particles can be seen, so
  /// the effect is compared with all particles and with the visible particles. The smaller difference counts.
  /// - Parameter limits: the work of the runs.
  /// - Returns: the difference, and whether particles were left out because of the limits.
  /// - Throws: ``ParticlesCore/Rule/limit`` for more emitters than the limits allow, or `CancellationError`
  ///   if the current task is cancelled.
  package func measured(
    _ system: ParticleSystem, profile: ParticleSystem.Profile, length: Double = 1,
    turning: [Double] = [], limits: Limits = .standard
  ) throws(Failure) -> (difference: EffectDifference, isOverCapacity: Bool) {
    var record = self
    record.turning = turning
    var plan = plan
    plan.limits = limits
    plan.capacity = limits.particles
    let seeds = max(
      plan.seeds, Int(saturating: min(Self.sample / max(meanCount, 0.1), Self.mostSeeds)))
    plan.seeds = min(seeds, plan.mostRuns(of: system))
    try plan.check(system, hint: ParticleStatistics.Plan.hintOfComparison)
    let runs = try [true, false].map { showsAll throws(Failure) in
      try Self.runs(
        of: system, profile: profile, plan: plan, length: length, showsAll: showsAll,
        against: record)
    }
    return (
      EffectDifference.least(of: runs.map { EffectDifference($0, [record]) }),
      runs[0].contains(where: { $0.isOverCapacity })
    )
  }

  /// The particles at a moment, of all runs together, that make the noise of a simulation small.
  private static let sample = 4_000.0
  /// The most runs.
  private static let mostSeeds = 256.0
  /// The most runs that a recording states, as many as `simulate` takes.
  private static let mostSeedsOfRecording = 1_000

  /// Whether a document has the form of statistics of a run.
  package static func isRecord(_ json: JSONValue) -> Bool {
    guard let root = json.object, let emitters = root["emitters"]?.array else { return false }
    return root["frames"]?.int != nil
      && emitters.allSatisfy { $0.object?["count"] != nil && $0.object?["births"] != nil }
  }

  /// Reads statistics that `simulate` printed, or a recording of an engine in that form.
  /// - Throws: a ``ParticlesCore/Diagnostic`` if it is neither.
  package init(json: JSONValue) throws(Failure) {
    guard Self.isRecord(json), let root = json.object, let list = root["emitters"]?.array else {
      throw Diagnostic(
        .json, expected: "statistics of a run, with the member 'emitters'", found: json.kind,
        hint: "write some with: particles simulate FILE -o FILE.json")
    }
    let engine = root["profile"]?.string ?? root["engine"]?.string ?? ""
    profile = Self.profile(of: engine)
    // A column that is 0 at every frame is a number.
    let hasDepth = list.contains { $0.object?["z"].map { $0.double != 0 } ?? false }
    // Recordings of nodes of both kinds state both: "2D: y down; 3D: y up".
    let axes = (root["axis"]?.string ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
    let axis = axes.first { $0.hasPrefix(hasDepth ? "3D: " : "2D: ") }?.dropFirst(4) ?? axes.first
    var view = EngineUnits(profile ?? .neutral, hasDepth ? .space : .plane)
    let isDown = axis.map { $0.hasPrefix("y down") } ?? view.isDown
    if axis?.hasSuffix(EngineUnits.relativeAxis) == true { view.isRelative = true }
    seeds = min(max(root["seeds"]?.int ?? 16, 1), Self.mostSeedsOfRecording)
    // Other arrays, such as a transform, have other lengths.
    let length = list.lazy.compactMap { emitter in
      emitter.object?.members.lazy.filter { Self.column($0.key) != nil }
        .compactMap { $0.value.array?.count }.first
    }.first
    var plan = ParticleStatistics.Plan()
    plan.frames = min(max(root["frames"]?.int ?? plan.frames, 1), 100_000)
    plan.framesPerSecond = root["dt"]?.double.map { $0 > 0 ? 1 / $0 : 60 } ?? plan.framesPerSecond
    let frames = root["sampledFrames"]?.array?.compactMap { $0.int }
    plan.every = max(1, frames?.first ?? plan.frames / max(1, length ?? 60))
    plan.seeds = seeds
    self.plan = plan
    let count = plan.sampledFrames.count
    emitters = list.map { json in
      var emitter = Emitter(frames: count)
      for member in json.object?.members ?? [] {
        guard let column = Self.column(member.key) else { continue }
        let isMirrored =
          column == .y && isDown || column == .rot && view.isClockwise
        emitter[column] = Self.numbers(member.value, count).map { number in
          number.map { isMirrored ? -$0 : $0 }
        }
      }
      return emitter
    }
    let units = root["units"]?.string ?? ""
    unit =
      root["unit"]?.string.map { ParticleSystem.LengthUnit(rawValue: $0) }
      ?? (units.contains("pixel") ? .pixel : units.hasPrefix("world unit") ? .unit : nil)
    isScaled = list.contains { $0.object?["scale"] != nil }
    self.view = view
    isFlat = emitters.allSatisfy { ($0[.z] ?? []).allSatisfy { $0 ?? 0 == 0 } }
  }

  /// Sizes are in pixels, factors or units, because only the ratio of both sides counts.
  private static func column(_ name: String) -> Column? {
    switch name {
    case "scale", "w": .size
    case "scaleY", "h": .sizeY
    case "scaleSd", "wSd": .sizeSd
    default: Column(name)
    }
  }

  /// A column whose frames are all equal is a single number.
  private static func numbers(_ json: JSONValue, _ count: Int) -> [Double?] {
    if let number = json.double { return [Double?](repeating: number, count: count) }
    var numbers = (json.array ?? []).prefix(count).map { $0.double }
    numbers += [Double?](repeating: nil, count: count - numbers.count)
    return numbers
  }

  /// The profile of an engine such as `cocos2d-html5` or `pixi-5.0.8`.
  private static func profile(of engine: String) -> ParticleSystem.Profile? {
    let profiles = ParticleSystem.EngineLaw.all.map { $0.profile }
    return profiles.first { $0.rawValue == engine }
      ?? profiles.first { engine.hasPrefix($0.rawValue) || engine.hasSuffix($0.rawValue) }
      ?? profiles.first { !engine.isEmpty && $0.rawValue.hasPrefix(engine) }
  }

  /// A column of numbers, one for each frame that was sampled.
  enum Column: Int, Sendable, CaseIterable {
    case count, births, x, y, z, rot, r, g, b, a, size, sizeY
    case countSd, xSd, ySd, zSd, rotCircSd, sizeSd, rSd, gSd, bSd, aSd

    /// The names in recordings, in the order of the columns.
    private static let names =
      "count births x y z rot r g b a size sizeY countSd xSd ySd zSd rotCircSd sizeSd rSd gSd bSd aSd"
    /// The columns by their names in recordings.
    private static let named = Dictionary(
      uniqueKeysWithValues: zip(names.split(separator: " "), allCases))

    /// - Parameter name: the name in recordings. Unknown names give nil.
    init?(_ name: String) {
      guard let column = Self.named[Substring(name)] else { return nil }
      self = column
    }

    /// Whether it has the standard deviations of another column.
    var isDeviation: Bool { rawValue >= Column.countSd.rawValue }
  }

  /// The columns of an emitter. A number is nil where no particle lived.
  struct Emitter: Sendable {
    /// The numbers of each column.
    let frames: Int
    /// The frames of all columns, column by column, with room for missing columns.
    private var numbers: [Double?]
    private var isThere: [Bool]

    /// Creates an emitter without columns.
    init(frames: Int = 0) {
      self.frames = frames
      numbers = [Double?](repeating: nil, count: Column.allCases.count * frames)
      isThere = [Bool](repeating: false, count: Column.allCases.count)
    }

    func has(_ column: Column) -> Bool { isThere[column.rawValue] }

    /// The numbers of a column, one for each frame, or nil if it is missing.
    subscript(column: Column) -> [Double?]? {
      get { has(column) ? Array(numbers[range(column)]) : nil }
      set {
        isThere[column.rawValue] = newValue != nil
        numbers.replaceSubrange(
          range(column), with: newValue ?? [Double?](repeating: nil, count: frames))
      }
    }

    private func range(_ column: Column) -> Range<Int> {
      column.rawValue * frames..<(column.rawValue + 1) * frames
    }

    /// A number. Nil if the column is missing, if the frame is out of range, or if no particle lived.
    func known(_ column: Column, _ frame: Int) -> Double? {
      guard frame >= 0, frame < frames else { return nil }
      return numbers[column.rawValue * frames + frame]
    }

    /// A number, or 0 where no particle lived.
    func value(_ column: Column, _ frame: Int) -> Double { known(column, frame) ?? 0 }
  }
}
