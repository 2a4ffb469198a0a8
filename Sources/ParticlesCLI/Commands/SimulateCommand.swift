internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesModel
internal import ParticlesRender
internal import ParticlesSystem

extension Command {
  /// Prints statistics, or all particles, of a running effect.
  static let simulate = Command(
    name: "simulate", group: .pictures,
    summary: "Run an effect and print statistics of its particles as JSON.",
    discussion: """
      Runs the effect several times with different random numbers, and prints means and deviations over all living \
      particles: counts, positions, sizes, angles and colours. Units and axes follow the engine whose law is \
      simulated. Equal files, options and versions give equal numbers on every machine.

      With --particles, one run is printed as JSON lines: a header, then for each frame and emitter \
      a line with all living particles.

      With --against, the effect is compared with another effect, with statistics that this command printed, or with \
      a recording of an engine in this form: a number for each aspect, 0 for no difference to 1 for nothing in \
      common. The difference of the effects is the difference of their most different aspect. The runs have the \
      limits that --work raises. The effect follows the law of its own engine, or of --engine. The file itself can \
      be statistics, too.

      Of several documents, --output names the folder for the results: NAME.json, or NAME.jsonl with --particles.
      """,
    arguments: [.documents()],
    options: [
      .frames, .fps, .seeds, .firstSeed, .every, .engine, .particles, .against, .output, .force,
      .work, .from, .images, .project, .json,
    ] + Option.inputs,
    examples: [
      Example("particles simulate fire.particles", "Print statistics over 300 frames and 16 runs."),
      Example(
        "particles simulate smoke.pex --engine starling --frames 60 -o smoke.json",
        "Run the first second as Starling does."),
      Example(
        "particles simulate fire.sks --particles --frames 30",
        "Print every particle of the first 30 frames."),
      Example(
        "particles simulate fire.plist --against trace.json",
        "Print how different the effect is from a recording of an engine."),
    ],
    run: { invocation in
      let words = invocation.arguments("file")
      let plan = try SimulationWords(invocation)
      let output = invocation.value(.output)
      let isBatch = try ConversionPlan.isBatch(
        words, to: output, isRecursive: invocation.flag(.recursive))
      if let other = invocation.value(.against) {
        guard !isBatch else { throw UsageError("'--against' compares one document") }
        return try invocation.compare(words[0], with: other, profile: plan.profile)
      }
      guard isBatch else {
        let row = try invocation.explainingFolder(words[0]) {
          try simulate(words[0], to: output ?? Invocation.standardStream, plan, invocation)
        }
        if let row, invocation.flag(.json) { try invocation.print(.object(row)) }
        return .done
      }
      guard let output, output != Invocation.standardStream else {
        throw UsageError(
          "the statistics of several documents need a folder", hint: "name it with --output")
      }
      let batch = try BatchOfResults(
        invocation, words, to: output, extension: plan.isListing ? "jsonl" : "json")
      return try batch.run { input, output in
        try simulate(input, to: output, plan, invocation).map { .object($0) }
      }
    })

  /// Runs the effect of a document.
  /// - Returns: the members for `--json`, or nil if the result went to standard output.
  private static func simulate(
    _ input: String, to output: String, _ plan: SimulationWords, _ invocation: Invocation
  ) throws -> JSONObject? {
    let opened = try invocation.effect(at: input)
    let system = try locating(Location(file: input)) { try opened.package.system() }
    try locating(Location(file: input)) { try plan.plan.check(system) }
    invocation.note(opened.unreadValues.map { $0.inside(Location(file: input)) })
    let run = SimulationRun(
      system: system, profile: plan.profile ?? system.asset.profile, plan: plan.plan,
      origin: try origin(of: input, unit: system.asset.unit))
    guard output != Invocation.standardStream else {
      try invocation.checkStandardOutput()
      let isOver = try run.write(particles: plan.isListing) {
        try invocation.console.write($0)
      }
      warn(isOver, input, plan.plan.limits, invocation)
      return nil
    }
    var (isOver, size) = (false, 0)
    try SafeSave.file(output, replacing: invocation.flag(.force)) { file in
      isOver = try run.write(particles: plan.isListing) { text in
        let bytes = Array(text.utf8)
        size += bytes.count
        try file.write(bytes)
      }
    }
    warn(isOver, input, plan.plan.limits, invocation)
    return [
      "source": .string(input), "path": .string(output),
      "profile": .string(run.profile.rawValue), "frames": .int(plan.plan.frames),
      "size": .int(size),
    ]
  }

