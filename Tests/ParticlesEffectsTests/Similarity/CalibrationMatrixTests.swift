import Foundation
import ParticlesCore
import ParticlesDocuments
import ParticlesFormats
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Estimated levels of losses beside measured levels of `--measure`, over files of the corpus.
@Suite(
  "Estimates of losses", .serialized,
  .enabled(if: MatrixTests.tool != nil, "only in make test-matrix"),
  .enabled(if: Corpus.isPresent, "the folder with files of others is not there"))
struct CalibrationMatrixTests {
  /// The formats that effects are written to: engines with few features and with many.
  private static let targets = [
    "pixi", "love", "godot4", "starling", "cocos2d", "spritekit", "defold",
  ]

  /// The files of each format, of which each round has one. None begins after so many seconds, unless the figures are
  /// recorded.
  private static let (rounds, seconds) = (3, 300.0)

  /// The most bytes of a file: larger ones take long, and are no other kind of effect.
  private static let mostBytes = 100_000

  /// Chooses the files.
  private static let seed: UInt64 = 48

  /// The cases of a kind that say something about its estimates.
  private static let leastCases = 20

  /// How far, in per cent, the share of a kind may be below the recorded one, as for another selection of files.
  private static let tolerance = 5

  /// In per cent: lines with an equal level. Lines measured medium or high that were estimated medium or high. Lines
  /// estimated high with a difference below 0.05. A part of the files may miss the goal, 85, 90 and 5, by some lines.
  private static let bounds = (equal: 82, visible: 87, false: 4)

  /// A line of the report with both levels.
  private struct Case {
    var kind: String
    var target: String
    var estimated: Loss.Level
    var measured: Loss.Level
    var difference: Double
  }

  /// A line of a report, without what measuring changes.
  private struct Line: Hashable {
    var code: String
    var feature: String
    var path: String
  }

