import Foundation
import ParticlesCore
import ParticlesModel
import ParticlesRender
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Statistics of a real engine, and the measure of agreement: for each column, the median over the
/// frames of the difference less three standard errors, as a share of the column's scale.
struct EngineTrace {
  struct Deviation {
    var column = ""
    var share = 0.0
  }

  /// The folder of recordings, beside the corpus, or nil where it is absent.
  static let folder: String? = {
    guard let corpus = Repository.corpus else { return nil }
    let path = Files.joined(Files.folder(of: corpus), "referees/traces")
    return FileManager.default.fileExists(atPath: path) ? path : nil
  }()

  /// The name of the file that the engine ran.
  let file: String
  private let emitters: [[String: [Double?]]]
  /// Whether `rot` is the direction of the mean of unit vectors, without whole turns.
  private let hasHeadings: Bool

  /// A recording of an effect that was generated for an engine under node. See `Tests/Engines/node`.
  /// - Parameter frames: the number of frames that were sampled.
  init(name: String, recorded: [[String: Any]], frames: Int) {
    (file, hasHeadings) = (name, true)
    emitters = recorded.map { emitter in
      emitter.compactMapValues { value in
        if let number = value as? Double { return [Double?](repeating: number, count: frames) }
        return (value as? [Any])?.map { $0 as? Double }
      }
    }
  }