  private static func origin(
    of input: String, unit: ParticleSystem.LengthUnit
  ) throws -> ParticleStatistics.Origin {
    let version = Tool.particles.version
    guard input != Invocation.standardStream, try Files.status(input)?.kind == .file else {
      return ParticleStatistics.Origin(
        file: Files.lastComponent(of: input), version: version, unit: unit)
    }
    return ParticleStatistics.Origin(
      file: Files.lastComponent(of: input),
      sha256: SHA256.digest(try Files.read(input)).description, version: version, unit: unit)
  }

  private static func warn(
    _ isOver: Bool, _ input: String, _ limits: Limits, _ invocation: Invocation
  ) {
    guard isOver else { return }
    invocation.note([.particlesLeftOut(input, limits, orRun: "run fewer --frames and --seeds")])
  }
}

extension Diagnostic {
  /// Particles of a run that were left out because of the limits.
  static func particlesLeftOut(
    _ input: String, _ limits: Limits, orRun option: String?
  ) -> Diagnostic {
    Diagnostic(
      .limit, at: Location(file: input), "particles are not emitted",
      expected: "at most \(limits.particles) living particles of an emitter (limit "
        + "'particles') and \(limits.particleSteps) particle steps (limit 'particleSteps')",
      severity: .warning,
      hint: (["lower rates or lifetimes", option].compactMap(\.self) + ["or allow more with --work"])
        .joined(separator: ", "))
  }
}

/// The options of `simulate`.
private struct SimulationWords {
  var plan = ParticleStatistics.Plan()
  var profile: ParticleSystem.Profile?
  var isListing: Bool

  init(_ invocation: Invocation) throws {
    plan.frames = try invocation.integer(.frames, in: 1...100_000) ?? plan.frames
    plan.framesPerSecond = try invocation.number(.fps, in: 1...1_000) ?? plan.framesPerSecond
    plan.seeds = try invocation.integer(.seeds, in: 1...1_000) ?? plan.seeds
    plan.firstSeed = UInt64(try invocation.integer(.firstSeed, in: 0...Int.max) ?? 1)
    plan.every = try invocation.integer(.every, in: 1...100_000) ?? plan.every
    plan.limits = try invocation.pictureLimits()
    plan.capacity = plan.limits.particles
    profile = invocation.engine
    isListing = invocation.flag(.particles)
    for option in [Option.seeds, .every] where isListing && invocation.value(option) != nil {
      throw UsageError(
        "--particles prints one run and every frame", hint: "leave out --\(option.name)")
    }
  }
}

/// A run whose result is written piece by piece.
private struct SimulationRun {
  let system: ParticleSystem
  let profile: ParticleSystem.Profile
  let plan: ParticleStatistics.Plan
  let origin: ParticleStatistics.Origin

  /// - Returns: whether an emitter reached the limit of living particles.
  func write(particles: Bool, _ write: (String) throws -> Void) throws -> Bool {
    guard particles else {
      let statistics = try ParticleStatistics(of: system, profile: profile, plan: plan)
      try write(statistics.json(origin, plan: plan, profile: profile).text)
      return statistics.isOverCapacity
    }
    let recording = ParticleRecording(of: system, profile: profile, plan: plan)
    try write(recording.header(origin).denseText + "\n")
    for frame in 1...plan.frames {
      for line in recording.frame(frame) { try write(line.denseText + "\n") }
    }
    return recording.isOverCapacity
  }
}

extension Option {
  /// The options that do not apply to a comparison, which chooses its runs itself.
  static let excludedByComparison: [Option] = [
    .particles, .output, .frames, .fps, .seeds, .firstSeed, .every,
  ]

  fileprivate static let frames = Option(
    "frames", value: .text("number"), default: "300", "The number of frames, 1 to 100,000.")
  fileprivate static let fps = Option(
    "fps", value: .text("number"), default: "60", "Frames per second, 1 to 1,000.")
  fileprivate static let seeds = Option(
    "seeds", value: .text("number"), default: "16", "The number of runs, 1 to 1,000.")
  fileprivate static let firstSeed = Option(
    "seed", value: .text("number"), default: "1", "The seed of the first run.")
  fileprivate static let every = Option(
    "every", value: .text("number"), default: "5", "The distance of the frames that are sampled.")
  fileprivate static let particles = Option(
    "particles", "Print every particle of every frame of one run.")

