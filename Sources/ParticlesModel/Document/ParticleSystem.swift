public import ParticlesCore

/// An effect: emitters, what their particles look like, and how to show them.
///
/// This is a plain value without reference to files. Times are in seconds, angles in degrees counter-clockwise,
/// distances in ``Asset/unit``. The y axis points up. Colours are sRGB with straight alpha. An element refers to an
/// element of another array by its index.
public struct ParticleSystem: Sendable, Hashable {
  /// The version of the format that this library writes.
  public static let version = "1.0"

  /// The name of the extension that stores the imported source. The specification describes it.
  public static let sourceExtension = "PTX_source"

  /// Metadata of the document.
  public var asset = Asset()

  /// The extensions that the document uses. Default: none.
  public var extensionsUsed: [String] = []

  /// The extensions that a reader must support. Default: none.
  public var extensionsRequired: [String] = []

  /// The images in the package. Default: none.
  public var images: [ImageReference] = []

  /// The sprites that particles show. Default: none.
  public var sprites: [Sprite] = []

  /// The surfaces that emit particles. Default: none.
  public var meshes: [Mesh] = []

  /// The emitters. Default: none.
  public var emitters: [Emitter] = []

  /// The indices of the emitters that start with the effect. Default: nil (all emitters that no trigger starts).
  public var roots: [Int]?

  /// Default settings for showing the effect.
  public var preview = Preview()

  /// The seed of the random numbers. Default: 0. Equal seeds give equal effects.
  public var seed: UInt64 = 0

  /// Unknown JSON members, preserved on save. See ``Extensible``.
  public var additions = JSONObject()

  /// Creates an effect without emitters.
  public init() {}

  /// Creates an effect.
  public init(name: String, emitters: [Emitter]) {
    asset.name = name
    self.emitters = emitters
  }

  /// The indices of the emitters that start with the effect: ``roots``, or all emitters that no
  /// trigger starts.
  public var startingEmitters: [Int] {
    if let roots { return roots }
    let triggered = Set(emitters.flatMap { $0.triggers.map { $0.emitter } })
    return emitters.indices.filter { !triggered.contains($0) }
  }
}

extension ParticleSystem: ModelObject {
  package static let title = "Document"
  package static let about = "An effect."

  package static let properties: [Property<ParticleSystem>] = [
    .required("asset", { $1(&$0.asset) }, "Metadata of the document."),
    .value("extensionsUsed", { $1(&$0.extensionsUsed) }, "The extensions that the document uses."),
    .value(
      "extensionsRequired", { $1(&$0.extensionsRequired) }, schema: .emptyArray,
      "The extensions that a reader must support."),
    .value("images", { $1(&$0.images) }, "The images in the package."),
    .value("sprites", { $1(&$0.sprites) }, "The sprites that particles show."),
    .value("meshes", { $1(&$0.meshes) }, "The surfaces that emit particles."),
    .value("emitters", { $1(&$0.emitters) }, "The emitters."),
    .optional(
      "roots", { $1(&$0.roots) },
      "The indices of the emitters that start with the effect; all emitters that no trigger starts "
        + "if null."),
    .value("preview", { $1(&$0.preview) }, "Default settings for showing the effect."),
    .value("seed", { $1(&$0.seed) }, "The seed of the random numbers."),
  ]
}

extension ParticleSystem {
  /// Reads a document.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/type``, or of
  ///   ``ParticlesCore/Rule/documentVersion`` if the document was written for a newer version or
  ///   needs an extension.
  public init(json: JSONValue) throws(Diagnostic) {
    try Self.checkVersion(json)
    try self.init(object: json, at: .root)
  }

  /// Parses and reads a document.
  /// - Throws: what ``init(json:)`` throws, and a ``ParticlesCore/Diagnostic`` of
  ///   ``ParticlesCore/Rule/json`` or ``ParticlesCore/Rule/limit``.
  public init(decoding bytes: [UInt8], limits: Limits = .standard) throws(Diagnostic) {
    try self.init(json: JSONParser.parse(bytes, limits: limits), limits: limits)
  }

  /// Reads a document whose size is limited.
  package init(json: JSONValue, limits: Limits) throws(Diagnostic) {
    try limits.checkEmitters(json.object?["emitters"]?.array?.count ?? 0, at: .key("emitters"))
    try self.init(json: json)
  }

  /// Serialises the document to the bytes of `document.json`. Equal documents give equal bytes.
  public func encoded() -> [UInt8] { json.bytes }

