import Foundation
import ParticlesCore
import ParticlesModel
import ParticlesSystem
import Testing

/// The parameters of a particle system of LÖVE, as the referees list them, as an effect. Angles are in
/// radians and y points down there.
struct LoveEffect {
  private let fields: [String: Any]

  init(path: String) throws {
    let object = try JSONSerialization.jsonObject(with: Data(try Files.read(path)))
    fields = try #require(object as? [String: Any])
  }

  private func number(_ name: String) -> Double { fields[name] as? Double ?? 0 }

  private func range(_ name: String, _ suffix: String = "", factor: Double = 1) -> Value {
    let (a, b) = (number("\(name)Min\(suffix)") * factor, number("\(name)Max\(suffix)") * factor)
    return a == b ? .constant(a) : .range(min(a, b), max(a, b))
  }

  private static let degrees = 180 / Double.pi

  /// The effect. Where it cannot hold a parameter, a comment names what takes its place.
  func system() -> ParticleSystem {
    var emitter = Emitter(name: "LÖVE")
    emitter.emission.rate = .constant(number("emissionRate"))
    emitter.emission.maxAlive = Int(number("bufferSize"))
    emitter.lifetime = range("lifetime")
    emitter.timing.loop = false
    let life = number("emitterLifetime")
    emitter.timing.duration = life < 0 ? nil : .constant(life)
    emitter.launch.direction = Direction(
      angle: .constant(-number("directionRadians") * Self.degrees))
    emitter.launch.spread = number("spreadRadians") / 2 * Self.degrees
    emitter.launch.speed = range("speed")
    setForces(of: &emitter)
    setShape(of: &emitter)
    emitter.size.mode = .textureScale
    emitter.size.width = size
    setRotation(of: &emitter)
    let colors = (fields["colors"] as? [[Double]] ?? []).map { Color($0[0], $0[1], $0[2], $0[3]) }
    var gradient = Gradient()
    gradient.keys = colors.enumerated().map { index, color in
      GradientKey(Double(index) / Double(max(colors.count - 1, 1)), color)
    }
    emitter.color.base = ColorTrack(gradient: gradient)
    var system = ParticleSystem(name: "LÖVE", emitters: [emitter])
    system.asset.profile = .love
    return system
  }

  private func setForces(of emitter: inout Emitter) {
    let least = fields["linearAccelerationMin"] as? [Double] ?? [0, 0]
    let most = fields["linearAccelerationMax"] as? [Double] ?? [0, 0]
    var gravity = Force(.gravity)
    gravity.vector.x = Track(.range(least[0], most[0]))
    gravity.vector.y = Track(.range(-most[1], -least[1]))
    var drag = Force(.drag, strength: Track(range("linearDamping")))
    drag.law = .exponential
    emitter.forces = [
      gravity, Force(.radial, strength: Track(range("radialAcceleration"))),
      Force(.tangential, strength: Track(range("tangentialAcceleration", factor: -1))), drag,
    ]
  }

  private func setShape(of emitter: inout Emitter) {
    let area = fields["emissionArea"] as? [String: Any] ?? [:]
    let (width, height) = (area["dx"] as? Double ?? 0, area["dy"] as? Double ?? 0)
    let name = area["distribution"] as? String ?? "none"
    guard name != "none" else { return }
    emitter.shape.kind = name.hasSuffix("ellipse") ? .ellipse : .rect
    emitter.shape.size = Vector(2 * width, 2 * height)
    emitter.shape.radii = Vector2(width, height)
    if name == "normal" { emitter.shape.distribution = .normal }
    if name.hasPrefix("border") { emitter.shape.placement = .edge }
    let angle = (area["angleRadians"] as? Double ?? 0) * -Self.degrees
    emitter.shape.transform.angle = angle
    // The model has no direction relative to the centre: a random direction instead.
    if area["directionRelativeToCenter"] as? Bool == true {
      emitter.launch.direction = Direction(.random)
    }
  }

  private func setRotation(of emitter: inout Emitter) {
    emitter.rotation.angle = Track(
      .range(
        -number("rotationMaxRadians") * Self.degrees, -number("rotationMinRadians") * Self.degrees))
    let (start, end) = (-number("spinStartRadians"), -number("spinEndRadians"))
    let half = number("spinVariation") * Self.degrees / 2
    // Each end varies by the value of the opposite end.
    emitter.rotation.velocity = Track(
      from: Value(center: start * Self.degrees, halfWidth: half * end),
      to: Value(center: end * Self.degrees, halfWidth: half * start))
  }

  /// The size over the life. LÖVE runs each particle through a random part of the sizes, which a
  /// track cannot hold: the mean over all parts takes its place.
  private var size: Track {
    let sizes = fields["sizes"] as? [Double] ?? [1]
    guard sizes.count > 1 else { return Track(.constant(sizes[0])) }
    let variation = number("sizeVariation")
    func at(_ share: Double) -> Double {
      let place = min(max(share, 0), 1) * Double(sizes.count - 1)
      let index = min(Int(place), sizes.count - 2)
      return sizes[index] + (sizes[index + 1] - sizes[index]) * (place - Double(index))
    }
    let points = (0...32).map { step -> (time: Double, value: Double) in
      let t = Double(step) / 32
      var sum = 0.0
      for a in 0..<50 {
        for b in 0..<50 {
          let offset = variation * (Double(a) + 0.5) / 50
          let interval = 1 - variation * (Double(b) + 0.5) / 50 - offset
          sum += at(offset + t * interval)
        }
      }
      return (t, sum / 2_500)
    }
    return Track(from: 0, to: 1, curve: Curve(through: points))
  }
}
