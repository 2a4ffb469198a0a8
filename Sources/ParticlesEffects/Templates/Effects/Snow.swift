internal import ParticlesImages
internal import ParticlesModel

extension EffectTemplate {
  static let snow = EffectTemplate(
    "snow", "Snow that falls across the view, near and far.", background: Color(0.16, 0.21, 0.31),
    pictures: [
      Picture(name: "flake.png") { .flake() },
      Picture(name: "far.png") { .spot(size: 32, hardness: 1.2) },
    ]
  ) { [farSnow, nearSnow] }

  private static let farSnow = falling("Far", sprite: 1).with {
    $0.emission.rate = 36
    $0.lifetime = .range(9, 12)
    $0.launch.speed = .range(42, 62)
    $0.size.width = Track(.range(3, 7))
    $0.color.opacity = .times(.range(0.35, 0.7), (0, 0), (0.04, 1), (0.9, 1), (1, 0))
  }

  private static let nearSnow = falling("Near", sprite: 0).with {
    $0.emission.rate = 8
    $0.lifetime = .range(6, 8)
    $0.launch.speed = .range(72, 105)
    $0.size.width = Track(.range(16, 34))
    $0.rotation.angle = Track(.range(0, 60))
    $0.rotation.velocity = Track(.range(-45, 45))
    $0.color.opacity = .times(.range(0.75, 1), (0, 0), (0.04, 1), (0.95, 1), (1, 0))
  }

  private static func falling(_ name: String, sprite: Int) -> Emitter {
    var snow = Emitter(name, sprite: sprite, y: 265)
    snow.timing.prewarm = 10
    snow.shape = .line(length: 620)
    snow.launch = Launch(angle: 270, spread: 12, speed: 0)
    snow.forces = [.wind(16, scale: 120, speed: 0.3)]
    return snow
  }
}

extension Bitmap {
  /// A crystal with six arms, each with three pairs of branches.
  fileprivate static func flake() -> Bitmap {
    mask(64, 64) { point in
      // All twelve half arms are equal: fold the picture into one half arm.
      let turns = (point.angle / 60).rounded()
      var folded = point.turned(-60 * turns)
      folded = Vector2(folded.x, folded.y.magnitude)
      var distance = folded.distance(toLine: Vector2(0, 0), Vector2(0.9, 0)) - 0.045
      for (start, reach) in [(0.28, 0.2), (0.5, 0.26), (0.72, 0.16)] {
        let tip = Vector2(start + reach * 0.5, reach * 0.866)
        distance = min(distance, folded.distance(toLine: Vector2(start, 0), tip) - 0.03)
      }
      return distance.smooth(0.035, -0.03) + 0.18 * distance.smooth(0.22, 0)
    }
  }
}