  /// Rejects a document of a newer version before anything else is read: types of properties may
  /// have changed.
  private static func checkVersion(_ json: JSONValue) throws(Diagnostic) {
    guard let object = json.object else { return }
    if let asset = object["asset"]?.object {
      let path = JSONPath.root.appending("asset")
      if let version = asset["version"]?.string {
        let (major, _) = try parse(version, at: path.appending("version"))
        guard major <= known.major else {
          throw newer(version, at: path.appending("version"))
        }
      }
      if let least = asset["minVersion"]?.string {
        let version = try parse(least, at: path.appending("minVersion"))
        guard version <= known else { throw newer(least, at: path.appending("minVersion")) }
      }
    }
    if let name = object["extensionsRequired"]?.array?.first?.string {
      throw Diagnostic(
        .documentVersion, at: JSONPath.root.appending("extensionsRequired").appending(0).location,
        "it requires an unsupported extension", found: "'\(name)'")
    }
  }

  private static let known = (major: 1, minor: 0)

  private static func newer(_ version: String, at path: JSONPath) -> Diagnostic {
    Diagnostic(
      .documentVersion, at: path.location, expected: "at most \(Self.version)",
      found: "'\(version)'")
  }

  private static func parse(_ version: String, at path: JSONPath) throws(Diagnostic) -> (Int, Int) {
    var (numbers, isNumber, isVersion) = ([0], false, true)
    for byte in version.utf8 {
      if (0x30...0x39).contains(byte) {
        // A number that does not fit is a newer version.
        let (tens, isLarge) = numbers[numbers.count - 1].multipliedReportingOverflow(by: 10)
        let (sum, isLarger) = tens.addingReportingOverflow(Int(byte - 0x30))
        numbers[numbers.count - 1] = isLarge || isLarger ? .max : sum
        isNumber = true
      } else {
        isVersion = isVersion && isNumber && byte == UInt8(ascii: ".")
        numbers.append(0)
        isNumber = false
      }
    }
    guard numbers.count == 2, isNumber, isVersion else {
      throw JSONValue.string(version).mismatch("a version such as \"1.0\"", at: path)
    }
    return (numbers[0], numbers[1])
  }
}

// Conversion to another unit of length: scales every length, speed and acceleration, and nothing
// else.

extension ParticleSystem {
  /// Returns this effect in another unit of length. One current unit is `factor` new units.
  public func scaled(by factor: Double) -> ParticleSystem {
    guard factor != 1 else { return self }
    var system = self
    system.asset.unitsPerMeter = asset.unitsPerMeter.map { $0 * factor }
    system.emitters = emitters.map { $0.scaled(by: factor) }
    for index in sprites.indices { system.sprites[index].scale /= factor }
    return system
  }
}

extension Emitter {
  fileprivate func scaled(by factor: Double) -> Emitter {
    var emitter = self
    emitter.transform.translation *= factor
    emitter.emission.ratePerDistance = emission.ratePerDistance.scaled(by: 1 / factor)
    emitter.shape = shape.scaled(by: factor)
    emitter.launch.speed = launch.speed.scaled(by: factor)
    emitter.motion = motion.scaled(by: factor)
    emitter.forces = forces.map { $0.scaled(by: factor) }
    if size.mode == .units {
      emitter.size.width = size.width.multiplied(by: factor)
      emitter.size.height = size.height?.multiplied(by: factor)
    }
    emitter.render.soft?.near *= factor
    emitter.render.soft?.far *= factor
    emitter.render.links?.distance *= factor
    emitter.render.links?.width *= factor
    emitter.scaleDomains(by: factor)
    return emitter
  }

  /// Scales the inputs of sizes, angles, colours and depth that are a length or a speed.
  private mutating func scaleDomains(by factor: Double) {
    size.width.scaleDomain(by: factor)
    rotation.angle.scaleDomain(by: factor)
    rotation.velocity.scaleDomain(by: factor)
    color.opacity.scaleDomain(by: factor)
    color.intensity.scaleDomain(by: factor)
    color.mix.scaleDomain(by: factor)
    render.z.scaleDomain(by: factor)
    size.height?.scaleDomain(by: factor)
  }

  /// The emitter with motion and forces in the coordinates of the effect: in the space `local`, its scale
  /// applies to them (`Spec/document.md`, Space).
  package func scalingMotion(in dimension: Dimension) -> Emitter {
    let factor = transform.scale.mean(in: dimension)
    guard space == .local, factor != 1 else { return self }
    var emitter = self
    emitter.motion = motion.scaled(by: factor)
    emitter.forces = forces.map { $0.space == .local ? $0.scaled(by: factor) : $0 }
    emitter.scaleDomains(by: factor)
    return emitter
  }

