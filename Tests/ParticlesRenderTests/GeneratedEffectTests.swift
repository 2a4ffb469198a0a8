import Foundation
import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesRender
import ParticlesTestSupport
import Testing

/// Effects with random parameters, run by LÖVE and Godot 3 and by our simulation: what no published file
/// happens to use is compared, too.
@Suite(
  "Generated effects in their engines", .serialized,
  .enabled(if: EngineTraceTests.isComplete, "only in make test-engines"))
struct GeneratedEffectTests {
  private static let count = 40

  /// Random numbers, and lines of an effect.
  private struct Writer {
    var random: SeededGenerator
    var lines: [String] = []

    init(_ seed: Int) { random = SeededGenerator(seed: UInt64(seed)) }

    mutating func number(_ low: Double, _ high: Double) -> Double {
      (Double.random(in: low...high, using: &random) * 1000).rounded() / 1000
    }

    mutating func happens(_ share: Double) -> Bool {
      Double.random(in: 0..<1, using: &random) < share
    }

    mutating func pick<T>(_ choices: [T]) -> T {
      choices[Int.random(in: choices.indices, using: &random)]
    }

    /// Two numbers in order, equal in 30 % of the cases.
    mutating func pair(_ low: Double, _ high: Double) -> (Double, Double) {
      let (a, b) = (number(low, high), number(low, high))
      return happens(0.3) ? (a, a) : (min(a, b), max(a, b))
    }
  }

  private static func check(
    _ deviations: [(name: String, worst: EngineTrace.Deviation)], of engine: String
  ) {
    let bad = deviations.filter { $0.worst.share > 0.02 }
    for (name, worst) in bad { print(engine, name, worst.column, worst.share) }
    print("\(engine), generated: \(deviations.count - bad.count) of \(deviations.count) agree")
    #expect(deviations.count == count)
    #expect(Double(bad.count) <= 0.05 * Double(count))
  }

  // MARK: LÖVE

  private static func loveEffect(_ seed: Int) -> String {
    var w = Writer(seed)
    func call(_ name: String, _ numbers: Double...) {
      w.lines.append("  ps:\(name)(\(numbers.map { "\($0)" }.joined(separator: ", ")))")
    }
    func range(_ name: String, _ low: Double, _ high: Double, share: Double = 1) {
      guard w.happens(share) else { return }
      let (least, most) = w.pair(low, high)
      call(name, least, most)
    }
    range("setParticleLifetime", 0.2, 4)
    call("setEmissionRate", w.pick([w.number(1, 20), w.number(20, 150), w.number(100, 700)]))
    if w.happens(0.3) { call("setEmitterLifetime", w.number(0.3, 4)) }
    if w.happens(0.5) { call("setPosition", w.number(-100, 100), w.number(-100, 100)) }
    range("setSpeed", -50, 200)
    let isRelative = w.happens(0.3)
    call("setDirection", isRelative ? w.pick([0, 3.1415927]) : w.number(-4, 4))
    call("setSpread", w.pick([0, w.number(0, 1), w.number(0, 6), 6.2831853]))
    if w.happens(0.6) {
      let (x, y) = (w.pair(-200, 200), w.pair(-200, 200))
      call("setLinearAcceleration", x.0, y.0, x.1, y.1)
    }
    range("setRadialAcceleration", -150, 100, share: 0.5)
    range("setTangentialAcceleration", -150, 150, share: 0.5)
    range("setLinearDamping", 0, 5, share: 0.4)
    let sizes = (0..<w.pick([1, 2, 3, 8])).map { _ in "\(w.number(0, 3))" }
    w.lines.append("  ps:setSizes(\(sizes.joined(separator: ", ")))")
    range("setRotation", -3, 3, share: 0.5)
    range("setSpin", -6, 6, share: 0.5)
    if w.happens(0.4) { call("setSpinVariation", w.number(0, 1)) }
    if w.happens(0.3) { w.lines.append("  ps:setRelativeRotation(true)") }
    let channels = (0..<4 * w.pick([1, 2, 3, 8])).map { _ in "\(w.number(0, 1))" }
    w.lines.append("  ps:setColors(\(channels.joined(separator: ", ")))")
    let areas = ["uniform", "normal", "ellipse", "borderellipse"]
    let area = w.pick(isRelative ? areas : areas + ["borderrectangle"])
    w.lines.append(
      "  ps:setEmissionArea(\"\(area)\", \(w.number(0, 100)), \(w.number(0, 100)), "
        + "\(w.number(-3, 3)), \(isRelative))")
    let capacity = w.pick([20, 100, 400, 1000])
    return "return function(image)\n"
      + "  local ps = love.graphics.newParticleSystem(image, \(capacity))\n"
      + w.lines.joined(separator: "\n") + "\n  return ps\nend\n"
  }

