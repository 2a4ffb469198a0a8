internal import ParticlesImages
internal import ParticlesModel

extension EffectTemplate {
  static let fireflies = EffectTemplate(
    "fireflies", "Fireflies that wander and pulse in the dark.",
    background: Color(0.03, 0.06, 0.08),
    pictures: [Picture(name: "firefly.png") { .glow(size: 64) }]
  ) { [swarm] }

  private static let swarm = Emitter("Fireflies", sprite: 0, y: -20).with {
    $0.timing.prewarm = 8
    $0.emission.rate = 7
    $0.lifetime = .range(4, 8)
    $0.shape = .rect(width: 460, height: 360)
    $0.launch = .everywhere(speed: .range(8, 26))
    $0.forces = [.wind(60, scale: 70, speed: 0.5), .drag(.exponential, strength: 0.8)]
    $0.size.width = Track(.range(40, 96))
    $0.color.base = ColorTrack(.range(Color(0.72, 1, 0.3), Color(1, 0.88, 0.35), .line))
    $0.color.opacity = .times(
      .range(0.6, 1), (0, 0), (0.12, 1), (0.26, 0.12), (0.4, 0.95), (0.55, 0.1), (0.7, 1),
      (0.84, 0.15), (0.92, 0.6), (1, 0))
    $0.render.blend = Blend(.add)
  }
}
