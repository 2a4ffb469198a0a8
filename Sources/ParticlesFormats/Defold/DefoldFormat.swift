internal import ParticlesCore
internal import ParticlesModel

/// The particle effects of Defold.
struct DefoldFamily: TreeFormat {
  static let sources = [
    (name: "src", title: "Defold 1.6, `particle.cpp`, `particle_private.h`, `particle_ddf.proto`"),
    (name: "man", title: "Defold manual, Particle effects"),
    (name: "files", title: "14 published files"),
  ]

  static let shared = DefoldFamily()

  /// The channels of colours, in the names of properties.
  static let channels = ["RED", "GREEN", "BLUE", "ALPHA"]

  let name = "defold"
  let engine = "Defold"
  let holdsAll = true
  let identityKey = "key"
  let writesRegions = false
  let clampsLives = true
  let table = MappingTable<DefoldFamily>(
    unit: .pixel, profile: .defold, exact: [.severalEmitters], approximated: [.speed, .texture],
    rows)

  func adapt(_ writer: inout EmitterWriter<DefoldFamily>) {
    writer.endAtTotal()
    writer.turnLaunch(toPlane: true, keepingNormalsOf: [.sphere, .cone])
    // Triangles open upwards, and the particles of boxes go up.
    writer.aimShape(
      by: AimingShapes(arcAngle: 90, arcShare: 0.5, widestArc: 178, boxAngle: 90))
  }

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
    var sprite = TreeSprite(path: "animation", references: ["\(name).png"])
    if let source = reader.text("tile_source") {
      if source.hasSuffix(".atlas") {
        sprite.list = (source, { try Self.images(of: name, inAtlas: $0) })
      } else if source.hasSuffix(".tilesource") || source.hasSuffix(".tileset") {
        sprite.list = (source, { try Self.images(of: name, inTiles: $0) })
      }
    }
    return [sprite]
  }

  /// The images of an animation of an atlas, or the image of this name.
  private static func images(
    of animation: String, inAtlas bytes: [UInt8]
  ) throws -> [ListedImage] {
    let atlas = try ProtoTextSyntax(decoding: bytes, limits: .untrusted).value
    func names(_ value: JSONValue?) -> [String] {
      value?["images"]?.array?.compactMap { $0["image"]?.string } ?? []
    }
    let own = atlas["animations"]?.array?.first { $0["id"]?.string == animation }
    let frames = names(own)
    let all = frames + names(atlas).filter { Files.stem(of: $0) == animation }
    let play = own.flatMap(playback)
    return all.prefix(1).map {
      ListedImage(
        name: $0, play: play, frames: max(frames.count, 1),
        isReversed: own.map(isReversed) ?? false,
        files: play != nil && frames.count < 10_000 ? frames : [])
    }
  }

  /// How an animation is played; nil if it is not. One that is played once takes the life of the particle
  /// (`particle.cpp`, `GenerateVertexData`). Atlases and tile sources play once at 30 frames a second by default.
  private static func playback(of animation: JSONValue) -> Flipbook? {
    let name = animation["playback"]?.string ?? "PLAYBACK_ONCE_FORWARD"
    guard name != "PLAYBACK_NONE" else { return nil }
    var play = Flipbook()
    let isOnce = name.contains("_ONCE_")
    play.mode = name.hasSuffix("PINGPONG") ? .pingpong : isOnce ? .once : .loop
    let rate = animation["fps"]?.double ?? 30
    play.fps = isOnce ? .life : .fixed(.constant(min(max(rate, 0), 1_000)))
    return play
  }

  private static func isReversed(_ animation: JSONValue) -> Bool {
    animation["playback"]?.string?.hasSuffix("BACKWARD") ?? false
  }
}

extension DefoldFamily {
  /// The first tile of an animation of a tile source; none if it has no such animation.
  fileprivate static func images(
    of animation: String, inTiles bytes: [UInt8]
  ) throws -> [ListedImage] {
    let source = try ProtoTextSyntax(decoding: bytes, limits: .untrusted).value
    guard let image = source["image"]?.string,
      let own = source["animations"]?.array?.first(where: { $0["id"]?.string == animation })
    else { return [] }
    func number(_ key: String) -> Double { source[key]?.double ?? 0 }
    let first = max(Int(saturating: own["start_tile"]?.double ?? 1), 0)
    let last = max(Int(saturating: own["end_tile"]?.double ?? Double(first)), 0)
    let tile = ListedImage.Tile(
      index: first - 1,
      width: number("tile_width"),
      height: number("tile_height"), margin: number("tile_margin"),
      spacing: number("tile_spacing"))
    return [
      ListedImage(
        name: image, tile: tile, play: playback(of: own),
        frames: last > first && last - first < 10_000 ? last - first + 1 : 1,
        isReversed: isReversed(own))
    ]
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

extension TreeReader<DefoldFamily> {
  /// A property by the name of its key; nil if it is absent.
  func curve(_ list: String, _ key: String) -> DefoldCurve? {
    let path = "\(list)[\(key)]"
    guard self[path] != nil else { return nil }
    return DefoldCurve(
      points: self["\(path).points"]?.array ?? [],
      spread: number("\(path).spread", 0).magnitude)
  }

  func emitterCurve(_ key: String) -> DefoldCurve? { curve("properties", "EMITTER_KEY_\(key)") }

  func lifeCurve(_ key: String) -> DefoldCurve? {
    curve("particle_properties", "PARTICLE_KEY_\(key)")
  }

  func initial(_ key: String, _ standard: Double = 0) -> Value {
    emitterCurve("PARTICLE_\(key)")?.value ?? .constant(standard)
  }

  /// A size of the shape: the greatest one over a period, and the factor of it at each time.
  func extent(_ key: String) -> (size: Double, factor: Value) {
    guard let curve = emitterCurve(key) else { return (0, 1) }
    let value = curve.value
    let most = max(value.bounds.upper.magnitude, value.bounds.lower.magnitude)
    guard !value.isConstant, case .ramp(var ramp) = value else {
      return (most.rounded, value.isConstant ? 1 : value.mapped { $0 / most })
    }
    ramp.low = ramp.low.mapped { $0 / most }
    ramp.curve = ramp.curve.multiplied(by: 1 / most)
    return (most, .ramp(ramp))
  }

  func choice<Choice>(_ key: String, _ choices: [(String, Choice)], _ standard: Choice) -> Choice {
    guard let name = text(key) else { return standard }
    if let known = choices.first(where: { name.hasSuffix($0.0) }) { return known.1 }
    note(unknown: name, key, "the standard value is used", known: choices.map { "…\($0.0)" })
    return standard
  }
}
