import Foundation
import ParticlesCore
import ParticlesFormats
import ParticlesModel
import ParticlesRender
import ParticlesTestSupport
import Testing

/// Simulations beside recorded statistics of real engines, which ran the same files.
@Suite("Traces of engines")
struct EngineTraceTests {
  /// Engines, the folder of their files in the corpus, and their profile.
  static let engines: [(name: String, folder: String, profile: ParticleSystem.Profile)] = [
    ("cocos2d-html5", "plist", .cocos2d), ("starling", "pex", .starling),
  ]

  static let traces: String? = {
    guard let corpus = Repository.corpus else { return nil }
    let path = Files.joined(Files.folder(of: corpus), "referees/traces")
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  @Test(
    "agree within 2 % of the effect's scale, or within three standard errors",
    .enabled(if: traces != nil, "there is no ../shared/referees"), arguments: [0, 1])
  func agreement(engine: Int) throws {
    let (name, folder, profile) = Self.engines[engine]
    let path = Files.joined(try #require(Self.traces), name)
    var results: [(file: String, worst: EngineTrace.Deviation)] = []
    for file in try Files.list(path).sorted() {
      let trace = try EngineTrace(path: Files.joined(path, file))
      let source = Files.joined(try #require(Repository.corpus), "\(folder)/\(trace.file)")
      guard let bytes = try? Files.read(source) else { continue }
      let format = try FormatRegistry.standard.recognising(bytes, fileName: trace.file)
      let imported = try format.decode(bytes, DecodingContext(fileName: trace.file))
      let statistics = ParticleStatistics(of: imported.system, profile: profile)
      results.append((trace.file, trace.worstDeviation(statistics)))
    }
    let bad = results.filter { $0.worst.share > 0.02 }.sorted { $0.worst.share > $1.worst.share }
    for (file, worst) in bad { print(name, file, worst.column, worst.share) }
    print("\(name): \(results.count - bad.count) of \(results.count) traces agree")
    #expect(!results.isEmpty)
    #expect(Double(bad.count) <= 0.05 * Double(results.count))
  }
}

/// A recording of an engine, and the measure of `compare.py`.
struct EngineTrace {
  struct Deviation {
    var column: String
    var share: Double
  }

  let file: String
  private let emitters: [[String: [Double?]]]

  init(path: String) throws {
    let object = try JSONSerialization.jsonObject(with: Data(try Files.read(path)))
    let root = try #require(object as? [String: Any])
    file = try #require(root["file"] as? String)
    emitters = try #require(root["emitters"] as? [[String: Any]]).map { emitter in
      emitter.compactMapValues { value in
        if let number = value as? Double { return [Double?](repeating: number, count: 60) }
        return (value as? [Any])?.map { $0 as? Double }
      }
    }
  }

  static let columns = [
    "count", "births", "x", "y", "z", "xSd", "ySd", "zSd", "speed", "rotCircSd", "size", "scale",
    "rot", "r", "g", "b", "a", "age",
  ]

  /// The greatest of the medians over the frames of the difference less three standard errors, as a
  /// share of the scale of the column.
  func worstDeviation(_ statistics: ParticleStatistics) -> Deviation {
    var worst = Deviation(column: "", share: 0)
    if statistics.emitters.count != emitters.count {
      return Deviation(column: "emitters", share: 9)
    }
    for (theirs, ours) in zip(emitters, statistics.emitters) {
      let count = theirs["count"] ?? []
      let extent =
        ["x", "y", "z", "xSd", "ySd", "zSd"]
        .flatMap { (theirs[$0] ?? []).compactMap { $0?.magnitude } }.max() ?? 1
      for name in Self.columns {
        guard let a = theirs[name], let b = ours.columns.first(where: { $0.name == name })?.values
        else { continue }
        let scale: Double =
          switch name {
          case "x", "y", "z", "xSd", "ySd", "zSd": extent == 0 ? 1 : extent
          case "r", "g", "b", "a", "age": 1
          case "rot", "rotCircSd": 360
          default: max(a.compactMap { $0?.magnitude }.max() ?? 1, 1e-12)
          }
        let spread = ["count", "x", "y"].contains(name) ? theirs["\(name)Sd"] : nil
        var differences: [Double] = []
        for frame in a.indices where frame < b.count {
          guard let x = a[frame], let y = b[frame] else { continue }
          let sd = spread.map { $0[frame] ?? 0 } ?? (name == "births" ? 0 : scale * 0.3)
          let samples =
            ["count", "births"].contains(name) ? 16 : max(16 * (count[frame] ?? 0), 1)
          let error = 3 * sd * (2 / samples).squareRoot()
          differences.append(max(0, (x - y).magnitude - error) / scale)
        }
        guard !differences.isEmpty else { continue }
        let median = differences.sorted()[differences.count / 2]
        if median > worst.share { worst = Deviation(column: name, share: median) }
      }
    }
    return worst
  }
}
