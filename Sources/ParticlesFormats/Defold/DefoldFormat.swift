internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPlatform

/// The particle effects of Defold.
struct DefoldFamily: TreeFormat {
  static let sources = [
    (name: "src", title: "Defold 1.6, `particle.cpp`, `particle_private.h`, `particle_ddf.proto`"),
    (name: "man", title: "Defold manual, Particle effects"),
    (name: "files", title: "14 published files"),
  ]

  static let shared = DefoldFamily()

  let name = "defold"
  let engine = "Defold"
  let holdsAll = true
  let identityKey = "key"
  let writesRegions = false
  let normalShapes: Set<ShapeKind> = [.sphere, .cone]
  let clampsLives = true
  let table = MappingTable<DefoldFamily>(
    unit: .pixel, profile: .defold, exact: [.multi], approximated: [.speed, .tex], rows)

  func emitters(in root: JSONValue) throws -> [TreeEmitter] {
    guard let emitters = root["emitters"]?.array, !emitters.isEmpty else {
      throw Diagnostic(.emitterRoot, expected: "'emitters'", found: "no emitter")
    }
    return emitters.enumerated().map {
      TreeEmitter(path: "emitters[\($0)]", value: $1, name: $1["id"]?.string ?? "emitter")
    }
  }

  func root(of emitters: [JSONValue], _ system: ParticleSystem, origin: JSONValue?) -> JSONValue {
    ["emitters": .array(emitters)]
  }

  func sprites(of reader: TreeReader<DefoldFamily>) throws -> [TreeSprite] {
    guard let name = reader.text("animation") else { return [] }
    // Images are in an atlas, which names their files.
    return [TreeSprite(path: "animation", references: ["\(name).png"])]
  }
}

extension ParticleFormat {
  /// Particle effects of Defold.
  public static let defold = ParticleFormat(
    DefoldFamily.shared, in: ProtoTextSyntax.self, title: "Defold particle effect",
    extensions: ["particlefx"]
  ) { bytes, _ in
    bytes.contains("emitters") && bytes.contains("EMITTER_TYPE_") && !bytes.beginsWithText("<")
  }.declaring(.defold)
}

/// A curve with a spread, of an emitter or of a particle.
struct DefoldCurve {
  var points: [(x: Double, y: Double, slope: Double)]
  var spread = 0.0

  var isConstant: Bool {
    points.count == 1
      || Set(points.map(\.y)).count == 1 && points.allSatisfy { $0.slope == 0 }
  }

  /// Values at points, connected by cubic curves with one slope at each point.
  var curve: Curve {
    Curve(
      points.map { CurveKey($0.x, $0.y, inSlope: $0.slope, outSlope: $0.slope) }, .cubic)
  }

  /// The value of a new particle, over the period of the emitter.
  var value: Value {
    let first = points.first?.y ?? 0
    if isConstant { return Value(center: first, halfWidth: spread) }
    return .ramp(
      .init(
        low: Value(center: 0, halfWidth: spread), high: 1, curve: curve, relative: true))
  }
}

extension TreeReader<DefoldFamily> {
  /// A property by the name of its key; nil if it is absent.
  func curve(_ list: String, _ key: String) -> DefoldCurve? {
    let path = "\(list)[\(key)]"
    guard self[path] != nil else { return nil }
    // A curve without points is 0, with its spread.
    var points = self["\(path).points"]?.array ?? []
    if points.isEmpty { points = [["y": .int(0)]] }
    let read = points.map { point -> (x: Double, y: Double, slope: Double) in
      let (tx, ty) = (point["t_x"]?.double ?? 1, point["t_y"]?.double ?? 0)
      let slope = tx == 0 ? 0 : (ty / tx)
      return (
        (point["x"]?.double ?? 0).tidy, (point["y"]?.double ?? 0).tidy,
        slope.isFinite ? slope.rounded : 0
      )
    }.sorted { $0.x < $1.x }
    return DefoldCurve(points: read, spread: number("\(path).spread", 0).magnitude)
  }

  func emitterCurve(_ key: String) -> DefoldCurve? { curve("properties", "EMITTER_KEY_\(key)") }

  func lifeCurve(_ key: String) -> DefoldCurve? {
    curve("particle_properties", "PARTICLE_KEY_\(key)")
  }

  func initial(_ key: String, _ standard: Double = 0) -> Value {
    emitterCurve("PARTICLE_\(key)")?.value ?? .constant(standard)
  }

  /// A size of the shape; its mean if it changes.
  func extent(_ key: String) -> Double {
    guard let curve = emitterCurve(key) else { return 0 }
    if !curve.isConstant || curve.spread != 0 {
      note(
        .approximated, "properties[EMITTER_KEY_\(key)]",
        "the size of a shape is constant; the mean is used")
    }
    return curve.value.mean.magnitude.rounded
  }

  func choice<Choice>(_ key: String, _ choices: [(String, Choice)], _ standard: Choice) -> Choice {
    guard let name = text(key) else { return standard }
    if let known = choices.first(where: { name.hasSuffix($0.0) }) { return known.1 }
    note(.assumed, key, "the standard value is used", found: name.excerpt)
    return standard
  }
}

extension JSONValue {
  /// The angle of a rotation about z in degrees; nil for any other rotation.
  func turn(_ key: String) -> Double? {
    guard (self["\(key).x"]?.double ?? 0) == 0, (self["\(key).y"]?.double ?? 0) == 0 else {
      return nil
    }
    let (z, w) = (self["\(key).z"]?.double ?? 0, self["\(key).w"]?.double ?? 1)
    return Angle.direction(w, z).map { (2 * $0 * 1e6).rounded() / 1e6 } ?? 0
  }
}
