internal import ParticlesCore
internal import ParticlesModel

// What several families write alike.

extension EmitterWriter {
  /// The law by which directions are spread, also where none is stated.
  var spreadLaw: SpreadLaw {
    emitter.launch.spreadLaw ?? (system.asset.dimension == .plane ? .planar : .polarUniform)
  }

  /// Width and height in pixels of what the sprite shows of its image, as far as they are known.
  var shownSize: (width: Double?, height: Double?) {
    let region = sprite?.region
    return (
      region?.width ?? image?.width.map(Double.init),
      region?.height ?? image?.height.map(Double.init)
    )
  }

  /// The part of the image, in pixels, that is the first frame; nil if unknown.
  var frame: Rectangle? {
    guard let sprite, let width = shownSize.width, let height = shownSize.height else { return nil }
    return Rectangle(
      x: sprite.region?.x ?? 0, y: sprite.region?.y ?? 0,
      width: width / Double(max(sprite.grid?.columns ?? 1, 1)),
      height: height / Double(max(sprite.grid?.rows ?? 1, 1)))
  }

  /// The speed at birth, which is 0 without a direction.
  mutating func launchSpeed() -> Value {
    guard emitter.launch.direction.mode == .none else { return emitter.launch.speed }
    lose(
      .restated, .speedRange, at: "launch.direction", also: ["launch.speed"],
      "particles that go nowhere have no speed")
    return 0
  }

  /// A colour inside of what the format can have, after a line about one that is not.
  mutating func clamped(_ color: Color, to range: Interval, _ detail: String) -> Color {
    let inside = Color(
      range.clamp(color.red), range.clamp(color.green), range.clamp(color.blue),
      Interval.unit.clamp(color.alpha))
    if inside != color { lose(.clamped, .grad, at: "color.base", detail) }
    return inside
  }

  /// The mean of a constant acceleration.
  mutating func acceleration(of force: Force, at place: String) -> Vector {
    let tracks = [force.vector.x, force.vector.y, force.vector.z]
    if tracks.contains(where: { !$0.isPlainValue || !$0.from.isNumber }) {
      lose(.approximated, .gravity, at: place, "the acceleration is constant", recipe: "the mean")
    }
    let means = tracks.map { $0.mean(lifetime: lifetime) }
    return Vector(means[0], means[1], means[2])
  }

  /// Writes a blend mode as its place in a list, or that of the nearest that the list has.
  mutating func setBlend(_ key: String, of modes: [BlendMode], count: String) {
    let blend = emitter.render.blend
    let mode: BlendMode =
      switch blend.mode {
      case .custom: blend.nearestMode
      case .premultiplied: .alpha
      case let mode: modes.contains(mode) ? mode : .multiply
      }
    let place = modes.firstIndex(of: mode) ?? 0
    set(key, integer: place)
    if mode != blend.mode {
      lose(
        .approximated, blend.mode == .premultiplied ? .premult : .blCustom, at: "render.blend",
        "\(format.engine) has \(count) modes", recipe: "the nearest: \(mode.rawValue)",
        target: .init(key, .int(place)))
    } else if blend != Blend(mode) {
      lose(.dead, .premult, at: "render.blend", "only the mode counts")
    }
  }
}

extension Row {
  /// Emitters that particles start: a line each.
  static func missingTriggers(_ detail: String) -> Row {
    .idiom(
      [], "triggers", "lost: \(detail)",
      encode: { writer in
        for (index, trigger) in writer.emitter.triggers.enumerated() {
          writer.lose(.lost, trigger.event.capability, at: "triggers[\(index)]", detail)
        }
      })
  }

  /// Properties that keyed archives do not have.
  static var missingInKeyedArchives: [Row] {
    [
      .missing(
        "emission.ratePerDistance", \.emission.ratePerDistance, .rateWay,
        "births do not depend on the motion of the emitter"),
      .missing(
        "emission.minAlive", \.emission.minAlive, .maxAlive,
        "there is no least number of living particles"),
      .missing("emission.jitter", \.emission.jitter, .explos, "births are spread evenly"),
      .missing(
        "emission.lifeOffset", \.emission.lifeOffset, .extra, "particles are born at age 0",
        level: .medium),
      .missing(
        "launch.inheritVelocity", \.launch.inheritVelocity, .inherit,
        "particles do not take over the motion of the emitter"),
      .idiom(
        [], "motion.orbitVelocity", "lost: particles do not turn about the emitter",
        encode: { writer in
          let motion = writer.emitter.motion
          guard motion.orbitVelocity != 0 || motion.orbitAxis != Vector(0, 0, 1) else { return }
          writer.lose(
            motion.orbitVelocity == 0 ? .dead : .lost, .orbitVel, at: "motion.orbitVelocity",
            also: ["motion.orbitAxis"], "particles do not turn about the emitter")
        }),
      .missing("motion.drift", \.motion.drift, .drift, "there is no wind"),
      .missing("motion.maxSpeed", \.motion.maxSpeed, .speedCurve, "speeds have no limit"),
      .idiom(
        [], "rotation.align", "lost: particles do not face where they fly",
        encode: { writer in
          let rotation = writer.emitter.rotation
          guard rotation.align != .none || rotation.alignOffset != 0 else { return }
          writer.lose(
            rotation.align == .none ? .dead : .lost, .align, at: "rotation.align",
            also: ["rotation.alignOffset"], "particles do not face where they fly")
        }),
      .idiom(
        [], "spriteSelection", "lost: particles show one image",
        encode: { writer in
          guard writer.emitter.sprites.count > 1 else {
            return writer.drop(
              \.spriteSelection, .randSpr, at: "spriteSelection",
              "there is one image to choose from", .dead)
          }
          writer.lose(
            .lost, .randSpr, at: "sprites", also: ["spriteSelection"], "particles show one image")
        }),
      .missing("render.layer", \.render.layer, .sort, "layers are part of the scene"),
      .missing("render.trail", \.render.trail, .trail, "particles leave nothing behind"),
    ]
  }
}
