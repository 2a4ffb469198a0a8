import Foundation
import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesRender
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// The measure that conversions are judged by, applied to simulations and recordings of engines that ran
/// these files.
@Suite("Differences from recordings of engines", .serialized)
struct RecordingDifferenceTests {
  /// Recordings that differ by more, by the beginnings of their names, each with the aspect.
  static let known = [
    "Alchemist0823__three.quarks__ps":
      "the number of particles, by 0.044: a life of 0.2 s is 12 steps, whose sum is below it in 64 bits only",
    "andriibarvynko__particle-emitter-editor__coins.json":
      "the rotation, by 0.039: noise of 96 particles, of 16 runs; 9 of 60 recordings of our own differ as much",
    "libgdx__gdx-particle-editor__flame.p":
      "the spread, by 0.037: noise of the lives in 16 runs; 26 of 40 recordings of our own differ as much",
    "libgdx__gdx-particle-editor__sparks.p":
      "the spread, by 0.031: noise of 16 runs; 14 of 40 recordings of our own differ as much",
    "libgdx__gdx-particle-editor__explosion.p":
      "opacity and colour, by 0.030: recorded lives are 4 % longer; the cause is not known",
    "godotengine__godot-demo-projects__Player@194af1f.tscn":
      "the opacity, by 0.047: of ten particles, those of the second round are a frame later in 32 bits",
    "godotengine__godot-demo-projects__player@8d03850.tscn": "the same effect",
    "godotengine__godot-demo-projects__Coin@194af1f.tscn":
      "particles of a millionth of the image, which the measure takes for invisible",
  ]

