internal import ParticlesCore
internal import ParticlesModel

// What archives of Apple's write alike.

extension EmitterWriter where Format: ArchiveFormat {
  /// Writes the mode of drawing, or the nearest that the format has.
  /// - Parameters:
  ///   - modes: those that the key can have; `alpha` is one of them.
  ///   - count: how many these are, in words.
  ///   - others: what other modes are written as.
  mutating func setBlend(
    _ key: String, of modes: [BlendMode], _ count: String,
    others: [BlendMode: BlendMode] = [.premultiplied: .alpha]
  ) {
    let blend = emitter.render.blend
    let mode = blend.mode == .custom ? blend.nearestMode : others[blend.mode] ?? blend.mode
    let number = modes.firstIndex(of: mode) ?? modes.firstIndex(of: .alpha) ?? 0
    set(key, integer: number)
    if mode != blend.mode {
      lose(
        .approximated, blend.mode == .premultiplied ? .premult : .blCustom, at: "render.blend",
        "\(format.engine) has \(count) modes", recipe: "the nearest: \(mode.rawValue)",
        target: .init(key, .int(number)))
    } else if blend != Blend(mode) {
      lose(.dead, .premult, at: "render.blend", "only the mode counts")
    }
  }

  /// The mean acceleration by a force of gravity.
  mutating func acceleration(by force: Force, at place: String) -> Vector {
    let tracks = [force.vector.x, force.vector.y, force.vector.z]
    if tracks.contains(where: { !$0.isPlainValue || !$0.from.isNumber }) {
      lose(.approximated, .gravity, at: place, "the acceleration is constant", recipe: "the mean")
    }
    let means = tracks.map { $0.mean(lifetime: lifetime) }
    return Vector(means[0], means[1], means[2])
  }

  /// How directions are spread, by the dimension of the document unless it says so.
  var spreadLaw: SpreadLaw {
    emitter.launch.spreadLaw ?? (system.asset.dimension == .plane ? .planar : .polarUniform)
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
}
