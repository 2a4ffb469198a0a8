import Foundation
import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesRender
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Scenes that we write, opened and run by Godot 3 itself.
@Suite(
  "Godot itself", .serialized,
  .enabled(if: EngineTraceTests.isComplete, "only in make test-engines"))
struct GodotEngineTests {
  /// A scene that was written anew from an effect, and the effect that it holds by our reader.
  private static func scenes(_ scratch: Scratch) throws -> [(
    name: String, path: String, system: ParticleSystem
  )] {
    let folders = [
      ("godot", "tscn"), ("plist", "plist"), ("pex", "pex"), ("sks", "sks"), ("scnp", "scnp"),
    ]
    let sources = folders.flatMap { folder, kind in
      folder == "godot" ? Corpus.files(folder, kind) : Array(Corpus.files(folder, kind).prefix(12))
    }
    var names: Set<String> = []
    return try sources.compactMap { path in
      let bytes = try Files.read(path)
      let name = Files.stem(of: path)
      let format = try FormatRegistry.standard.recognising(bytes, fileName: path)
      guard format.name != "godot4", names.insert(name).inserted else { return nil }
      let system = try format.decode(bytes, DecodingContext(fileName: name)).system
      let exported = try ParticleFormat.godot3.export(
        system, EncodingContext(fileName: "\(name).tscn"))
      let written = scratch.file("\(name).tscn")
      try Data(exported.parts[0].bytes).write(to: URL(fileURLWithPath: written))
      let again = try ParticleFormat.godot3.decode(
        exported.parts[0].bytes, DecodingContext(fileName: name))
      return (name, written, again.system)
    }
  }

  static func run(_ script: String, _ path: String, _ output: String, _ more: [String] = [])
    throws
    -> Run
  {
    try Run(
      try #require(Run.find("godot3-server")),
      [
        "--fixed-fps", "60", "--path", Repository.path("Tests/Engines/godot"), "-s", script,
        "--scene=\(path)", "--out=\(output)",
      ] + more, environment: ["HOME": Files.folder(of: output)])
  }

  // MARK: Values

  @Test("reads the values that we read from what we wrote", .needs("godot3-server"))
  func values() throws {
    let scratch = try Scratch()
    var (count, scenes) = (0, 0)
    for (name, path, system) in try Self.scenes(scratch) {
      let output = scratch.file("values.json")
      let run = try Self.run("values.gd", path, output)
      #expect(run.status == 0, "\(name): \(run.errors)")
      let json = try JSONSerialization.jsonObject(with: Data(try Files.read(output)))
      let nodes = try #require(json as? [[String: Any]])
      #expect(nodes.count == system.emitters.count, "\(name)")
      for (node, emitter) in zip(nodes, system.emitters) {
        var check = GodotValueCheck(node: try #require(node["values"] as? [String: Any]))
        check.compare(emitter, isSpace: system.asset.dimension == .space)
        #expect(check.faults.isEmpty, "\(name).\(emitter.name): \(check.faults)")
        count += check.count
      }
      scenes += 1
    }
    print("godot3-server: \(count) values of \(scenes) written scenes are the same")
    #expect(scenes >= 20 || !Corpus.isPresent)
  }

  // MARK: Particles

  @Test("runs what we wrote as our simulation does", .needs("godot3-server"))
  func particles() throws {
    let scratch = try Scratch()
    var deviations: [(name: String, worst: EngineTrace.Deviation)] = []
    for (name, path, system) in try Self.scenes(scratch) where system.asset.dimension == .plane {
      // The memory of thousands of particles takes long to read.
      let slots = system.emitters.compactMap(\.emission.maxAlive).reduce(0, +)
      guard slots <= 400, deviations.count < 24 else { continue }
      let output = scratch.file("particles.bin")
      let run = try Self.run("dump.gd", path, output, ["--frames=120", "--seed=16", "--every=5"])
      guard run.status == 0 else {
        print("godot3-server ended with \(run.status) for \(name)")
        continue
      }
      var plan = ParticleStatistics.Plan()
      (plan.frames, plan.seeds) = (120, 16)
      let trace = try EngineTrace(godot: output, frames: 120, seeds: 16)
      let statistics = try ParticleStatistics(of: system, profile: .godot3, plan: plan)
      deviations.append((name, trace.worstDeviation(statistics)))
    }
    let bad = deviations.filter { $0.worst.share > 0.02 }
    for (name, worst) in bad { print(name, worst.column, worst.share) }
    print(
      "godot3-server: \(deviations.count - bad.count) of \(deviations.count) written scenes agree")
    #expect(deviations.count >= 20 || !Corpus.isPresent)
    #expect(Double(bad.count) <= 0.1 * Double(deviations.count))
  }
}

/// Values of a node as Godot read them, beside the values of an emitter.
private struct GodotValueCheck {
  let node: [String: Any]
  private(set) var faults: [String] = []
  private(set) var count = 0

  init(node: [String: Any]) { self.node = node }

  private func numbers(_ key: String) -> [Double] { node[key] as? [Double] ?? [] }
  private func number(_ key: String) -> Double { node[key] as? Double ?? .nan }

