internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// Says an emitter in the keys of an `SKEmitterNode`.
struct SpriteKitEmitterEncoder: EmitterEncoding {
  let system: ParticleSystem
  let emitter: Emitter
  let path: String
  var losses: [Diagnostic] = []

  /// The keys with their values, in the order in which they are written.
  private(set) var fields: [(key: String, value: Archivable)] = []

  /// The mean lifetime in seconds.
  var lifetime: Double { emitter.lifetime.mean }

  /// The sprite that particles show.
  var sprite: Sprite? {
    emitter.sprites.first.flatMap {
      system.sprites.indices.contains($0) ? system.sprites[$0] : nil
    }
  }

  /// The image of that sprite.
  var image: ImageReference? {
    sprite.flatMap {
      system.images.indices.contains($0.image) ? system.images[$0.image] : nil
    }
  }

  /// - Parameters:
  ///   - name: the name of the node; nil if it needs none.
  ///   - texture: the name by which SpriteKit finds the image; nil if there is none.
  ///   - parent: where the node above is, which the transform of this one starts from.
  init(
    _ system: ParticleSystem, emitter index: Int, name: String?, texture: String?,
    below parent: SpriteKitPlace = SpriteKitPlace()
  ) {
    self.system = system
    emitter = system.emitters[index]
    path = "emitters[\(index)]"
    fields = SpriteKitArchive.nodeState(name: name, isHidden: !emitter.enabled)
    encodeTransform(below: parent)
    encodeBirths()
    encodeShape()
    encodeLaunch()
    encodeForces()
    encodeMotion()
    encodeRotation()
    encodeTexture(named: texture)
    encodeSize()
    encodeColor()
    encodeRender()
    encodeRest()
    for key in ["_particleAction", "_shader", "_target", "_fieldInfluenceSequence"] {
      set(key, .null)
    }
    for key in ["_emissionDistance", "_emissionDistanceRange"] { set(key, 0) }
  }

  // MARK: Fields

  mutating func set(_ key: String, _ value: Archivable) { fields.append((key, value)) }

  mutating func set(_ key: String, _ value: Double) { set(key, SpriteKitArchive.real(value)) }

  mutating func set(_ key: String, integer value: Int) { set(key, .integer(value)) }

  mutating func set(_ key: String, pair x: Double, _ y: Double) {
    set(key, .string(Geometry.pair(x, y)))
  }

  /// A number, and the full width of the range around it.
  mutating func set(
    _ key: String, width: String, _ value: Value, _ capability: Capability, at place: String,
    times factor: Double = 1
  ) {
    let (center, half, isExact) = value.spread
    if !isExact {
      lose(
        .approximated, capability, at: place, "SpriteKit draws any number between two",
        recipe: half == 0 ? "the mean" : "least and greatest number")
    } else if half != 0, value.scope != .particle {
      lose(.approximated, capability, at: place, "SpriteKit draws it for each particle")
    } else if half == 0, !value.isConstant {
      lose(.restated, capability, at: place, "it is always the same number")
    }
    set(key, center * factor)
    set(width, 2 * half * factor)
  }

  /// A sequence of numbers over life, or nothing.
  mutating func set(_ key: String, sequence curve: Curve?, times factor: Double = 1) {
    guard let curve else { return set(key, .null) }
    set(
      key,
      SpriteKitArchive.sequence(
        curve.keys.map(\.time),
        curve.keys.map { SpriteKitArchive.sharedReal($0.value * factor) },
        curve.keys.first?.interpolation ?? curve.interpolation))
  }

  /// The curve of a track as a sequence has it, after lines about what is not the same.
  mutating func sequence(
    of track: Track, _ capability: Capability, at place: String
  ) -> Curve {
    var (curve, isExact) = track.curve(lifetime: lifetime)
    if track.over != .life { isExact = false }
    if let points = curve.sampledForSequence {
      (curve, isExact) = (points, false)
    }
    if !isExact {
      lose(
        .approximated, capability, at: place,
        "a sequence has the same values for all particles, over their life",
        recipe: "the mean, at points on the way")
    } else if track != Track(from: 0, to: 1, curve: curve) {
      lose(.restated, capability, at: place, "a sequence goes through the values themselves")
    }
    if curve.interpolation == .cubic {
      lose(.assumed, capability, at: place, "a spline is as steep as between its neighbours")
    }
    return curve
  }

  // MARK: Place

  private mutating func encodeTransform(below parent: SpriteKitPlace) {
    let transform = parent.inside(emitter.transform)
    set("_position", .point(transform.translation.x, transform.translation.y))
    set("_zRotation", SpriteKitArchive.sharedReal(Angle.radians(transform.angle)))
    set("_xScale", SpriteKitArchive.sharedReal(transform.scale.x))
    set("_yScale", SpriteKitArchive.sharedReal(transform.scale.y))
    set("_zPosition", SpriteKitArchive.sharedReal(Double(emitter.render.order) - parent.z))
    if emitter.transform.translation.z != 0 || emitter.transform.scale.z != 1 {
      lose(.lost, .sh3D, at: "transform", "SpriteKit is flat")
    }
    lose(
      .rot3D, at: "transform.rotation", emitter.transform.rotation, unless: .identity,
      "SpriteKit is flat")
  }
}

extension Curve {
  /// Points on the way, if a sequence cannot go it: it has one kind of way between all keys, and no
  /// slopes of its own. Nil if it can.
  fileprivate var sampledForSequence: Curve? {
    let kinds = Set(keys.dropLast().map { $0.interpolation ?? interpolation })
    let hasSlopes = keys.contains { $0.inSlope != nil || $0.outSlope != nil }
    guard kinds.count > 1 || extend != .clamp || (kinds.first == .cubic && hasSlopes) else {
      return nil
    }
    return Curve(
      through: (0...16).map { (time: Double($0) / 16, value: value(at: Double($0) / 16)) })
  }
}