  /// Reads a recording.
  init(path: String) throws {
    let object = try JSONSerialization.jsonObject(with: Data(try Files.read(path)))
    let root = try #require(object as? [String: Any])
    file = try #require(root["file"] as? String)
    hasHeadings = false
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
    (file, hasHeadings) = (path, false)
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

  /// The memory of particles that the driver of Godot dumps: for each run, fifth frame and emitter of the
  /// plane an array of `Particle`, 116 bytes each: two axes and the place, the colour, four numbers, the angle,
  /// the velocity, whether it lives, four numbers, time, lifetime, colour, seed.
  init(godot path: String, frames: Int, seeds: Int) throws {
    (file, hasHeadings) = (path, false)
    let object = try JSONSerialization.jsonObject(with: Data(try Files.read("\(path).head")))
    let root = try #require(object as? [String: Any])
    let heads = try #require(root["emitters"] as? [[String: Any]])
    let amounts = heads.map { $0["amount"] as? Int ?? 0 }
    let bytes = try Files.read(path)
    try #require(bytes.count == 116 * amounts.reduce(0, +) * (frames / 5) * seeds)
    func float(_ place: Int) -> Double {
      bytes.withUnsafeBytes { bytes in
        let bits = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        return Double(Float(bitPattern: UInt32(littleEndian: bits)))
      }
    }
    let names = ["x", "y", "speed", "scale", "r", "g", "b", "a"]
    let step = amounts.reduce(0, +)
    var before = 0
    emitters = zip(heads, amounts).map { head, amount in
      defer { before += amount }
      let life = head["lifetime"] as? Double ?? 1
      var columns: [String: [Double?]] = [:]
      for frame in stride(from: 5, through: frames, by: 5) {
        var (count, squares) = (0.0, 0.0)
        var sums = Array(repeating: 0.0, count: names.count + 3)
        for seed in 0..<seeds {
          let start = ((seed * (frames / 5) + frame / 5 - 1) * step + before) * 116
          var living = 0.0
          for slot in 0..<amount where bytes[start + slot * 116 + 68] != 0 {
            let base = start + slot * 116
            let (x, y) = (float(base + 16), float(base + 20))
            let values = [
              x, y, hypot(float(base + 60), float(base + 64)),
              hypot(float(base), float(base + 4)),
              float(base + 24), float(base + 28), float(base + 32), float(base + 36),
              float(base + 88) / life, x * x, y * y,
            ]
            for index in values.indices { sums[index] += values[index] }
            living += 1
          }
          count += living
          squares += living * living
        }
        func add(_ name: String, _ value: Double?) { columns[name, default: []].append(value) }
        let runs = Double(seeds)
        add("count", count / runs)
        add("countSd", max(0, squares / runs - count * count / runs / runs).squareRoot())
        for (index, name) in names.enumerated() { add(name, count > 0 ? sums[index] / count : nil) }
        for (name, first) in [("xSd", 0), ("ySd", 1)] {
          let mean = sums[first] / max(count, 1)
          let square = sums[names.count + 1 + first] / max(count, 1)
          add(name, count > 0 ? max(0, square - mean * mean).squareRoot() : nil)
        }
      }
      return columns
    }
  }

  /// Statistics in the form of `simulate`, with places relative to the emitter and sizes in pixels.
  /// - Parameters:
  ///   - place: the place of the emitter, y up.
  ///   - width: the width of the image.
  func record(
    _ profile: String, of place: ParticleSystem.Vector, width: Double, frames: Int, seeds: Int
  ) -> JSONValue {
    let changes: [String: (Double) -> (Double)] = [
      "x": { $0 - place.x }, "y": { $0 + place.y }, "scale": { $0 * width },
    ]
    let emitters = emitters.map { columns -> JSONValue in
      var object = JSONObject()
      for (name, numbers) in columns {
        let change = changes[name] ?? { $0 }
        object[name == "scale" ? "size" : name] = .array(
          numbers.map { $0.map { .double(change($0)) } ?? .null })
      }
      // Godot does not count births.
      if object["births"] == nil { object["births"] = object["count"] }
      return .object(object)
    }
    return [
      "profile": .string(profile), "axis": "y down, relative to the emitter", "units": "pixels",
      "frames": .int(frames),
      "dt": .double(1.0 / 60), "seeds": .int(seeds),
      "sampledFrames": .array(stride(from: 5, through: frames, by: 5).map { .int($0) }),
      "emitters": .array(emitters),
    ]
  }

  static let columns = [
    "count", "births", "x", "y", "z", "xSd", "ySd", "zSd", "speed", "rotCircSd", "size", "scale",
    "scaleY", "w", "h", "rot", "r", "g", "b", "a", "age",
  ]

  /// The greatest deviation over the columns of the recording.
  /// - Parameter excluded: columns that are not compared.
  func worstDeviation(
    _ statistics: ParticleStatistics, but excluded: Set<String> = []
  ) -> Deviation {
    guard statistics.emitters.count == emitters.count else {
      return Deviation(column: "emitters", share: 9)
    }
    var worst = Deviation()
    for (theirs, ours) in zip(emitters, statistics.emitters) {
      let extent =
        ["x", "y", "z", "xSd", "ySd", "zSd"]
        .flatMap { (theirs[$0] ?? []).compactMap { $0?.magnitude } }.max() ?? 1
      for name in Self.columns where !excluded.contains(name) {
        guard let a = theirs[name] else { continue }
        guard let b = ours.columns.first(where: { $0.name == name })?.values else {
          return Deviation(column: "\(name) is missing", share: 9)
        }
        if name == "rot", hasHeadings {
          let share = Self.deviation(theirs, headings: ours.headings)
          if share > worst.share { worst = Deviation(column: name, share: share) }
          continue
        }
        let share = Self.deviation(
          name, a, b, count: theirs["count"] ?? [], spread: theirs["\(name)Sd"],
          extent: extent == 0 ? 1 : extent)
        if share > worst.share { worst = Deviation(column: name, share: share) }
      }
    }
    return worst
  }

  /// The length of the mean of unit vectors with a circular standard deviation in degrees.
  private static func meanLength(_ deviation: Double) -> Double {
    let angle = deviation * .pi / 180
    return exp(-angle * angle / 2)
  }

  /// The deviation of the mean of unit vectors, as a share of the greatest.
  private static func deviation(
    _ theirs: [String: [Double?]], headings: [SIMD2<Double>?]
  ) -> Double {
    let (angles, spreads) = (theirs["rot"] ?? [], theirs["rotCircSd"] ?? [])
    let counts = theirs["count"] ?? []
    var differences: [Double] = []
    for (frame, heading) in headings.enumerated() where frame < angles.count {
      guard let angle = angles[frame], let spread = spreads[frame], let heading else { continue }
      let length = meanLength(spread)
      let mean = SIMD2(cos(angle * .pi / 180), sin(angle * .pi / 180)) * length
      let error = 3 * ((1 - length * length) / max(8 * (counts[frame] ?? 0), 1)).squareRoot()
      let difference = ((mean - heading) * (mean - heading)).sum().squareRoot()
      differences.append(max(0, difference - error) / 2)
    }
    return differences.isEmpty ? 0 : differences.sorted()[differences.count / 2]
  }

  private static func deviation(
    _ name: String, _ a: [Double?], _ b: [Double?], count: [Double?], spread: [Double?]?,
    extent: Double
  ) -> Double {
    let scale: Double =
      switch name {
      case "x", "y", "z", "xSd", "ySd", "zSd": extent
      case "r", "g", "b", "a", "age": 1
      case "rot": 360
      // The least scale of Godot is 1e-6.
      case "scale", "scaleY": max(a.compactMap { $0?.magnitude }.max() ?? 1, 1e-4)
      default: max(a.compactMap { $0?.magnitude }.max() ?? 1, 1e-12)
      }
    let isMeasured = ["count", "births", "x", "y", "z"].contains(name)
    var differences: [Double] = []
    for frame in a.indices where frame < b.count {
      guard let x = a[frame], let y = b[frame] else { continue }
      if name == "rotCircSd" {
        // The deviation of uniform angles has no bound. The length of their mean vector has an error.
        let (one, other) = (meanLength(x), meanLength(y))
        let error = 3 * ((1 - one * one) / max(16 * (count[frame] ?? 0), 1)).squareRoot()
        differences.append(max(0, (one - other).magnitude - error))
        continue
      }
      let deviation = isMeasured ? (spread?[frame] ?? 0) : scale * 0.3
      let samples =
        ["count", "births"].contains(name) ? 16 : max(16 * (count[frame] ?? 0), 1)
      let error = 3 * deviation * (2 / samples).squareRoot()
      differences.append(max(0, (x - y).magnitude - error) / scale)
    }
    return differences.isEmpty ? 0 : differences.sorted()[differences.count / 2]
  }
}
