internal import ParticlesImages
internal import ParticlesModel

extension EffectTemplate {
  static let bokeh = EffectTemplate(
    "bokeh", "Lights out of focus that drift by.", background: Color(0.05, 0.05, 0.1),
    pictures: [
      Picture(name: "disc.png") { .disc(blur: 0.03) },
      Picture(name: "soft.png") { .disc(blur: 0.22) },
    ]
  ) { [farLights, nearLights] }

  private static let farLights = drifting("Far", sprite: 1).with {
    $0.emission.rate = 6
    $0.size.width = Track(.range(26, 60))
    $0.color.opacity = .times(.range(0.14, 0.4), (0, 0), (0.3, 1), (0.7, 1), (1, 0))
  }

  private static let nearLights = drifting("Near", sprite: 0).with {
    $0.emission.rate = 4
    $0.size.width = Track(.range(55, 125))
    $0.color.opacity = .times(.range(0.15, 0.45), (0, 0), (0.3, 1), (0.7, 1), (1, 0))
  }

  private static func drifting(_ name: String, sprite: Int) -> Emitter {
    var lights = Emitter(name, sprite: sprite)
    lights.timing.prewarm = 8
    lights.lifetime = .range(4, 8)
    lights.shape = .rect(width: 520, height: 420)
    lights.launch = .everywhere(speed: .range(4, 16))
    lights.color.base = .oneOf(
      Color(1, 0.72, 0.32), Color(1, 0.5, 0.3), Color(0.95, 0.35, 0.5), Color(0.35, 0.65, 1),
      Color(0.3, 0.85, 0.85), Color(1, 0.9, 0.65))
    lights.render.blend = Blend(.add)
    return lights
  }
}

extension Bitmap {
  /// A light out of focus: an even disc with a brighter rim.
  fileprivate static func disc(blur: Double) -> Bitmap {
    mask(128, 128) { point in
      let radius = point.length
      let edge = radius.smooth(0.97, 0.97 - 2 * blur)
      return edge * (0.62 + 0.38 * radius.smooth(0.55, 0.9))
    }
  }
}
