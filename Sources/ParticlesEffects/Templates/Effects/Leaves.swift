internal import ParticlesCore
internal import ParticlesImages
internal import ParticlesModel

extension EffectTemplate {
  static let leaves = EffectTemplate(
    "leaves", "Autumn leaves that the wind carries down.", background: Color(0.74, 0.82, 0.88),
    pictures: [
      Picture(name: "beech.png") { .beech() },
      Picture(name: "maple.png") { .maple() },
    ]
  ) {
    [
      falling("Far", rate: 5, width: .range(13, 20), shade: 0.55),
      falling("Near", rate: 5, width: .range(26, 44), shade: 1),
    ]
  }

  private static func falling(
    _ name: String, rate: Value, width: Value, shade: Double
  ) -> Emitter {
    var leaves = Emitter(name, sprite: 0, x: -40, y: 275)
    leaves.sprites = [0, 1]
    leaves.spriteSelection = .random
    leaves.timing.prewarm = 9
    leaves.emission.rate = rate
    leaves.emission.jitter = 1
    leaves.lifetime = .range(6, 9)
    leaves.shape = .line(length: 640)
    leaves.launch = Launch(angle: 285, spread: 25, speed: .range(45, 80))
    leaves.forces = [
      .gravity(Vector(6, -28)), .wind(90, scale: 110, speed: 0.4),
      .drag(.exponential, strength: 0.25),
    ]
    leaves.size.width = Track(width)
    // A fluttering leaf is seen edge-on at times.
    var flutter = Track(from: 5, to: width)
    flutter.curve = Curve([CurveKey(0, 1), CurveKey(1, 0.1)], extend: .mirror)
    flutter.over = .age
    flutter.domain = Interval(0, 1.3)
    leaves.size.height = flutter
    leaves.rotation.angle = Track(.range(0, 360))
    leaves.rotation.velocity = Track(.range(-110, 110))
    leaves.color.base = .oneOf(
      Color(0.85, 0.33, 0.1), Color(0.93, 0.6, 0.13), Color(0.72, 0.16, 0.1),
      Color(0.6, 0.38, 0.14),
      Color(0.88, 0.75, 0.22))
    leaves.color.opacity = .times(.constant(shade), (0, 0), (0.03, 1), (0.95, 1), (1, 0))
    return leaves
  }
}

extension Bitmap {
  /// An oval leaf with veins to both sides.
  fileprivate static func beech() -> Bitmap {
    painting(64, 64) { point in
      let height = (point.y + 0.72) / 1.66
      let half = (0...1).contains(height) ? 0.52 * power(sine(.pi * power(height, 0.8)), 0.75) : 0
      let blade = (point.x.magnitude - half).smooth(0.03, -0.03) * (half > 0 ? 1 : 0)
      let stalk = point.distance(toLine: Vector2(0, -0.96), Vector2(0, 0.85))
      let veins =
        (-3...5).map { step in
          let start = Vector2(0, Double(step) * 0.15 - 0.12)
          return Vector2(point.x.magnitude, point.y)
            .distance(toLine: start, Vector2(0.5, start.y + 0.32))
        }.min() ?? 1
      return leaf(blade: blade, stalk: stalk, veins: veins, at: point)
    }
  }

  /// A leaf with five pointed lobes.
  fileprivate static func maple() -> Bitmap {
    let root = Vector2(0, -0.38)
    let lobes = [(90.0, 1.3), (42, 1.08), (138, 1.08), (-4, 0.74), (184, 0.74)]
    return painting(64, 64) { point in
      let local = Vector2(point.x, point.y - root.y)
      var (blade, veins) = (0.0, Double.infinity)
      for (angle, reach) in lobes {
        let turned = local.turned(-angle)
        let along = turned.x / reach
        let half =
          (0...1).contains(along) ? 0.29 * reach * power(sine(.pi * power(along, 0.72)), 0.8) : 0
        // Teeth along the edge.
        let tooth = 0.035 * (1 - 2 * (along * 5 - (along * 5).rounded(.down)))
        blade = max(blade, half > 0 ? (turned.y.magnitude - half - tooth).smooth(0.03, -0.03) : 0)
        veins = min(veins, turned.distance(toLine: Vector2(0, 0), Vector2(reach * 0.85, 0)))
      }
      let stalk = point.distance(toLine: Vector2(0, -0.96), root)
      return leaf(blade: blade, stalk: stalk, veins: veins, at: point)
    }
  }

  /// Blade, stalk and veins put together, lit from the left.
  private static func leaf(
    blade: Double, stalk: Double, veins: Double, at point: Vector2
  ) -> Color {
    let ribs = max(stalk.smooth(0.045, 0.01), 0.6 * veins.smooth(0.03, 0.005))
    let light = (0.9 + 0.1 * point.x.smooth(0.5, -0.5)) * (1 - 0.3 * ribs)
    return Color(light, light, light, max(blade, stalk.smooth(0.055, 0.02) * (point.y < 0 ? 1 : 0)))
  }
}