  static let against = Option(
    "against", value: .file("other"),
    "Print how different the effect is from another effect, or from statistics of a run.")
}

extension Invocation {
  /// Runs `simulate --against`.
  func compare(
    _ input: String, with other: String, profile: ParticleSystem.Profile?
  ) throws -> ExitStatus {
    for option in Option.excludedByComparison
    where value(option) != nil || flag(option) {
      throw UsageError("'--against' and '\(option.spelling)' exclude each other")
    }
    guard input != Self.standardStream || other != Self.standardStream else {
      throw UsageError("only one of the two can be standard input")
    }
    let limits = try pictureLimits()
    let (difference, isOverCapacity) = try difference(
      of: try side(at: input, profile), try side(at: other, nil), limits)
    if isOverCapacity { note([.particlesLeftOut(input, limits, orRun: nil)]) }
    if flag(.json) {
      guard var object = difference.json.object else { return .failed }
      object["source"] = .string(input)
      object["against"] = .string(other)
      try print(.object(object))
    } else {
      var table = Table(.left, .right)
      for aspect in EffectDifference.Aspect.allCases {
        if let number = difference.aspects[aspect] { table.add(aspect.rawValue, number.text) }
      }
      try console.write(table.text)
      let greatest = difference.greatest.map { " (\($0.rawValue))" } ?? ""
      try console.print("difference \(difference.whole.text)\(greatest)")
    }
    return .done
  }

  private enum Side {
    case effect(ParticleSystem, ParticleSystem.Profile?, turning: [Double])
    case record(EffectRecord)
  }

  private func side(at path: String, _ profile: ParticleSystem.Profile?) throws -> Side {
    if path != Self.standardStream, try Files.status(path)?.kind == .file {
      let bytes = try Files.read(path)
      if let json = try? JSONValue(parsing: bytes), EffectRecord.isRecord(json) {
        return .record(try locating(Location(file: path)) { try EffectRecord(json: json) })
      }
    }
    let package = try effect(at: path).package
    let system = try locating(Location(file: path)) { try package.system() }
    return .effect(system, profile, turning: package.turning(of: system))
  }

  /// The factor from the effect's unit of length to the recording's unit.
  private static func length(_ system: ParticleSystem, _ record: EffectRecord) -> Double {
    var asset = system.asset
    asset.unit = record.unit ?? asset.unit
    return UnitConversion.factor(from: system.asset, to: asset)
  }

  private func difference(
    of a: Side, _ b: Side, _ limits: Limits
  ) throws -> (difference: EffectDifference, isOverCapacity: Bool) {
    switch (a, b) {
    case (.effect(var system, let profile, let turning), .effect(let other, _, _)):
      system.asset.profile = profile ?? system.asset.profile
      let length = UnitConversion.factor(from: system.asset, to: other.asset)
      var plan = ParticleStatistics.Plan()
      plan.limits = limits
      for system in [system, other] {
        try plan.check(system, hint: ParticleStatistics.Plan.hintOfComparison)
      }
      let meter = try EffectMeter(system, length: length, turning: turning, limits: limits)
      return (try meter.difference(from: other), meter.isOverCapacity)
    case (.effect(let system, let profile, let turning), .record(let record)):
      return try record.measured(
        system, profile: profile ?? system.asset.profile, length: Self.length(system, record),
        turning: turning, limits: limits)
    case (.record(let record), .effect(let system, _, let turning)):
      return try record.measured(
        system, profile: system.asset.profile, length: Self.length(system, record),
        turning: turning, limits: limits)
    case (.record(let one), .record(let other)):
      guard one.plan.sampledFrames == other.plan.sampledFrames else {
        throw UsageError(
          "the recordings have different frames",
          hint: "print the statistics with the same --frames and --every")
      }
      return (EffectDifference([one], [other]), false)
    }
  }
}

extension Double {
  /// Three digits after the point.
  fileprivate var text: String {
    let thousandths = String(Int(saturating: (self * 1000).rounded()) + 1000)
    return "\(thousandths.first == "2" ? 1 : 0).\(thousandths.dropFirst())"
  }
}
