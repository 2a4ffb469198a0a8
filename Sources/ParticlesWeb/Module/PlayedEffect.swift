internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel
internal import ParticlesRender
internal import ParticlesSimulation

/// An effect that a page plays: its document, its simulation, and its renderer. `Spec/player.md` lists the calls
/// of a page.
final class PlayedEffect {
  /// The options with which a page creates an effect.
  struct Options {
    var seed: UInt64?
    var profile: ParticleSystem.Profile?
    var rate = 1.0
    var speed = 1.0
    var place = ParticleSystem.Vector.zero
    var particles = 100_000
    var particleSteps = 20_000_000
  }

  /// The document as it is now.
  private(set) var document: JSONValue
  private(set) var system: ParticleSystem
  private(set) var simulation: Simulation
  private(set) var loop = SeamlessLoop()
  /// Warnings about numbers that ``set(_:to:beyond:)`` was allowed to put out of range.
  private var outOfRange: [Diagnostic] = []
  let options: Options
  private let limits: Limits
  private var images: [Int: Bitmap] = [:]
  private var imagePixels = 0
  var settings = EffectRenderer.Settings()
  private var drawer: EffectRenderer?
  /// The time that a search for a later moment has to reach.
  private var sought: Double?
  /// The steps that the search has taken.
  private var soughtSteps = 0
  /// The records that the page was given last.
  let records = DrawingRecords()
  var picture: Bitmap?
  let look = Appearance()
  /// The emitter whose columns `look` has.
  var lookedAt: Int?

  /// Reads a document.
  init(_ bytes: [UInt8], _ options: Options) throws(Diagnostic) {
    var limits = Limits.untrusted
    limits.particles = options.particles
    limits.particleSteps = options.particleSteps
    limits.frameSteps = options.particleSteps
    self.limits = limits
    self.options = options
    document = try JSONParser.parse(bytes, limits: limits)
    system = try Self.system(document, options, limits)
    simulation = Self.simulation(system, options)
  }

  private static func system(
    _ document: JSONValue, _ options: Options, _ limits: Limits
  ) throws(Diagnostic) -> ParticleSystem {
    scaled(try ParticleSystem(json: document, limits: limits), options)
  }

  private static func scaled(_ system: ParticleSystem, _ options: Options) -> ParticleSystem {
    var system = system
    if options.rate != 1 {
      for index in system.emitters.indices { system.emitters[index].multiplyRate(by: options.rate) }
    }
    return system
  }

  /// The effect at its start.
  /// - Parameter share: how many such simulations share the work of a step.
  private static func simulation(
    _ system: ParticleSystem, _ options: Options, share: Int = 1
  ) -> Simulation {
    let step = max(1, options.particleSteps / share)
    let simulation = Simulation(
      system, profile: options.profile, seed: options.seed, capacity: options.particles,
      budget: SimulationBudget(
        ofEachStep: step, start: max(step, min(step * startsOfStep, mostOfStart)),
        particles: options.particles))
    if options.place != .zero { simulation.begin(at: options.place) }
    return simulation
  }

  /// Steps that the time before an effect is first seen may take the work of: it is simulated once, and seconds of snow are
  /// more than a step.
  private static let startsOfStep = 10
  /// More particle steps would take seconds.
  private static let mostOfStart = 20_000_000

  /// Gives an image its pixels.
  func setImage(_ index: Int, _ bitmap: Bitmap) throws(Diagnostic) {
    guard system.images.indices.contains(index) else {
      throw Diagnostic(
        .range, at: .key("images"), "the index of an image",
        expected: "less than \(system.images.count)", found: "\(index)")
    }
    let others = imagePixels - (images[index].map { $0.width * $0.height } ?? 0)
    let pixels = others + bitmap.width * bitmap.height
    try limits.checkImage(pixels)
    (images[index], imagePixels, drawer) = (bitmap, pixels, nil)
  }

  /// Advances the effect, which moves to a place meanwhile.
  func advance(by seconds: Double, to place: ParticleSystem.Vector) {
    sought = nil
    run(for: min(seconds * options.speed, Self.longestAdvance), to: place)
    forget()
  }

  /// Longer ones would take more than a frame: a page that was hidden asks for less, or seeks.
  private static let longestAdvance = 1.0

  /// Starts again.
  func restart() { begin(for: 0) }

