import Foundation
import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesRender
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Simulations beside recorded statistics of real engines, which ran these files.
@Suite("Traces of engines", .serialized)
struct EngineTraceTests {
  /// An engine with its recordings.
  struct Engine: CustomTestStringConvertible {
    var name: String
    /// The folder of its files in the corpus.
    var folder: String
    var profile: Profile
    /// The number of recordings that are compared in a short run.
    var sample: Int
    /// Columns of recordings that are not compared, by a part of the name of the file.
    var exceptions: [String: Exception] = [:]

    var testDescription: String { name }
  }

  /// Columns that state something else than the law of particles.
  struct Exception {
    var columns: Set<String>
    var reason: String

    init(_ columns: Set<String>, _ reason: String) {
      (self.columns, self.reason) = (columns, reason)
    }
  }

  static let engines = [
    Engine(name: "cocos2d-html5", folder: "plist", profile: .cocos2d, sample: 8),
    Engine(name: "starling", folder: "pex", profile: .starling, sample: 3),
    Engine(name: "libgdx", folder: "libgdx", profile: .libgdx, sample: 14),
    Engine(
      name: "three.quarks", folder: "quarks", profile: .quarks, sample: 4,
      exceptions: [
        "tornado": Exception(["rot"], "the mean of 29 angles up to 360 radians is noise")
      ]),
    Engine(name: "pixi-3.2.0", folder: "pixi", profile: .pixi3, sample: 8),
    Engine(
      name: "pixi-5.0.8", folder: "pixi", profile: .pixi5, sample: 8,
      exceptions: [
        "spaceshipDestruction": Exception(
          ["rot"], "the angle of two random turns is counted once, which cannot be seen")
      ]),
    Engine(
      name: "godot", folder: "godot", profile: .godot3, sample: 6,
      exceptions: [
        "ullet@": Exception(
          ["x", "y", "xSd", "ySd"], "bullets are rigid bodies, which fell while they were recorded"),
        "__coin@aae565b": Exception(
          ["births"], "the driver counts births by ages, and missed one in half of the runs"),
        "__enemy@aae565b": Exception(
          ["births"], "the driver counts births by ages, and missed one in half of the runs"),
      ]),
  ]

  /// Whether all recordings are compared, which takes minutes without optimisation.
  static let isComplete = ProcessInfo.processInfo.environment["PARTICLES_ENGINES"] == "all"

