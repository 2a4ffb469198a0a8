internal import ParticlesCore
internal import ParticlesModel

/// The position of a node: the combined transforms of its ancestors and its own, with y as in the file.
struct GodotPosition: Equatable {
  var axes = AffineTransform()
  /// The place in the drawing order.
  var order = 0

  init() {}

  /// The position of a node in its scene.
  init(above: GodotPosition, in scene: GodotScene, section: Int, isSpace: Bool) {
    let own = isSpace ? Self.space(scene, section) : Self.plane(scene, section)
    axes = above.axes.combined(with: own)
    order = above.order
    guard !isSpace, let order = scene.value("z_index", in: section)?.number,
      order.isFinite
    else { return }
    let isRelative = scene.value("z_as_relative", in: section) != .flag(false)
    self.order = Int(
      saturating: min(max((isRelative ? Double(above.order) : 0) + order, -1e6), 1e6))
  }

  private static func space(_ scene: GodotScene, _ section: Int) -> AffineTransform {
    var own = AffineTransform()
    guard let numbers = scene.value("transform", in: section)?.components, numbers.count == 12
    else { return own }
    own.x = Vector(numbers[0], numbers[3], numbers[6])
    own.y = Vector(numbers[1], numbers[4], numbers[7])
    own.z = Vector(numbers[2], numbers[5], numbers[8])
    own.origin = Vector(numbers[9], numbers[10], numbers[11])
    return own
  }

  private static func plane(_ scene: GodotScene, _ section: Int) -> AffineTransform {
    func pair(_ key: String, _ standard: Double) -> (Double, Double) {
      let numbers = scene.value(key, in: section)?.components ?? []
      return numbers.count == 2 ? (numbers[0], numbers[1]) : (standard, standard)
    }
    var own = AffineTransform()
    let (scale, place) = (pair("scale", 1), pair("position", 0))
    let angle = scene.value("rotation", in: section)?.number ?? 0
    let skew = scene.value("skew", in: section)?.number ?? 0
    own.x = Vector(cosine(angle) * scale.0, sine(angle) * scale.0)
    own.y = Vector(-sine(angle + skew) * scale.1, cosine(angle + skew) * scale.1)
    own.origin = Vector(place.0, place.1)
    return own
  }
}

private func sine(_ angle: Double) -> Double { Angle.turned(1, 0, by: Angle.degrees(angle)).y }
private func cosine(_ angle: Double) -> Double { Angle.turned(1, 0, by: Angle.degrees(angle)).x }