  @Test(
    "are at most 0.02",
    .enabled(if: EngineTrace.folder != nil, "there is no ../shared/referees"),
    arguments: EngineTraceTests.engines)
  func recordings(engine: EngineTraceTests.Engine) throws {
    let folder = Files.joined(try #require(EngineTrace.folder), engine.name)
    var paths = try Files.list(folder).sorted().map { Files.joined(folder, $0) }
    if !EngineTraceTests.isComplete {
      let sizes = try paths.map { (path: $0, size: try Files.read($0).count) }
      paths = sizes.sorted { ($0.size, $0.path) < ($1.size, $1.path) }.prefix(engine.sample / 2)
        .map(\.path)
    }
    var differences: [(file: String, difference: EffectDifference)] = []
    for path in paths {
      let json = try JSONValue(parsing: Files.read(path))
      let file = try #require(json.object?["file"]?.string)
      let source = Files.joined(try #require(Repository.corpus), "\(engine.folder)/\(file)")
      guard var bytes = try? Files.read(source),
        !engine.exceptions.keys.contains(where: file.contains)
      else { continue }
      if engine.name == "godot" { bytes = EngineTraceTests.untinted(bytes) }
      let format = try FormatRegistry.standard.recognising(bytes, fileName: file)
      let imported = try format.decode(bytes, DecodingContext(fileName: file))
      let record = try EffectRecord(json: json)
      #expect(record.profile == engine.profile)
      differences.append(
        (file, try record.difference(from: imported.system, profile: engine.profile)))
    }
    Self.check(differences, of: engine.name)
  }

  @Test(
    "of LÖVE are at most 0.02, for effects made of its parameters",
    .enabled(if: EngineTrace.folder != nil, "there is no ../shared/referees"))
  func love() throws {
    let folder = Files.joined(try #require(EngineTrace.folder), "love")
    var differences: [(file: String, difference: EffectDifference)] = []
    for name in try Files.list(folder).sorted() where name.hasSuffix(".lua.json") {
      let record = try EffectRecord(
        json: JSONValue(parsing: Files.read(Files.joined(folder, name))))
      let parameters = "effects/\(name.dropLast(".lua.json".count)).params.json"
      let system = try LoveEffect(path: Files.joined(folder, parameters)).system()
      differences.append((name, try record.difference(from: system, profile: .love)))
    }
    Self.check(differences, of: "love")
  }

  private static func check(
    _ differences: [(file: String, difference: EffectDifference)], of engine: String
  ) {
    let sorted = differences.sorted { $0.difference.whole > $1.difference.whole }
    for (file, difference) in sorted where difference.whole > 0.02 {
      print(engine, file, difference.aspects.filter { $0.value > 0.005 })
      #expect(known.keys.contains { file.hasPrefix($0) }, "\(file) differs by \(difference.whole)")
    }
    let similarities = sorted.map { 1 - $0.difference.whole }
    #expect(!similarities.isEmpty)
    guard let least = similarities.first else { return }
    print("\(engine): similarity at least \(least), median \(similarities[similarities.count / 2])")
  }

  @Test("other arrays of a recording have any length, and axes may be those of each dimension")
  func otherArrays() throws {
    var emitter = Emitter(name: "Fall")
    emitter.emission.rate = 40
    emitter.launch.speed = 20
    emitter.forces = [.gravity(Vector(0, -50))]
    let system = ParticleSystem(name: "Fall", emitters: [emitter])
    let plan = ParticleStatistics.Plan()
    let statistics = try ParticleStatistics(of: system, profile: .godot3, plan: plan)
    let origin = ParticleStatistics.Origin(file: "fall", version: "1")
    let json = statistics.json(origin, plan: plan, profile: .godot3)
    var root = try #require(json.object)
    let (axis, columns) = (root["axis"]?.string ?? "", root["emitters"]?.array?.first?.object)
    root["axis"] = .string("3D: \(axis.hasPrefix("y up") ? "y down" : "y up"); 2D: \(axis)")
    let transform = JSONObject.Member(key: "transform", value: .array([.int(1), .int(0), .int(6)]))
    root["emitters"] = .array([
      .object(JSONObject(members: [transform] + (try #require(columns)).members))
    ])
    root["sampledFrames"] = .string("5, 10 … 300")
    let record = try EffectRecord(json: .object(root))
    #expect(try record.difference(from: system, profile: .godot3).whole < 0.01)
  }

  @Test("statistics that are printed and read again are the same record")
  func roundTrip() throws {
    var emitter = Emitter(name: "Ring")
    emitter.emission.rate = 40
    emitter.launch.speed = .range(20, 60)
    emitter.launch.direction = Direction(angle: .range(0, 360))
    emitter.rotation.angle = Track(.range(-40, 80))
    let system = ParticleSystem(name: "Ring", emitters: [emitter])
    for profile in [Profile.neutral, .starling, .cocos2d, .love] {
      let plan = ParticleStatistics.Plan()
      let statistics = try ParticleStatistics(of: system, profile: profile, plan: plan)
      let origin = ParticleStatistics.Origin(file: "ring", version: "1")
      let text = statistics.json(origin, plan: plan, profile: profile).text
      let record = try EffectRecord(json: JSONValue(parsing: Array(text.utf8)))
      #expect(record.profile == profile)
      let difference = try record.difference(from: system, profile: profile)
      // Six significant digits are printed.
      #expect(difference.whole < 1e-4, "\(profile): \(difference.aspects)")
      // The noise that is taken out hides no real difference.
      var other = system
      other.emitters[0].emission.rate = 36
      let fewer = try record.difference(from: other, profile: profile)
      #expect((fewer.aspects[.count] ?? 0) > 0.08, "\(profile): \(fewer.aspects)")
      other = system
      other.emitters[0].launch.speed = .range(24, 72)
      let faster = try record.difference(from: other, profile: profile)
      #expect((faster.aspects[.spread] ?? 0) > 0.08, "\(profile): \(faster.aspects)")
    }
  }

  @Test(
    "an implementation in Python, written from the specification, gives the same numbers",
    .needs("python3"))
  func independent() throws {
    let scratch = try Scratch()
    let program = try #require(Run.find("python3"))
    var texts: [(name: String, json: JSONValue)] = []
    for name in ["pex/torch.pex", "plist/firework.plist", "sks/snow.sks", "scnp/galaxy.scnp"] {
      let bytes = try Files.read(Repository.path("Fixtures/effects/\(name)"))
      let format = try FormatRegistry.standard.recognising(bytes, fileName: name)
      let system = try format.decode(bytes, DecodingContext(fileName: name)).system
      var plan = ParticleStatistics.Plan()
      plan.seeds = 4
      let profile = system.asset.profile
      let json = try ParticleStatistics(of: system, profile: profile, plan: plan)
        .json(ParticleStatistics.Origin(file: name, version: "1"), plan: plan, profile: profile)
      let path = scratch.file("\(texts.count).json")
      try Files.create(path, Array(json.text.utf8))
      texts.append((path, try JSONValue(parsing: Array(json.text.utf8))))
    }
    for (one, other) in zip(texts, texts.dropFirst() + texts.prefix(1)) {
      let run = try Run.succeeding(
        program, [Repository.path("Tests/Engines/difference.py"), one.name, other.name])
      let theirs = try #require(try JSONValue(parsing: run.output).object)
      let ours = EffectDifference(
        [try EffectRecord(json: one.json)], [try EffectRecord(json: other.json)])
      #expect(theirs.members.count == ours.aspects.count + 2)
      #expect(abs((theirs["particles"]?.double ?? -1) - ours.particles) < 1e-6)
      for (aspect, number) in ours.aspects {
        let their = theirs[aspect.rawValue]?.double ?? -1
        #expect((their - number).magnitude < 1e-6, "\(aspect) \(their) \(number)")
      }
      #expect(ours.whole > 0.05)
    }
  }

  @Test("other documents are refused")
  func others() throws {
    for text in ["{}", "[]", "{\"emitters\": 1}", "{\"emitters\": [{}], \"frames\": 300}"] {
      let json = try JSONValue(parsing: Array(text.utf8))
      #expect(throws: Diagnostic.self) { try EffectRecord(json: json) }
    }
    let odd = try JSONValue(
      parsing: Array("{\"emitters\": [{\"count\": [], \"births\": 1e300}], \"frames\": 1e9}".utf8))
    #expect(try EffectRecord(json: odd).plan.frames <= 100_000)
  }
}

extension EffectRecord {
  /// The difference of a running effect from this recording.
  fileprivate func difference(
    from system: ParticleSystem, profile: ParticleSystem.Profile
  ) throws -> EffectDifference {
    try measured(system, profile: profile).difference
  }
}