  /// A scene without the colours of nodes: recordings have the colours of particles.
  static func untinted(_ scene: [UInt8]) -> [UInt8] {
    let lines = String(decoding: scene, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    let kept = lines.filter { !$0.hasPrefix("modulate =") && !$0.hasPrefix("self_modulate =") }
    return Array(kept.joined(separator: "\n").utf8)
  }

  @Test(
    "agree within 2 % of the effect's scale, or within three standard errors",
    .enabled(if: EngineTrace.folder != nil, "there is no ../shared/referees"), arguments: engines)
  func agreement(engine: Engine) throws {
    let folder = Files.joined(try #require(EngineTrace.folder), engine.name)
    var paths = try Files.list(folder).sorted().map { Files.joined(folder, $0) }
    if !Self.isComplete {
      // The smallest recordings are of the effects with the fewest emitters and colours.
      let sizes = try paths.map { (path: $0, size: try Files.read($0).count) }
      let sorted = sizes.sorted { ($0.size, $0.path) < ($1.size, $1.path) }.map(\.path)
      // `heart.pex` has a flag that Starling does not read.
      paths =
        sorted.prefix(engine.sample)
        + sorted.dropFirst(engine.sample).filter {
          $0.hasSuffix("heart.pex.json")
        }
    }
    var deviations: [(file: String, worst: EngineTrace.Deviation)] = []
    for path in paths {
      let trace = try EngineTrace(path: path)
      let source = Files.joined(
        try #require(Repository.corpus), "\(engine.folder)/\(trace.file)")
      guard var bytes = try? Files.read(source) else { continue }
      if engine.name == "godot" { bytes = Self.untinted(bytes) }
      let format = try FormatRegistry.standard.recognising(bytes, fileName: trace.file)
      var context = DecodingContext(fileName: trace.file)
      context.engine = engine.profile
      let imported = try format.decode(bytes, context)
      let exception = engine.exceptions.first { trace.file.contains($0.key) }?.value
      let statistics = try ParticleStatistics(of: imported.system, profile: engine.profile)
      deviations.append(
        (trace.file, trace.worstDeviation(statistics, but: exception?.columns ?? [])))
    }
    // Files, unlike effects made of parameters, leave no room for a reading of ours.
    for (file, worst) in deviations { #expect(worst.share <= 0.02, "\(file): \(worst.column)") }
    try Self.check(deviations, of: engine.name)
  }

  @Test(
    "of LÖVE agree, for effects made of its parameters",
    .enabled(if: EngineTrace.folder != nil, "there is no ../shared/referees"))
  func love() throws {
    let folder = Files.joined(try #require(EngineTrace.folder), "love")
    var deviations: [(file: String, worst: EngineTrace.Deviation)] = []
    for name in try Files.list(folder).sorted() where name.hasSuffix(".lua.json") {
      let trace = try EngineTrace(path: Files.joined(folder, name))
      let parameters = "effects/\(name.dropLast(".lua.json".count)).params.json"
      let system = try LoveEffect(path: Files.joined(folder, parameters)).system()
      deviations.append((name, trace.worstDeviation(try ParticleStatistics(of: system))))
    }
    try Self.check(deviations, of: "love")
  }

  @Test(
    "of LÖVE agree, for its code",
    .enabled(if: EngineTrace.folder != nil, "there is no ../shared/referees"))
  func loveCode() throws {
    let folder = Files.joined(try #require(EngineTrace.folder), "love")
    var deviations: [(file: String, worst: EngineTrace.Deviation)] = []
    for name in try Files.list(folder).sorted() where name.hasSuffix(".lua.json") {
      let trace = try EngineTrace(path: Files.joined(folder, name))
      let source = Files.joined(folder, "effects/\(name.dropLast(".json".count))")
      let imported = try ParticleFormat.love.decode(
        try Files.read(source), DecodingContext(fileName: name))
      deviations.append((name, trace.worstDeviation(try ParticleStatistics(of: imported.system))))
    }
    try Self.check(deviations, of: "love, code")
  }

  @Test(
    "LÖVE itself agrees, run on the same parameters",
    .enabled(if: isComplete, "only in make test-engines"),
    .enabled(if: EngineTrace.folder != nil, "there is no ../shared/referees"),
    .needs("love"))
  func liveLove() throws {
    let folder = Files.joined(try #require(EngineTrace.folder), "love/effects")
    let program = try #require(Run.find("love"))
    var deviations: [(file: String, worst: EngineTrace.Deviation)] = []
    for name in try Files.list(folder).sorted() where name.hasSuffix(".lua") {
      let scratch = try Scratch()
      let output = scratch.file("out.json")
      _ = try Run.succeeding(
        program,
        [Repository.path("Tests/Engines/love"), Files.joined(folder, name), output, "300"],
        environment: ["SDL_VIDEODRIVER": "offscreen", "HOME": scratch.file("")])
      let trace = try EngineTrace(love: output)
      let parameters = "\(name.dropLast(".lua".count)).params.json"
      let system = try LoveEffect(path: Files.joined(folder, parameters)).system()
      deviations.append((name, trace.worstDeviation(try ParticleStatistics(of: system))))
    }
    try Self.check(deviations, of: "LÖVE, live")
  }

  private static func check(
    _ deviations: [(file: String, worst: EngineTrace.Deviation)], of engine: String
  ) throws {
    let bad = deviations.filter { $0.worst.share > 0.02 }
      .sorted { $0.worst.share > $1.worst.share }
    for (file, worst) in bad { print(engine, file, worst.column, worst.share) }
    print("\(engine): \(deviations.count - bad.count) of \(deviations.count) agree")
    #expect(!deviations.isEmpty)
    #expect(Double(bad.count) <= 0.05 * Double(deviations.count) || bad.count == 1)
  }
}