  @Test("LÖVE", .needs("love"))
  func love() throws {
    let program = try #require(Run.find("love"))
    var deviations: [(name: String, worst: EngineTrace.Deviation)] = []
    for seed in 0..<Self.count {
      let scratch = try Scratch()
      let (path, output) = (scratch.file("effect.lua"), scratch.file("out.json"))
      let code = Self.loveEffect(seed)
      try Data(code.utf8).write(to: URL(fileURLWithPath: path))
      _ = try Run.succeeding(
        program, [Repository.path("Tests/Engines/love"), path, output, "300"],
        environment: ["SDL_VIDEODRIVER": "offscreen", "HOME": scratch.file("")])
      let imported = try ParticleFormat.love.decode(
        Array(code.utf8), DecodingContext(fileName: path))
      let trace = try EngineTrace(love: output)
      deviations.append(
        ("\(seed)", trace.worstDeviation(try ParticleStatistics(of: imported.system))))
    }
    Self.check(deviations, of: "LÖVE")
  }

  // MARK: Godot

  private static func godotScene(_ seed: Int) -> String {
    var w = Writer(seed)
    func set(_ key: String, _ value: Any) { w.lines.append("\(key) = \(value)") }
    func maybe(_ share: Double, _ key: String, _ low: Double, _ high: Double) {
      if w.happens(share) { set(key, w.number(low, high)) }
    }
    func vector(_ bound: Double) -> String {
      "Vector2( \(w.number(-bound, bound)), \(w.number(-bound, bound)) )"
    }
    set("amount", w.pick([6, 40, 150]))
    set("lifetime", w.number(0.2, 4))
    if w.happens(0.15) { set("one_shot", true) }
    maybe(0.3, "speed_scale", 0.3, 2.5)
    maybe(0.3, "explosiveness", 0, 1)
    maybe(0.4, "randomness", 0, 1)
    maybe(0.4, "lifetime_randomness", 0, 1)
    if w.happens(0.2) { set("fixed_fps", w.pick([10, 30, 45, 120])) }
    if w.happens(0.2) { set("fract_delta", false) }
    set("local_coords", w.happens(0.5))
    let shape = w.pick([0, 1, 2, 4])
    set("emission_shape", shape)
    if shape == 1 { set("emission_sphere_radius", w.number(1, 100)) }
    if shape == 2 {
      set("emission_rect_extents", "Vector2( \(w.number(0, 100)), \(w.number(0, 100)) )")
    }
    if shape == 4 {
      set("emission_points", "PoolVector2Array( 20, -30, -50, 10 )")
      set("emission_normals", "PoolVector2Array( 0.6, 0.8, 1, 0 )")
    }
    if w.happens(0.3) { set("flag_align_y", true) }
    set("direction", vector(1))
    set("spread", w.pick([0, w.number(0, 180), 180]))
    set("gravity", vector(200))
    for (key, low, high, share) in [
      ("initial_velocity", 0.0, 150.0, 0.9), ("angular_velocity", -360, 360, 0.4),
      ("orbit_velocity", -1, 1, 0.3), ("linear_accel", -100, 100, 0.3),
      ("radial_accel", -100, 100, 0.3), ("tangential_accel", -100, 100, 0.3),
      ("damping", 0, 60, 0.3), ("angle", -180, 180, 0.4), ("scale_amount", 0.1, 3, 0.7),
    ] where w.happens(share) {
      set(key, w.number(low, high))
      if key != "damping" { maybe(0.6, "\(key)_random", 0, 1) }
    }
    set(
      "color", "Color( \(w.number(0, 1)), \(w.number(0, 1)), \(w.number(0, 1)), \(w.number(0, 1)) )"
    )
    if w.happens(0.4) { set("position", vector(100)) }
    maybe(0.3, "rotation", -3, 3)
    if w.happens(0.3) {
      let scale = w.number(0.5, 2)
      set("scale", "Vector2( \(scale), \(scale) )")
    }
    return "[gd_scene format=2]\n\n[node name=\"Root\" type=\"Node2D\"]\n\n"
      + "[node name=\"E\" type=\"CPUParticles2D\" parent=\".\"]\n"
      + w.lines.joined(separator: "\n") + "\n"
  }

  @Test("Godot 3", .needs("godot3-server"))
  func godot() throws {
    var plan = ParticleStatistics.Plan()
    (plan.frames, plan.seeds) = (300, 16)
    var deviations: [(name: String, worst: EngineTrace.Deviation)] = []
    for seed in 0..<Self.count {
      let scratch = try Scratch()
      let (path, output) = (scratch.file("scene.tscn"), scratch.file("particles.bin"))
      let scene = Self.godotScene(seed)
      try Data(scene.utf8).write(to: URL(fileURLWithPath: path))
      let run = try GodotEngineTests.run(
        "dump.gd", path, output, ["--frames=300", "--seed=16", "--every=5"])
      try #require(run.status == 0, "\(run.errors)")
      let imported = try ParticleFormat.godot3.decode(
        Array(scene.utf8), DecodingContext(fileName: path))
      let trace = try EngineTrace(godot: output, frames: 300, seeds: 16)
      deviations.append(
        (
          "\(seed)",
          trace.worstDeviation(
            try ParticleStatistics(of: imported.system, profile: .godot3, plan: plan))
        ))
    }
    Self.check(deviations, of: "Godot 3")
  }
}