  /// Begins with all that is seen at a moment: in a loop, that are the last rounds before it.
  private func begin(for moment: Double) {
    let (system, options, share) = (system, options, loop.overlap(of: system))
    simulation = loop.begin(for: moment, of: system) {
      Self.simulation(system, options, share: share)
    }
    sought = nil
    // They would begin where particles were before.
    drawer?.forgetTrails()
    forget()
  }

  /// Goes to a moment, from the start, in the steps of `render`. In a loop, begins with the first round that is seen.
  /// - Parameter most: the steps to take in this call.
  /// - Returns: whether the moment is reached.
  func seek(_ seconds: Double, most: Int) -> Bool {
    let latest = loop.length > 0 ? Self.latest * Double(SeamlessLoop.mostRounds + 1) : Self.latest
    let seconds = seconds.isFinite ? min(max(0, seconds), latest) : 0
    if sought != seconds {
      begin(for: seconds)
      (sought, soughtSteps) = (seconds, 0)
    }
    forget()
    return goOn(to: seconds, most: most)
  }

  /// - Returns: whether the moment is reached that was begun for.
  private func goOn(to moment: Double, most: Int) -> Bool {
    let span = loop.span(to: moment, of: system)
    let count = Simulation.stepCount(of: span)
    // All steps are equal. Dividing the rest anew could change the last bit, and laws that count milliseconds by one.
    for _ in 0..<min(max(1, most), count - soughtSteps) {
      run(for: span / Double(count), to: simulation.place)
      soughtSteps += 1
    }
    return soughtSteps == count
  }

  /// Ten minutes, the longest round of a loop.
  private static let latest = SeamlessLoop.lengths.upperBound

  /// Sets a property of the document. Living particles go on if they have all numbers that it needs. Otherwise the
  /// effect is simulated again to the present moment, for at most 10 seconds. A loop shows the changed effect at once,
  /// at the present moment, unless its rounds are long. Camera and textures stay if the property is in an emitter.
  /// - Parameter beyond: whether a number may be out of the range of its property, with a warning.
  func set(_ path: String, to value: JSONValue, beyond: Bool = false) throws(Diagnostic) {
    let steps = try DocumentPath(path)
    let changed = try document.replacing(value, at: steps)
    let read = try ParticleSystem(json: changed, limits: limits)
    outOfRange = try outOfRange(in: read, after: steps, removes: value == .null, beyond: beyond)
    let system = Self.scaled(read, options)
    let seedIsKept = options.seed != nil || system.seed == self.system.seed
    let lawIsKept = options.profile != nil || system.asset.profile == self.system.asset.profile
    let time = time
    (document, self.system, sought) = (changed, system, nil)
    if steps.isOfEmitter { drawer?.change(to: system) } else { drawer = nil }
    if loop.length > 0, loop.span(to: time, of: system) <= Self.longestLoopAgain {
      let place = simulation.place
      begin(for: time)
      if place != simulation.place { simulation.begin(at: place) }
      soughtSteps = 0
      _ = goOn(to: time, most: .max)
    } else if seedIsKept, lawIsKept, let next = simulation.continued(with: system) {
      simulation = next
      loop.change(to: system)
    } else {
      loop.clear()
      simulation = Self.simulation(system, options, share: loop.overlap(of: system))
      simulation.advance(by: min(time, Self.longestAgain))
      drawer?.forgetTrails()
    }
    forget()
  }

  /// More would take longer than a frame in most effects.
  private static let longestAgain = 10.0
  /// A loop needs some rounds.
  private static let longestLoopAgain = 30.0

  /// Checks an effect that a change has made.
  /// - Returns: the warnings about numbers out of range that changes were allowed to make.
  /// - Throws: a ``Diagnostic`` of ``Rule/absentName`` if a key of the path names no property, and the first fault
  ///   that the document does not have already.
  private func outOfRange(
    in system: ParticleSystem, after path: DocumentPath, removes: Bool, beyond: Bool
  ) throws(Diagnostic) -> [Diagnostic] {
    if removes {
      // To check the path of a removed member, puts a value there.
      let probe = try document.replacing(.bool(true), at: path)
      if let read = try? ParticleSystem(json: probe, limits: limits) {
        try checkNames(of: path, read.diagnostics())
      }
    }
    let found = system.diagnostics()
    try checkNames(of: path, found)
    var warnings: [Diagnostic] = []
    for var fault in found where fault.rule == .range || fault.severity == .error {
      if fault.rule == .range, beyond || outOfRange.contains(where: { $0.isSame(as: fault) }) {
        fault.severity = .warning
        warnings.append(fault)
      } else if !known.contains(where: { $0.isSame(as: fault) }) {
        throw fault
      }
    }
    return warnings
  }

