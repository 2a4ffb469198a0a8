import Foundation
import ParticlesCore
import ParticlesFormats
import ParticlesImages
import ParticlesModel
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Engines run files that we wrote for them. The similarity to the source, computed from their
/// particles, is equal to the similarity that `convert --measure` has reported.
@Suite(
  "Written effects in their engines", .serialized,
  .enabled(if: EngineTraceTests.isComplete, "only in make test-engines"))
struct WrittenEffectTests {
  /// Aspects that statistics of engines hold.
  private static let aspects = [
    "count", "position", "spread", "size", "rotation", "color", "opacity",
  ]

  /// Differences of one conversion: by the report, and by the particles of the engine.
  private struct Judgement {
    var name: String
    var reported: [String: Double]
    var engine: [String: Double]

    var error: Double {
      let shared = Set(reported.keys).intersection(engine.keys)
      func whole(_ numbers: [String: Double]) -> Double {
        shared.map { numbers[$0] ?? 0 }.max() ?? 0
      }
      return (whole(reported) - whole(engine)).magnitude
    }
  }

  private static func imported(_ path: String) throws -> Imported {
    let bytes = try Files.read(path)
    return try FormatRegistry.standard.recognising(bytes, fileName: path).decode(
      bytes, DecodingContext(fileName: path))
  }

  /// Files with one emitter, of different programs.
  private static var sources: [String] {
    [("plist", "plist"), ("pex", "pex"), ("sks", "sks"), ("libgdx", "p")].flatMap { folder, kind in
      Corpus.files(folder, kind).filter { path in
        (try? imported(path))?.system.emitters.count == 1
      }.prefix(24)
    }
  }

  private static func aspects(_ json: JSONValue?) -> [String: Double] {
    var numbers: [String: Double] = [:]
    for name in aspects { numbers[name] = json?.object?["aspects"]?.object?[name]?.double }
    return numbers
  }

  private static func json(_ run: Run) throws -> JSONValue { try JSONValue(parsing: run.output) }

  /// Converts, lets the engine run the result, and compares both numbers.
  /// - Parameter run: runs a written file in the engine, and returns the recording. Its places count from
  ///   the emitter of the source, which the shape of the written one may have moved.
  private static func judgements(
    to format: String, _ fileExtension: String,
    run: (
      _ written: String, _ emitter: Emitter, _ source: ParticleSystem.Vector, _ width: Double,
      Scratch
    ) throws -> JSONValue?
  ) throws -> [Judgement] {
    // Measures are fast in a release build only.
    let tool =
      ProcessInfo.processInfo.environment["PARTICLES_MATRIX"] ?? Run.built("particles")
    var judgements: [Judgement] = []
    for source in sources where judgements.count < 24 {
      let scratch = try Scratch()
      let written = scratch.file("effect.\(fileExtension)")
      let report = try json(
        try Run.succeeding(
          tool, ["convert", source, "--to", format, "-o", written, "--measure", "--json"]))
      let file = try #require(report.object?["files"]?.array?.first?.object)
      let images = (file["outputs"]?.array ?? []).compactMap(\.string).filter { $0 != written }
      // The size of particles in pixels is known if the image is.
      guard images.count == 1, let size = try PNG.size(of: Files.read(images[0])) else {
        continue
      }
      let again = try #require(FormatRegistry.standard[format]).decode(
        Files.read(written), DecodingContext(fileName: "effect"))
      let place = try imported(source).system.emitters[0].transform.translation
      guard let emitter = again.system.emitters.first,
        emitter.emission.maxAlive ?? 0 <= 1_000,
        let recording = try run(written, emitter, place, Double(size.width), scratch)
      else { continue }
      let record = scratch.file("record.json")
      try Data(recording.text.utf8).write(to: URL(fileURLWithPath: record))
      let engine = try json(
        try Run.succeeding(tool, ["simulate", source, "--against", record, "--json"]))
      judgements.append(
        Judgement(
          name: Files.lastComponent(of: source), reported: aspects(file["difference"]),
          engine: aspects(engine)))
    }
    return judgements
  }

  private static func check(_ judgements: [Judgement], of engine: String) {
    let bad = judgements.filter { $0.error > 0.02 }.sorted { $0.error > $1.error }
    for judgement in bad { print(engine, judgement) }
    print("\(engine): \(judgements.count - bad.count) of \(judgements.count) within 0.02")
    #expect(judgements.count - bad.count >= 20 || !Corpus.isPresent)
    // Recordings of 16 runs are uncertain themselves: four of one galaxy differ by 0.02.
    #expect(bad.count <= 1 && bad.allSatisfy { $0.error < 0.03 })
  }

  @Test("LÖVE", .needs("love"))
  func love() throws {
    let program = try #require(Run.find("love"))
    let judgements = try Self.judgements(to: "love", "lua") { written, _, source, width, scratch in
      let code = """
        return function(image)
          love.graphics.newImage = function() return image end
          return assert(loadfile("\(written)"))()[1].system
        end
        """
      let (wrapper, output) = (scratch.file("make.lua"), scratch.file("out.json"))
      try Data(code.utf8).write(to: URL(fileURLWithPath: wrapper))
      _ = try Run.succeeding(
        program, [Repository.path("Tests/Engines/love"), wrapper, output],
        environment: ["SDL_VIDEODRIVER": "offscreen", "HOME": scratch.file("")])
      return try EngineTrace(love: output).record(
        "love", of: source, width: width, frames: 300, seeds: 16)
    }
    Self.check(judgements, of: "LÖVE")
  }

  @Test("Godot 3", .needs("godot3-server"))
  func godot() throws {
    let judgements = try Self.judgements(to: "godot3", "tscn") {
      written, emitter, source, width, scratch in
      // The recording of more particles takes long to read.
      guard emitter.emission.maxAlive ?? 0 <= 300 else { return nil }
      let output = scratch.file("particles.bin")
      let run = try GodotEngineTests.run(
        "dump.gd", written, output, ["--frames=300", "--seed=16", "--every=5"])
      guard run.status == 0 else { return nil }
      // Places of a local node count from it.
      let node = emitter.space == .local ? emitter.transform.translation : .zero
      return try EngineTrace(godot: output, frames: 300, seeds: 16).record(
        "godot3", of: Vector(source.x - node.x, source.y - node.y), width: width, frames: 300,
        seeds: 16)
    }
    Self.check(judgements, of: "Godot 3")
  }
}