  private mutating func same(_ key: String, _ theirs: [Double], _ ours: [Double]) {
    count += ours.count
    let isSame =
      theirs.count == ours.count
      && zip(theirs, ours).allSatisfy {
        ($0 - $1).magnitude <= 2e-5 * max(1, $0.magnitude, $1.magnitude)
      }
    if !isSame { faults.append("\(key): Godot \(theirs.prefix(6)), document \(ours.prefix(6))") }
  }

  mutating func compare(_ emitter: Emitter, isSpace: Bool) {
    let (emission, timing) = (emitter.emission, emitter.timing)
    let life = emitter.lifetime.bounds
    same("amount", [number("amount")], [Double(emission.maxAlive ?? 0)])
    same("lifetime", [number("lifetime")], [life.upper])
    same(
      "lifetime_randomness", [number("lifetime_randomness")], [1 - life.lower / life.upper])
    same("one_shot", [number("one_shot")], [timing.loop ? 0 : 1])
    same("explosiveness", [number("explosiveness")], [emission.explosiveness])
    same("randomness", [number("randomness")], [emission.jitter])
    same("preprocess", [number("preprocess") * timing.speed], [timing.prewarm])
    same("speed_scale", [number("speed_scale")], [timing.speed])
    same("local_coords", [number("local_coords")], [emitter.space == .local ? 1 : 0])
    same("spread", [number("spread")], [emitter.launch.spread])
    range("initial_velocity", emitter.launch.speed.bounds, factor: 1)
    let y = isSpace ? 1.0 : -1
    let gravity = emitter.forces.first { $0.kind == .gravity }?.vector ?? .zero
    let vector = [gravity.x, gravity.y, gravity.z].map(\.from.mean)
    same(
      "gravity", numbers("gravity"), isSpace ? vector : [vector[0], vector[1] * y])
    if !isSpace {
      let place = emitter.transform.translation
      same("position", numbers("position"), [place.x, -place.y])
      let direction = numbers("direction")
      let angle = emitter.launch.direction.angle.mean * .pi / 180
      if direction.count == 2 {
        same(
          "direction", [direction[0] * sin(-angle) - direction[1] * cos(-angle)], [0])
      }
      same("z_index", [number("z_index")], [Double(emitter.render.order)])
    }
    track("linear_accel", emitter.forces.first { $0.kind == .linear }?.strength ?? 0, 1)
    track("radial_accel", emitter.forces.first { $0.kind == .radial }?.strength ?? 0, 1)
    track("damping", emitter.forces.first { $0.kind == .drag }?.strength ?? 0, 1)
    if !isSpace {
      track("tangential_accel", emitter.forces.first { $0.kind == .tangential }?.strength ?? 0, -1)
      track("orbit_velocity", emitter.motion.orbitVelocity, 1.0 / 360)
      size(emitter.size.width)
    }
    if emitter.rotation.align == .none { track("angle", emitter.rotation.angle, -y) }
    color(emitter)
  }

  /// The bounds of value · lerp(1, u, ratio).
  private mutating func range(_ key: String, _ bounds: Interval, factor: Double) {
    let (value, ratio) = (number(key), number("\(key)_random"))
    let ends = [value * (1 - ratio), value].sorted()
    same(key, ends, [bounds.lower * factor, bounds.upper * factor].sorted())
  }

  /// The bounds of (value + curve) · lerp(1, u, ratio) at 17 ages.
  private mutating func track(_ key: String, _ track: Track, _ factor: Double) {
    let (value, ratio) = (number(key), number("\(key)_random"))
    let curve = node["\(key)_curve"] as? [Double] ?? Array(repeating: 0, count: 17)
    for (index, addend) in curve.enumerated() {
      let ends = [(value + addend) * (1 - ratio), value + addend].sorted()
      same(key, ends, Self.bounds(track, at: Double(index) / 16).map { $0 * factor }.sorted())
    }
  }

  /// The bounds of curve · lerp(value, 1, u · ratio).
  private mutating func size(_ track: Track) {
    let (value, ratio) = (number("scale_amount"), number("scale_amount_random"))
    let curve = node["scale_amount_curve"] as? [Double] ?? Array(repeating: 1, count: 17)
    for (index, factor) in curve.enumerated() {
      let ends = [value * factor, (value + (1 - value) * ratio) * factor].sorted()
      same("scale_amount", ends, Self.bounds(track, at: Double(index) / 16).sorted())
    }
  }

  private static func bounds(_ track: Track, at age: Double) -> [Double] {
    let (from, to) = (track.from.bounds, (track.to ?? 0).bounds)
    return [(from.lower, to.lower), (from.upper, to.upper)].map {
      track.value(at: age, age: age, from: $0.0, to: $0.1)
    }
  }

  private mutating func color(_ emitter: Emitter) {
    let base = emitter.color.base
    guard case .constant(let start) = base.from else { return }
    same("color", numbers("color"), [start.red, start.green, start.blue, start.alpha])
    guard let gradient = base.gradient, let ramp = node["color_ramp"] as? [[Double]] else { return }
    for (index, theirs) in ramp.enumerated() {
      let color = gradient.color(at: Double(index) / 16)
      same("color_ramp", theirs, [color.red, color.green, color.blue, color.alpha])
    }
  }
}