  /// Throws if a path leads to a member that is no property, unless the document has one already.
  private func checkNames(of path: DocumentPath, _ found: [Diagnostic]) throws(Diagnostic) {
    for fault in found where fault.rule == .unknownKey && path.leads(to: fault.location) {
      guard !known.contains(where: { $0.isSame(as: fault) }) else { continue }
      throw Diagnostic(.absentName, at: .key(path.text), "there is no such property")
    }
  }

  /// The findings about the document as it is.
  private var known: [Diagnostic] {
    (try? ParticleSystem(json: document, limits: limits).diagnostics()) ?? []
  }

  /// Takes another document, and begins again with its present options. Images stay, by their indices, and so
  /// do view and camera.
  func replace(_ bytes: [UInt8]) throws(Diagnostic) {
    let new = try JSONParser.parse(bytes, limits: limits)
    let system = try Self.system(new, options, limits)
    let isSameScene =
      system.images == self.system.images && system.sprites == self.system.sprites
      && system.asset == self.system.asset && system.preview == self.system.preview
    (document, self.system, outOfRange) = (new, system, [])
    for index in images.keys where !system.images.indices.contains(index) {
      if let image = images.removeValue(forKey: index) { imagePixels -= image.width * image.height }
    }
    if isSameScene { drawer?.change(to: system) } else { drawer = nil }
    restart()
  }

  /// Repeats a part of the effect without a seam from now on, and begins again.
  /// - Parameter seconds: of a round, or 0 for none.
  func repeatSeamlessly(every seconds: Double) {
    loop.length = seconds
    restart()
  }

  private func run(for seconds: Double, to place: ParticleSystem.Vector) {
    let (system, options, share) = (system, options, loop.overlap(of: system))
    loop.run(&simulation, for: seconds, to: place, most: options.particles) {
      Self.simulation(system, options, share: share)
    }
  }

  /// Seconds since the start.
  var time: Double { loop.passed + simulation.time }

  /// The simulations whose particles are seen, the oldest first.
  var shown: [Simulation] { loop.rounds + [simulation] }

  /// Ends the emission.
  func stop() {
    loop.length = 0
    simulation.stopEmitting()
  }

  /// Forgets the columns of an earlier moment.
  private func forget() { lookedAt = nil }

  /// Seconds of one showing.
  var duration: Double {
    if let stated = system.preview.duration, stated > 0, stated.isFinite { return stated }
    return VisibleSpan.firstSeconds(of: system)
  }

  /// Chooses size, camera and background of the picture.
  func view(_ settings: EffectRenderer.Settings) throws(Diagnostic) {
    (self.settings, drawer) = (settings, nil)
    _ = try renderer()
  }

  /// The renderer of the effect, made on first use.
  func renderer() throws(Diagnostic) -> EffectRenderer {
    if let drawer { return drawer }
    let renderer = try withDiagnostics { () throws(Failure) in
      try EffectRenderer(
        system, textures: images, settings: settings, profile: options.profile, limits: limits)
    }
    renderer.limitWork(pictures: 2)
    drawer = renderer
    return renderer
  }

  /// The sprites of the picture that was painted last, and how many were left out.
  var painted: (sprites: Int, omitted: Int) { drawer?.drawn ?? (0, 0) }

  /// Diagnostics about particles that limits left out, and about the drawing.
  var problems: [Diagnostic] {
    var problems = outOfRange + (drawer?.problems ?? [])
    if shown.contains(where: { $0.isOverCapacity }) {
      problems.append(
        Diagnostic(
          .limit, "particles are not emitted",
          expected: "at most \(options.particles) living particles, and "
            + "\(options.particleSteps) particle steps for each step",
          severity: .warning, hint: "lower rates or lifetimes, or raise the limits of the page"))
    }
    return problems
  }
}

extension Diagnostic {
  /// Whether another diagnostic reports the fault of this one, at any severity.
  fileprivate func isSame(as other: Diagnostic) -> Bool {
    rule == other.rule && location == other.location && found == other.found
      && detail == other.detail
  }
}

extension Emitter {
  /// Multiplies all emission.
  fileprivate mutating func multiplyRate(by factor: Double) {
    emission.rate = emission.rate.scaled(by: factor)
    emission.ratePerDistance = emission.ratePerDistance.scaled(by: factor)
    for index in emission.bursts.indices {
      emission.bursts[index].count = emission.bursts[index].count.scaled(by: factor)
    }
  }
}