  /// The emitter without a scale, which its lengths are multiplied by: exact if the factors of the axes are
  /// equal and positive.
  package func withoutScale(in dimension: Dimension) -> Emitter {
    let factor = transform.scale.mean(in: dimension)
    var emitter = scalingMotion(in: dimension)
    emitter.transform.scale = .one
    emitter.shape = shape.scaled(by: factor)
    emitter.launch.speed = launch.speed.scaled(by: factor)
    guard space == .local else { return emitter }
    emitter.size.width = emitter.size.width.multiplied(by: factor)
    emitter.size.height = emitter.size.height?.multiplied(by: factor)
    return emitter
  }
}

extension Scale {
  /// One factor for numbers without a direction: the mean of the magnitudes of the factors of the axes.
  package func mean(in dimension: Dimension) -> Double {
    let plane = x.magnitude + y.magnitude
    return dimension == .plane ? plane / 2 : (plane + z.magnitude) / 3
  }
}

extension Shape {
  fileprivate func scaled(by factor: Double) -> Shape {
    var shape = self
    shape.length *= factor
    shape.radius *= factor
    shape.pipe *= factor
    shape.height *= factor
    shape.size *= factor
    shape.radii = Vector2(radii.x * factor, radii.y * factor)
    shape.points = points.map { $0.map { $0 * factor } }
    shape.positions = positions.map { $0 * factor }
    shape.transform.translation *= factor
    if offset != .zero {
      shape.offset = ValueVector(
        offset.x.scaled(by: factor), offset.y.scaled(by: factor), offset.z.scaled(by: factor))
    }
    return shape
  }
}

extension Motion {
  fileprivate func scaled(by factor: Double) -> Motion {
    var motion = self
    if speedMode == .replace {
      motion.speed = speed?.scaled(by: factor)
    } else {
      motion.speed?.scaleDomain(by: factor)
    }
    motion.orbit?.radius = orbit?.radius.scaled(by: factor) ?? 0
    motion.orbitVelocity.scaleDomain(by: factor)
    motion.drift = drift.scaled(by: factor)
    motion.path?.points = path?.points.map { $0 * factor } ?? []
    motion.maxSpeed = maxSpeed?.scaled(by: factor)
    motion.direction?.scaleDomain(by: factor)
    return motion
  }
}

extension Force {
  fileprivate func scaled(by factor: Double) -> Force {
    var force = self
    force.vector = vector.scaled(by: factor)
    force.center *= factor
    force.maxDistance = maxDistance.map { $0 * factor }
    force.limit *= factor
    switch kind {
    case .drag where law != .constant: force.strength.scaleDomain(by: factor)
    case .field: force.strength.scaleDomain(by: factor)
    case .radial, .tangential, .vortex:
      // The strength is divided by a power of the distance, and the distance is scaled too.
      var power = factor
      if falloff != 0, let exponent = Int(exactly: falloff) {
        for _ in 0..<min(abs(exponent), 16) { power *= exponent > 0 ? factor : 1 / factor }
      }
      force.strength = strength.scaled(by: power)
    default: force.strength = strength.scaled(by: factor)
    }
    if kind == .noise { force.scale *= factor }
    return force
  }
}

extension Value {
  /// This value with every number multiplied.
  public func scaled(by factor: Double) -> ParticleSystem.Value {
    mapped(isFalling: factor < 0) { $0 * factor }
  }

  /// This value with a monotonic function applied to its numbers.
  /// - Parameter isFalling: whether the function exchanges the ends of a range.
  package func mapped(isFalling: Bool = false, _ function: (Double) -> Double) -> Value {
    switch self {
    case .constant(let number): return .constant(function(number))
    case .uniform(var range):
      (range.min, range.max) = (function(range.min), function(range.max))
      if isFalling { swap(&range.min, &range.max) }
      return .uniform(range)
    case .choice(var choice):
      choice.numbers = choice.numbers.map(function)
      return .choice(choice)
    case .ramp(var ramp):
      ramp.low = ramp.low.mapped(isFalling: isFalling, function)
      ramp.high = ramp.high.mapped(isFalling: isFalling, function)
      return .ramp(ramp)
    }
  }
}

extension Track {
  /// This track with every number multiplied, and its input scaled too if it is a length or a
  /// speed.
  public func scaled(by factor: Double) -> ParticleSystem.Track {
    var track = multiplied(by: factor)
    track.scaleDomain(by: factor)
    return track
  }

  /// This track with every number multiplied. The input does not change.
  fileprivate func multiplied(by factor: Double) -> ParticleSystem.Track {
    var track = self
    track.from = from.scaled(by: factor)
    track.to = to?.scaled(by: factor)
    track.rate = rate.scaled(by: factor)
    track.range = range.map { Interval($0.lower * factor, $0.upper * factor) }
    return track
  }

