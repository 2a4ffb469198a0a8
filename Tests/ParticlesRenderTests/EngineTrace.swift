import Foundation
import ParticlesCore
import ParticlesModel
import ParticlesRender
import ParticlesTestSupport
import Testing

/// Statistics of a real engine, and the measure of agreement: for each column, the median over the
/// frames of the difference less three standard errors, as a share of the column's scale.
struct EngineTrace {
  struct Deviation {
    var column = ""
    var share = 0.0
  }

  /// The folder of recordings, beside the corpus; nil where it is absent.
  static let folder: String? = {
    guard let corpus = Repository.corpus else { return nil }
    let path = Files.joined(Files.folder(of: corpus), "referees/traces")
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  /// The name of the file that the engine ran.
  let file: String
  private let emitters: [[String: [Double?]]]

  /// Reads a recording.
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

  /// The output of the driver of LÖVE: a row for each run and sampled frame, with the number of
  /// particles, births, and sums over the particles.
  init(love path: String) throws {
    file = path
    let object = try JSONSerialization.jsonObject(with: Data(try Files.read(path)))
    let root = try #require(object as? [String: Any])
    let rows = try #require(root["rows"] as? [[Any]]).map { $0.map { $0 as? Double ?? 0 } }
    let names = ["x", "y", "z", "speed", "scale", "", "rot", "r", "g", "b", "a", "age"]
    var columns: [String: [Double?]] = [:]
    for frame in stride(from: 5.0, through: 300, by: 5) {
      let rows = rows.filter { $0[1] == frame }
      let (runs, count) = (Double(rows.count), rows.reduce(0) { $0 + $1[3] })
      func sum(_ index: Int) -> Double { rows.reduce(0) { $0 + $1[index] } }
      func add(_ name: String, _ value: Double?) { columns[name, default: []].append(value) }
      func average(_ index: Int) -> Double? { count > 0 ? sum(index) / count : nil }
      let squares = rows.reduce(0) { $0 + $1[3] * $1[3] }
      add("count", count / runs)
      add("countSd", max(0, squares / runs - count * count / runs / runs).squareRoot())
      add("births", sum(4) / runs)
      for (index, name) in names.enumerated() where !["", "z"].contains(name) {
        add(name, average(5 + index))
      }
      for (name, index) in [("xSd", 17), ("ySd", 18)] {
        let mean = average(name == "xSd" ? 5 : 6)
        add(
          name,
          average(index).flatMap { square in mean.map { max(0, square - $0 * $0).squareRoot() } })
      }
      let length = count > 0 ? hypot(sum(20), sum(21)) / count : 1
      add("rotCircSd", count > 0 ? (-2 * log(min(length, 1))).squareRoot() * 180 / .pi : nil)
    }
    emitters = [columns]
  }

  static let columns = [
    "count", "births", "x", "y", "z", "xSd", "ySd", "zSd", "speed", "rotCircSd", "size", "scale",
    "scaleY", "w", "h", "rot", "r", "g", "b", "a", "age",
  ]

  /// The greatest deviation over all columns of the recording.
  func worstDeviation(_ statistics: ParticleStatistics) -> Deviation {
    guard statistics.emitters.count == emitters.count else {
      return Deviation(column: "emitters", share: 9)
    }
    var worst = Deviation()
    for (theirs, ours) in zip(emitters, statistics.emitters) {
      let extent =
        ["x", "y", "z", "xSd", "ySd", "zSd"]
        .flatMap { (theirs[$0] ?? []).compactMap { $0?.magnitude } }.max() ?? 1
      for name in Self.columns {
        guard let a = theirs[name] else { continue }
        guard let b = ours.columns.first(where: { $0.name == name })?.values else {
          return Deviation(column: "\(name) is missing", share: 9)
        }
        let share = Self.deviation(
          name, a, b, count: theirs["count"] ?? [], spread: theirs["\(name)Sd"],
          extent: extent == 0 ? 1 : extent)
        if share > worst.share { worst = Deviation(column: name, share: share) }
      }
    }
    return worst
  }

  private static func deviation(
    _ name: String, _ a: [Double?], _ b: [Double?], count: [Double?], spread: [Double?]?,
    extent: Double
  ) -> Double {
    let scale: Double =
      switch name {
      case "x", "y", "z", "xSd", "ySd", "zSd": extent
      case "r", "g", "b", "a", "age": 1
      case "rot", "rotCircSd": 360
      default: max(a.compactMap { $0?.magnitude }.max() ?? 1, 1e-12)
      }
    let isMeasured = ["count", "x", "y", "z"].contains(name)
    var differences: [Double] = []
    for frame in a.indices where frame < b.count {
      guard let x = a[frame], let y = b[frame] else { continue }
      let deviation = isMeasured ? (spread?[frame] ?? 0) : name == "births" ? 0 : scale * 0.3
      let samples =
        ["count", "births"].contains(name) ? 16 : max(16 * (count[frame] ?? 0), 1)
      let error = 3 * deviation * (2 / samples).squareRoot()
      differences.append(max(0, (x - y).magnitude - error) / scale)
    }
    return differences.isEmpty ? 0 : differences.sorted()[differences.count / 2]
  }
}