/// Calls `body`, which throws diagnostics only where nothing cancels it.
func withDiagnostics<Result>(_ body: () throws(Failure) -> Result)
  throws(Diagnostic) -> Result
{
  #if hasFeature(Embedded)
    return try body()
  #else
    do {
      return try body()
    } catch let diagnostic as Diagnostic {
      throw diagnostic
    } catch {
      throw Diagnostic(.limit, "drawing was stopped")
    }
  #endif
}

// The options of a page: JSON objects whose members may all be missing.

extension PlayedEffect.Options {
  /// - Throws: a ``Diagnostic`` of ``Rule/json`` or ``Rule/range``.
  init(_ bytes: [UInt8]) throws(Diagnostic) {
    guard let object = try OptionReader(bytes) else { return }
    seed = try object.seed("seed")
    profile = object.text("profile").map { ParticleSystem.Profile(rawValue: $0) }
    if let profile, profile.law == nil {
      throw Diagnostic(
        .range, at: .key("profile"), "the law of an engine", expected: "the name of a profile",
        found: "'\(profile.rawValue.excerpt)'")
    }
    rate = try object.number("rate", 0...1e6) ?? rate
    speed = try object.number("speed", 0...100) ?? speed
    if let numbers = try object.numbers("place", 3...3) {
      place = ParticleSystem.Vector(numbers[0], numbers[1], numbers[2])
    }
    guard let limits = try object.object("limits") else { return }
    particles =
      try limits.number("particles", 1...1_000_000).map { Int(saturating: $0) } ?? particles
    particleSteps =
      try limits.number("particleSteps", 1...1e9).map { Int(saturating: $0) } ?? particleSteps
  }
}

extension EffectRenderer.Settings {
  /// - Throws: a ``Diagnostic`` of ``Rule/json``, ``Rule/type`` or ``Rule/range``.
  init(width: Int, height: Int, _ bytes: [UInt8]) throws(Diagnostic) {
    self.init(width: max(1, width), height: max(1, height))
    guard let object = try OptionReader(bytes) else { return }
    scale = try object.number("scale", 1e-6...1e6) ?? scale
    samples = try object.number("samples", 1...4).map { Int(saturating: $0) } ?? samples
    if let camera = object.value("camera"), camera != .null {
      view = .camera(try ParticleSystem.Camera(json: camera, at: .key(.root, "camera")))
    } else if let name = object.text("view") {
      switch name {
      case "auto": view = .automatic
      case "plane": view = .plane
      case "space": view = .space
      case "pixels": view = .pixels
      default:
        throw Diagnostic(
          .range, at: .key("view"), expected: "auto, plane, space or pixels",
          found: "'\(name.excerpt)'")
      }
    }
    if object.text("background") == "auto" {
      (background, isBackgroundOpen) = (EffectRenderer.dark, true)
    } else if let parts = try object.numbers("background", 3...4) {
      background = ParticleSystem.Color(
        parts[0], parts[1], parts[2], parts.count > 3 ? parts[3] : 1)
    }
  }
}

/// Reads the members of an object of options.
struct OptionReader {
  private let members: JSONObject

  /// - Returns: nil for no bytes.
  init?(_ bytes: [UInt8]) throws(Diagnostic) {
    guard !bytes.isEmpty else { return nil }
    let json = try JSONParser.parse(bytes, limits: .untrusted)
    guard let object = json.object else {
      throw Diagnostic(.json, "the options", expected: "an object", found: json.kind)
    }
    members = object
  }

  private init(_ members: JSONObject) { self.members = members }

  func value(_ key: String) -> JSONValue? { members[key] }

  func text(_ key: String) -> String? { members[key]?.string }

  private func failure(_ key: String, _ expected: String, _ found: JSONValue) -> Diagnostic {
    Diagnostic(.range, at: .key(key), expected: expected, found: found.line.excerpt)
  }

  func object(_ key: String) throws(Diagnostic) -> OptionReader? {
    guard let value = members[key] else { return nil }
    guard let object = value.object else { throw failure(key, "an object", value) }
    return OptionReader(object)
  }

  func number(_ key: String, _ range: ClosedRange<Double>) throws(Diagnostic) -> Double? {
    guard let value = members[key] else { return nil }
    guard let number = value.double, range.contains(number) else {
      throw failure(
        key,
        "a number from \(JSONValue.double(range.lowerBound).line) to "
          + JSONValue.double(range.upperBound).line, value)
    }
    return number
  }