  fileprivate mutating func scaleDomain(by factor: Double) {
    guard over == .speed || over == .distance, to != nil else { return }
    let known = domain ?? .unit
    domain = Interval(known.lower * factor, known.upper * factor)
  }
}

extension VectorTrack {
  fileprivate func scaled(by factor: Double) -> VectorTrack {
    VectorTrack(x.scaled(by: factor), y.scaled(by: factor), z.scaled(by: factor))
  }
}

extension Vector {
  package static func * (vector: Vector, factor: Double) -> Vector {
    Vector(vector.x * factor, vector.y * factor, vector.z * factor)
  }

  fileprivate static func *= (vector: inout Vector, factor: Double) { vector = vector * factor }
}

extension ParticleSystem {
  /// The number of particles of an emitter, estimated from the document alone.
  public struct Population: Sendable, Hashable {
    /// Particles emitted per second, including repeated bursts.
    public var rate = 0.0

    /// Particles emitted at once.
    public var burst = 0.0

    /// Upper bound of particles alive at once. Infinite if nothing ends them.
    public var alive = 0.0
  }

  /// Upper bound of the particles of each emitter: every random value at its maximum, no particle
  /// lost in a collision. Particles emitted by movement (`ratePerDistance`) are not counted.
  /// Emitters that trigger each other in a cycle count as if they were not triggered.
  public func populations() -> [Population] {
    var populations = [Population](repeating: Population(), count: emitters.count)
    for index in startingEmitters where emitters.indices.contains(index) {
      guard emitters[index].enabled, !emitters[index].timing.isStopped else { continue }
      populations[index] = emitters[index].ownPopulation
    }
    // An emitter comes before the emitters that it triggers.
    var open = [Int](repeating: 0, count: emitters.count)
    for trigger in emitters.flatMap({ $0.triggers })
    where emitters.indices.contains(trigger.emitter) {
      open[trigger.emitter] += 1
    }
    var ready = emitters.indices.filter { open[$0] == 0 }
    while let index = ready.popLast() {
      let population = emitters[index].settle(populations[index])
      populations[index] = population
      for trigger in emitters[index].triggers where emitters.indices.contains(trigger.emitter) {
        let target = trigger.emitter
        trigger.add(to: &populations[target], of: emitters[target], from: population)
        open[target] -= 1
        if open[target] == 0 { ready.append(target) }
      }
    }
    for index in emitters.indices where open[index] > 0 {
      populations[index] = emitters[index].settle(populations[index])
    }
    return populations
  }
}

extension Emitter {
  /// The maximum lifetime in seconds.
  private var longestLife: Double { max(0, lifetime.bounds.upper) }

  /// The total duration of all periods in seconds, infinite if the emitter loops or has no duration.
  fileprivate var activity: Double {
    timing.loop ? .infinity : timing.duration.map { max(0, $0.bounds.upper) } ?? .infinity
  }

  /// The emission of the emitter itself, without triggers.
  fileprivate var ownPopulation: Population {
    var population = Population()
    let steady = max(0, emission.rate.bounds.upper) * emission.probability
    population.rate = steady
    let period = timing.duration.map { max(0, $0.bounds.upper) }
    if let period { population.burst += steady * period * emission.explosiveness }
    for burst in emission.bursts {
      let count = max(0, burst.count.bounds.upper) * burst.probability * emission.probability
      population.burst += count
      if burst.cycles != 1 {
        population.rate += count / burst.interval
      } else if timing.loop, let period {
        population.rate += count / max(period + max(0, timing.idle.bounds.lower), 1e-3)
      }
    }
    population.burst = max(population.burst, Double(emission.minAlive))
    return population
  }

  /// Computes the number alive from the emission, within the limits of the emitter.
  fileprivate func settle(_ population: Population) -> Population {
    // A stopped emitter does not emit when others trigger it, either.
    guard !timing.isStopped else { return Population() }
    var population = population
    let window = min(longestLife, activity)
    let born = product(population.rate, window)
    population.alive = longestLife > 0 ? born + population.burst : 0
    for limit in [emission.total, emission.maxAlive] {
      if let limit { population.alive = min(population.alive, Double(limit)) }
    }
    return population
  }
}