  @Test("levels are those of measuring, as often as the specification lists it")
  func levels() throws {
    let begin = Date()
    var cases: [Case] = []
    var isWhole = true
    for round in Self.sampled() {
      for target in Self.targets {
        isWhole = isWhole && -begin.timeIntervalSinceNow < Self.seconds
        guard isWhole || Repository.isRecording else { continue }
        cases += try Self.cases(of: round.filter { $0.key != target }.values.sorted(), to: target)
      }
    }
    let numbers = Self.Numbers(cases)
    print(numbers)
    #expect(numbers.equal >= Self.bounds.equal)
    #expect(numbers.visible >= Self.bounds.visible)
    #expect(numbers.false <= Self.bounds.false)
    let groups = [
      Dictionary(grouping: cases) { "`\($0.target)`" }, Dictionary(grouping: cases, by: \.kind),
    ]
    let shares = groups.map { group in
      group.filter { $1.count >= Self.leastCases }.mapValues { cases in
        (count: cases.count, numbers: Numbers(cases))
      }
    }
    guard Repository.isRecording else {
      // A part of the files is another selection.
      let recorded = isWhole ? try Self.recorded() : []
      for (name, share) in recorded {
        guard let now = shares[0][name] ?? shares[1][name] else { continue }
        #expect(
          now.numbers.equal >= share - Self.tolerance,
          "\(name): \(now.numbers.equal) %, not \(share)")
      }
      return
    }
    var page = "\(numbers)\n"
    for (title, group) in zip(["Written format", "Kind of line"], shares) {
      page += "\n| \(title) | Lines | Equal (%) | Found (%) | False (%) |\n|---|--:|--:|--:|--:|\n"
      for (name, share) in group.sorted(by: {
        ($1.value.numbers.equal, $0.key) < ($0.value.numbers.equal, $1.key)
      }) {
        let numbers = share.numbers
        page +=
          "| \(name) | \(share.count) | \(numbers.equal) | \(numbers.visible) | \(numbers.false) |\n"
      }
    }
    try Golden.checkSection("calibration", of: "Spec/conversion/README.md", is: page)
  }

  /// The reached values over all lines, in per cent.
  private struct Numbers: CustomStringConvertible {
    let lines: Int
    let equal: Int
    let visible: Int
    let `false`: Int

    init(_ cases: [Case]) {
      lines = cases.count
      equal = share(cases.count { $0.estimated == $0.measured }, of: cases.count)
      let seen = cases.filter { $0.measured >= .medium }
      visible = share(seen.count { $0.estimated >= .medium }, of: seen.count)
      let high = cases.filter { $0.estimated == .high }
      `false` = share(high.count { $0.difference < 0.05 }, of: high.count)
    }

    var description: String {
      """
      Of \(lines) lines, \(equal) % have the measured level (goal: 85). Of those measured *medium* or *high*, \(visible) %
      are estimated so (goal: 90). Of those estimated *high*, \(self.false) % measure below 0.05 (goal: at most 5).
      """
    }
  }

  private static func share(_ part: Int, of whole: Int) -> Int {
    whole > 0 ? Int((100 * Double(part) / Double(whole)).rounded()) : 100
  }

  /// The recorded shares by the kind of line.
  private static func recorded() throws -> [(kind: String, share: Int)] {
    let page = String(
      decoding: try Files.read(Repository.path("Spec/conversion/README.md")), as: UTF8.self)
    let section = page.components(separatedBy: "<!-- begin calibration -->").last?
      .components(separatedBy: "<!-- end calibration -->").first
    return (section ?? "").split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return cells.count == 5 ? Int(cells[2]).map { (cells[0], $0) } : nil
    }
  }

  /// Files by the name of their format, one of each, for each round.
  private static func sampled() -> [[String: String]] {
    var generator = SeededGenerator(seed: seed)
    let effects = MatrixTests.files(in: [Repository.corpus].compactMap(\.self))
    var rounds = [[String: String]](repeating: [:], count: rounds)
    for source in MatrixTests.formats.map(\.name) {
      let paths = (effects[source] ?? []).filter {
        (try? Files.status($0)?.size).map { $0 <= mostBytes } == true
      }
      for (round, path) in paths.shuffled(using: &generator).prefix(rounds.count).enumerated() {
        rounds[round][source] = path
      }
    }
    return rounds
  }

  /// The lines of some conversions that are both estimated and measured. A single document would always be measured.
  private static func cases(of paths: [String], to target: String) throws -> [Case] {
    guard paths.count > 1 else { return [] }
    let estimates = try reports(paths, to: target, [])
    let known = paths.filter { estimates[$0]?.isEmpty == false }
    let measures = known.isEmpty ? [:] : try reports(known, to: target, ["--measure"])
    return estimates.flatMap { path, lines -> [Case] in
      var measured = Dictionary(grouping: measures[path] ?? [], by: \.line)
      return lines.compactMap { line, level, _ in
        guard let match = measured[line]?.first else { return nil }
        measured[line]?.removeFirst()
        guard let difference = match.difference else { return nil }
        // Without the number of the emitter, and the numbers of forces.
        let steps = line.path.split(separator: ".").map { $0.prefix { $0 != "[" } }
        let place = steps.first == "emitters" ? steps.dropFirst() : steps[...]
        return Case(
          kind: "\(line.feature), `\(place.joined(separator: "."))`", target: target,
          estimated: level,
          measured: match.level, difference: difference)
      }
    }
  }

  /// The lines of each report, by the path of the file.
  private static func reports(
    _ paths: [String], to target: String, _ options: [String]
  ) throws -> [String: [(line: Line, level: Loss.Level, difference: Double?)]] {
    let run = try Run(
      try #require(MatrixTests.tool),
      ["convert", "--to", target, "--dry-run", "--json", "-o", "calibration/"] + options + paths)
    let files = try JSONValue(parsing: run.output).object?["files"]?.array ?? []
    var reports: [String: [(line: Line, level: Loss.Level, difference: Double?)]] = [:]
    for file in files {
      reports[file.object?["path"]?.string ?? ""] = (file.object?["diagnostics"]?.array ?? [])
        .compactMap { json in
          guard let code = json.object?["code"]?.string, let loss = json.object?["loss"]?.object,
            loss["basis"] != "feature",
            let level = loss["level"]?.string.flatMap(Loss.Level.init),
            let feature = loss["feature"]?.string, let path = loss["path"]?.string
          else { return nil }
          return (Line(code: code, feature: feature, path: path), level, loss["difference"]?.double)
        }
    }
    return reports
  }
}