  func numbers(_ key: String, _ count: ClosedRange<Int>) throws(Diagnostic) -> [Double]? {
    guard let value = members[key], value != .null else { return nil }
    let numbers = value.array?.compactMap { $0.double } ?? []
    guard count.contains(numbers.count), numbers.count == value.array?.count else {
      throw failure(key, "an array of \(count.upperBound) numbers", value)
    }
    return numbers
  }

  func seed(_ key: String) throws(Diagnostic) -> UInt64? {
    switch members[key] {
    case nil, .null?: return nil
    case .number(let number)?:
      if let seed = UInt64(number.text) { return seed }
    case .string(let text)?:
      if let seed = UInt64(text) { return seed }
    default: break
    }
    throw failure(key, "a whole number of 64 bits", members[key] ?? .null)
  }
}

extension PlayedEffect {
  /// A column of the appearance of an emitter's particles, in the order of `Spec/player.md`, or nil if there is none.
  func column(_ index: Int, ofEmitter emitter: Int) -> UnsafePointer<Float>? {
    if lookedAt != emitter {
      simulation.appearance(ofEmitter: emitter, into: look)
      lookedAt = emitter
    }
    let column: AppearanceColumn<Float>? =
      switch index {
      case 0: look.x
      case 1: look.y
      case 2: look.z
      case 3: look.velocityX
      case 4: look.velocityY
      case 5: look.velocityZ
      case 6: look.width
      case 7: look.height
      case 8: look.angle
      case 9: look.red
      case 10: look.green
      case 11: look.blue
      case 12: look.alpha
      case 13: look.intensity
      case 14: look.mix
      case 15: look.depth
      case 16: look.age
      case 17: look.life
      default: nil
      }
    return column?.numbers.baseAddress
  }

  /// Paints the effect as it is now.
  /// - Returns: the pixels, valid until the next picture.
  func paint() throws(Diagnostic) -> UnsafePointer<UInt8>? {
    let renderer = try renderer()
    picture = try withDiagnostics { () throws(Failure) in try renderer.draw(shown)
    }
    return picture?.pixels.withUnsafeBufferPointer { $0.baseAddress }
  }
}

// Answers about an effect, as JSON.

/// The kinds of reports, as in `Spec/player.md`.
enum ReportKind: Int32 {
  case failure = 0
  case diagnostics, statistics, document, view
}

extension PlayedEffect {
  func report(_ kind: ReportKind) throws(Diagnostic) -> JSONValue {
    switch kind {
    case .failure: .null
    case .diagnostics: .array(problems.map { $0.json })
    case .statistics: statistics
    case .document: document
    case .view: try shownView()
    }
  }

  private var statistics: JSONValue {
    var (living, emitted) = (0, 0)
    let emitters: [JSONValue] = system.emitters.indices.map { index in
      let all = shown.map { $0.population(ofEmitter: index) }
      let alive = all.reduce(0) { $0 + $1.alive }
      let born = all.reduce(0) { $0 + $1.emitted }
      living += alive
      emitted += born
      return [
        "name": .string(system.emitters[index].name), "alive": .int(alive), "emitted": .int(born),
      ]
    }
    return [
      "time": .finite(time), "alive": .int(living), "emitted": .int(emitted),
      "over": .bool(simulation.isOver), "quads": .int(records.quadCount),
      "painted": .int(painted.sprites), "omitted": .int(painted.omitted),
      "emitters": .array(emitters),
    ]
  }

  private func shownView() throws(Diagnostic) -> JSONValue {
    let renderer = try renderer()
    let isLinear = simulation.profile.drawing.space == .linear
    let background: JSONValue =
      renderer.background.map { color in
        .array([color.red, color.green, color.blue, color.alpha].map { .finite($0) })
      } ?? .null
    return [
      "width": .int(renderer.settings.width), "height": .int(renderer.settings.height),
      "linear": .bool(isLinear), "background": background, "camera": renderer.camera.report,
    ]
  }
}

extension Camera {
  /// The camera as in a document. The module has no code that writes documents.
  fileprivate var report: JSONValue {
    var object: JSONObject = [
      "position": .array([position.x, position.y, position.z].map { .finite($0) }),
      "target": .array([target.x, target.y, target.z].map { .finite($0) }),
    ]
    object["fov"] = fov.map { .finite($0) }
    object["orthoHeight"] = orthoHeight.map { .finite($0) }
    return .object(object)
  }
}