extension Trigger {
  /// Adds the particles that one emitter triggers in another.
  fileprivate func add(
    to population: inout Population, of emitter: Emitter, from parent: Population
  ) {
    // Events per second, and at once.
    let (rate, burst) =
      switch event {
      case .birth, .death, .collision: (parent.rate, parent.burst)
      case .interval: (parent.alive / interval, parent.alive)
      case .frame: (parent.alive * 60, parent.alive)
      case .living: (0, parent.alive)
      }
    if let count {
      let share = max(0, count.bounds.upper) * probability
      population.rate += product(rate, share)
      population.burst += product(burst, share)
    } else {
      let own = emitter.ownPopulation
      // With `living` a copy ends with the particle that started it.
      let running = burst + product(rate, emitter.activity)
      population.rate += product(running, probability, own.rate)
      population.rate += product(rate, probability, own.burst)
      population.burst += product(burst, probability, own.burst)
    }
  }
}

/// The product, where 0 times infinity is 0.
private func product(_ factors: Double...) -> Double {
  factors.contains(0) ? 0 : factors.reduce(1, *)
}

extension ParticleSystem {
  /// All problems of the effect, and its unknown properties. Every location is a key path. Image
  /// files are not opened.
  public func diagnostics() -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    check(nil, at: .root, into: &diagnostics)
    checkReferences(into: &diagnostics)
    checkCycles(into: &diagnostics)
    return diagnostics
  }

  private func checkReferences(into diagnostics: inout [Diagnostic]) {
    func check(_ index: Int, of count: Int, _ what: String, at path: JSONPath) {
      guard index < 0 || index >= count else { return }
      let range =
        switch count {
        case 0: "no \(what): there is none"
        case 1: "0: there is only one"
        default: "an index from 0 to \(count - 1)"
        }
      diagnostics.add(.reference, at: path.location, what, expected: range, found: "\(index)")
    }
    for (index, sprite) in sprites.enumerated() {
      let path = JSONPath.root.appending("sprites").appending(index)
      check(sprite.image, of: images.count, "image", at: path.appending("image"))
      checkRegion(of: sprite, at: path.appending("region"), into: &diagnostics)
    }
    for (index, emitter) in emitters.enumerated() {
      let path = JSONPath.root.appending("emitters").appending(index)
      for (index, sprite) in emitter.sprites.enumerated() {
        check(
          sprite, of: sprites.count, "sprite", at: path.appending("sprites").appending(index))
      }
      for (index, trigger) in emitter.triggers.enumerated() {
        let place = path.appending("triggers").appending(index).appending("emitter")
        check(trigger.emitter, of: emitters.count, "emitter", at: place)
      }
      if let mesh = emitter.shape.mesh {
        check(mesh, of: meshes.count, "mesh", at: path.appending("shape").appending("mesh"))
      }
    }
    for (index, root) in (roots ?? []).enumerated() {
      check(
        root, of: emitters.count, "emitter", at: .root.appending("roots").appending(index))
    }
  }

  /// Checks that the region of a sprite is inside its image, if the size of the image is known.
  func checkRegion(
    of sprite: Sprite, at path: JSONPath, into diagnostics: inout [Diagnostic]
  ) {
    guard let region = sprite.region, region.isPartOfSomeImage,
      images.indices.contains(sprite.image), let width = images[sprite.image].width,
      let height = images[sprite.image].height,
      region.x + region.width > Double(width) || region.y + region.height > Double(height)
    else { return }
    diagnostics.add(
      .range, at: path.location, expected: "a region inside the image (\(width) × \(height))",
      found: region.json.line)
  }

  private func checkCycles(into diagnostics: inout [Diagnostic]) {
    for (emitter, trigger) in closingTriggers {
      let path = JSONPath.root.appending("emitters").appending(emitter)
        .appending("triggers").appending(trigger).appending("emitter")
      diagnostics.add(
        .reference, at: path.location, "the emitters trigger each other in a cycle",
        expected: "an emitter that does not lead back here",
        found: "\(emitters[emitter].triggers[trigger].emitter)")
    }
  }

  /// The triggers that close a cycle of emitters: without them there is none.
  package var closingTriggers: [(emitter: Int, trigger: Int)] {
    enum State { case new, open, done }
    var closing: [(emitter: Int, trigger: Int)] = []
    var states = [State](repeating: .new, count: emitters.count)
    for start in emitters.indices where states[start] == .new {
      // No recursion: a long chain of emitters would overflow the stack.
      var stack = [(emitter: start, next: 0)]
      states[start] = .open
      while let (emitter, next) = stack.last {
        guard next < emitters[emitter].triggers.count else {
          states[emitter] = .done
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        let target = emitters[emitter].triggers[next].emitter
        guard emitters.indices.contains(target) else { continue }
        switch states[target] {
        case .done: break
        case .new:
          states[target] = .open
          stack.append((target, 0))
        case .open: closing.append((emitter, next))
        }
      }
    }
    return closing
  }
}
