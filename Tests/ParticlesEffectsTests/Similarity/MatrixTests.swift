import Foundation
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesFormats
import ParticlesRender
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Conversions from every format to every other, with measured differences.
@Suite("The matrix of conversions", .serialized)
struct MatrixTests {
  static let formats = FormatRegistry.standard.formats.filter { !$0.isArchive && $0.canRead }
  static let targets = formats.filter(\.canWrite)

  /// Whether all files of the corpus are converted, by a release build of the tool.
  static let tool = ProcessInfo.processInfo.environment["PARTICLES_MATRIX"]

  /// Our own effects by the name of their format, the smallest first.
  static let effects = files(in: [Repository.path("Fixtures/effects")])

  /// All effects below some folders by the name of their format, without duplicates of equal files.
  static func files(in folders: [String]) -> [String: [String]] {
    var seen: Set<ContentDigest> = []
    var result: [String: [(size: Int, path: String)]] = [:]
    for document in DocumentSet(folders, isRecursive: true).documents
    where !document.path.contains("/malformed/") {
      guard (try? Files.status(document.path)?.kind) == .file,
        let bytes = try? Files.read(document.path), seen.insert(SHA256.digest(bytes)).inserted,
        let format = try? FormatRegistry.standard.recognising(
          bytes, fileName: Files.lastComponent(of: document.path)), !format.isArchive
      else { continue }
      result[format.name, default: []].append((bytes.count, document.path))
    }
    return result.mapValues { files in files.sorted { $0 < $1 }.map(\.path) }
  }

  @Test("an effect of each format converts to some, and a visible difference has a line")
  func sample() throws {
    for (number, format) in Self.formats.enumerated() {
      guard let path = Self.effects[format.name]?.first else {
        print("no effect of the format \(format.name) in Fixtures/effects")
        continue
      }
      let package = try OpenedEffect(path: path).package
      let others = Self.targets.map(\.name).filter { $0 != format.name }
      let neighbour = others.first { $0 > format.name } ?? others[0]
      // `make test-matrix` measures every pair.
      let another = others[number % others.count]
      let other = number.isMultiple(of: 2) ? neighbour : another
      for target in Self.targets where [format.name, other].contains(target.name) {
        let exported = try package.exported(
          as: target, fileName: "effect.\(target.extensions[0])")
        for line in exported.losses where line.loss?.metric?.value == 0 {
          #expect(line.lossLevel == .info, "\(path) to \(target.name): \(line)")
        }
        // Measuring each line takes most of the time.
        let measuresLines =
          target.name == neighbour && (Sample.isWhole || number.isMultiple(of: 4))
        let measured = try ConversionMeasurement(
          of: package, exported: exported, as: target, measuresLines: measuresLines)
        let difference = try #require(measured.difference, "\(path) emits nothing")
        if target.name == format.name {
          #expect(difference.whole == 0, "\(path): \(difference.aspects)")
        }
        for line in measured.losses {
          guard let amount = line.loss?.difference else { continue }
          #expect(amount <= difference.whole + 1e-9)
          #expect(line.lossLevel == Loss.Level(difference: amount))
        }
        // Without measuring, too.
        #expect(
          difference.whole < 0.05 || exported.losses.contains { $0.lossLevel > .info },
          "\(path) to \(target.name): \(difference.aspects)")
      }
    }
  }

  /// Files of our own, each with another format: of every third format one. In `make test-matrix`, one of
  /// each format, and one of the corpus if that is there.
  static let sampled: [(path: String, target: String)] = {
    let corpus = tool == nil ? [:] : Repository.corpus.map { files(in: [$0]) } ?? [:]
    return formats.enumerated().flatMap { number, format -> [(path: String, target: String)] in
      let name = format.name
      let own = (effects[name] ?? []).prefix(tool != nil || number.isMultiple(of: 3) ? 1 : 0)
      let others = corpus[name] ?? []
      let some = [others.count / 3].compactMap {
        others.indices.contains($0) ? others[$0] : nil
      }
      let names = targets.map(\.name).filter { $0 != name }
      return (Array(own) + some).enumerated().map { ($1, names[(number + $0) % names.count]) }
    }
  }()

  /// A conversion of a sampled file, with its difference.
  private struct Conversion: Sendable {
    let path: String
    let format: ParticleFormat
    let package: EffectPackage
    let exported: Exported
    var difference: EffectDifference?

    init(_ path: String, _ target: String) throws {
      self.path = path
      format = try #require(FormatRegistry.standard[target])
      package = try OpenedEffect(path: path).package
      exported = try package.exported(as: format, fileName: "effect.\(format.extensions[0])")
      difference = try difference(firstSeed: 1)
    }

    func difference(firstSeed: UInt64) throws -> EffectDifference? {
      try ConversionMeasurement(
        of: package, exported: exported, as: format, firstSeed: firstSeed, measuresLines: false
      ).difference
    }
  }

  /// Measured once for several tests.
  private static let conversions = Result { try sampled.map { try Conversion($0.path, $0.target) } }

  @Test("estimated levels are near the measured ones, without a line nothing differs visibly")
  func calibration() throws {
    var (count, far) = (0, [String]())
    for conversion in try Self.conversions.get() {
      let (path, target, exported) = (
        conversion.path, conversion.format.name, conversion.exported
      )
      guard let difference = conversion.difference else { continue }
      // Properties that the reader left out are in neither effect. Images and properties that need a scene
      // are not measured, but the use of alpha by a blend mode is measured.
      let lines = exported.losses.filter { line in
        guard let feature = line.loss?.feature else { return false }
        return ["blending", "law"].contains(feature)
          || Capability.all.contains {
            $0.id == feature && ($0.isMeasurable || $0 == .premultipliedAlpha)
          }
      }
      let estimated = lines.map(\.lossLevel).max() ?? .info
      let level = Loss.Level(difference: difference.whole)
      #expect(
        level <= .low || estimated > .info, "\(path) to \(target): \(difference.aspects)")
      count += 1
      if Self.distance(estimated, level) > 1 {
        far.append("\(path) to \(target): \(estimated) for \(level), \(difference.aspects)")
      }
    }
    // Few files allow no sharper bound.
    let share = Self.tool == nil ? 0.5 : 0.9
    #expect(Double(count - far.count) >= share * Double(count), "of \(count): \(far)")
  }

  static func distance(_ a: Loss.Level, _ b: Loss.Level) -> Int {
    let levels = Loss.Level.allCases
    return abs((levels.firstIndex(of: a) ?? 0) - (levels.firstIndex(of: b) ?? 0))
  }

  @Test("the numbers are stable within 0.02 between disjoint sets of seeds")
  func stability() throws {
    for conversion in try Self.conversions.get() {
      let numbers = try [conversion.difference, conversion.difference(firstSeed: 70_001)]
        .map { $0 ?? EffectDifference() }
      for aspect in EffectDifference.Aspect.allCases {
        let values = numbers.map { $0.aspects[aspect] ?? 0 }
        #expect(
          (values[0] - values[1]).magnitude <= 0.02, "\(conversion.path) \(aspect) \(values)")
      }
    }
  }

  @Test("the table of medians names formats of the registry")
  func table() throws {
    let page = String(
      decoding: try Files.read(Repository.path("Spec/conversion/README.md")), as: UTF8.self)
    let section = try #require(
      page.components(separatedBy: "<!-- begin matrix -->").last?
        .components(separatedBy: "<!-- end matrix -->").first)
    let lines = section.split(separator: "\n").filter { $0.hasPrefix("|") }
    let columns = try #require(lines.first).split(separator: "|").dropFirst()
      .map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(columns.allSatisfy { name in Self.targets.contains { "`\($0.name)`" == name } })
    let missing = Self.targets.map(\.name).filter { !columns.contains("`\($0)`") }
    if !missing.isEmpty {
      print("not measured: \(missing); run PARTICLES_RECORD=1 make test-matrix")
    }
  }
}

/// Files of the corpus from every format to every other.
@Suite(
  "The whole matrix of conversions", .serialized,
  .enabled(if: MatrixTests.tool != nil, "only in make test-matrix"))
struct WholeMatrixTests {
  /// A converted file.
  private struct Row {
    var path: String
    var difference: Double
    var aspects: [String: Double]
    var losses: [(text: String, feature: String, difference: Double?, level: Loss.Level)]
  }

  /// All effects by the name of their format, read once.
  private static let effects = MatrixTests.files(
    in: [Repository.path("Fixtures/effects")] + [Repository.corpus].compactMap(\.self))

  /// The files of a pair: more take too long. Measuring the lines takes four times as long.
  private static let (files, measured) = (2, 1)

  /// Files at even distances, beginning at another place for each target.
  private static func some(_ paths: [String], _ most: Int, shift: Double) -> [String] {
    let count = min(most, paths.count)
    return (0..<count).map {
      paths[Int((Double($0) + shift) * Double(paths.count) / Double(count))]
    }
  }

  @Test("has a median for each pair, as the specification lists it", .enabled(if: Corpus.isPresent))
  func medians() throws {
    let rows = try Self.rows(Self.files, measuresLines: false)
    Self.printWorst(rows)
    for (source, targets) in rows {
      for row in targets[source] ?? [] {
        #expect(row.difference < 0.01, "\(row.path): \(row.difference) in its own format")
      }
    }
    try Golden.checkSection(
      "matrix", of: "Spec/conversion/README.md",
      is: Self.markdown(Self.effects.mapValues(\.count), rows))
  }

  @Test("every visible difference has a line of the encoder", .enabled(if: Corpus.isPresent))
  func explanations() throws {
    let rows = try Self.rows(Self.measured, measuresLines: true)
    Self.printWorst(rows)
    for (source, targets) in rows {
      for (target, rows) in targets where target != source {
        for row in rows where row.difference >= 0.05 {
          #expect(row.losses.contains { $0.level > .info }, "\(row.path): \(row.difference)")
          #expect(
            !row.losses.contains { $0.feature == "unexplained" },
            "\(row.path) to \(target): \(row.difference) has no line of the encoder")
        }
      }
    }
  }

  /// Some files of each format, converted to each.
  private static func rows(
    _ most: Int, measuresLines: Bool
  ) throws -> [String: [String: [Row]]] {
    var rows: [String: [String: [Row]]] = [:]
    for source in MatrixTests.formats.map(\.name) {
      guard let paths = Self.effects[source] else { continue }
      for (index, target) in MatrixTests.targets.map(\.name).enumerated() {
        let shift = Double(index) / Double(MatrixTests.targets.count)
        rows[source, default: [:]][target] = try convert(
          some(paths, most, shift: shift), to: target, measuresLines: measuresLines)
      }
    }
    return rows
  }

  @Test(
    "all numbers are stable within 0.02 between disjoint sets of seeds",
    .enabled(if: Corpus.isPresent))
  func stability() throws {
    let names = MatrixTests.targets.map(\.name)
    var (count, unstable) = (0, 0)
    for (number, source) in MatrixTests.formats.map(\.name).enumerated() {
      guard let paths = Self.effects[source] else { continue }
      let others = names.filter { $0 != source }
      let target = others[(number + 2) % others.count]
      let rows = try [1, 70_001].map { try Self.convert(paths, to: target, seed: $0) }
      #expect(rows[0].count == rows[1].count)
      for (a, b) in zip(rows[0], rows[1]) {
        #expect(a.path == b.path)
        count += 1
        let apart = a.aspects.map { ($0, ($1 - (b.aspects[$0] ?? 0)).magnitude) }
          .filter { $0.1 > 0.02 }
        guard !apart.isEmpty else { continue }
        unstable += 1
        print("\(a.path) to \(target): \(apart)")
        #expect(apart.allSatisfy { $0.1 < 0.025 }, "\(a.path) to \(target): \(apart)")
      }
    }
    print("stable: \(count - unstable) of \(count)")
    // Of some thousand numbers with a random error, few are beyond any bound.
    #expect(Double(unstable) <= 0.005 * Double(count))
  }

  private static func convert(
    _ paths: [String], to target: String, measuresLines: Bool = false, seed: Int = 1
  ) throws -> [Row] {
    guard !paths.isEmpty else { return [] }
    // A limit that nothing exceeds measures the effects without the lines.
    let measure = measuresLines ? ["--measure"] : ["--max-loss", "1"]
    let run = try Run(
      try #require(MatrixTests.tool),
      ["convert", "--to", target, "--dry-run", "--json", "-o", "matrix/", "--seed", "\(seed)"]
        + measure + paths)
    let document = try JSONValue(parsing: run.output)
    return (document.object?["files"]?.array ?? []).compactMap { file in
      guard let file = file.object,
        let difference = file["difference"]?.object?["difference"]?.double
      else { return nil }
      let members = file["difference"]?.object?["aspects"]?.object?.members ?? []
      let aspects = Dictionary(
        members.compactMap { member in member.value.double.map { (member.key, $0) } },
        uniquingKeysWith: { first, _ in first })
      let losses = (file["diagnostics"]?.array ?? []).compactMap {
        line -> (
          text: String, feature: String, difference: Double?, level: Loss.Level
        )? in
        guard let loss = line.object?["loss"]?.object,
          let level = loss["level"]?.string.flatMap(Loss.Level.init)
        else { return nil }
        return (
          line.object?["detail"]?.string ?? "", loss["feature"]?.string ?? "",
          loss["difference"]?.double, level
        )
      }
      return Row(
        path: file["path"]?.string ?? "", difference: difference, aspects: aspects,
        losses: losses)
    }
  }

  private static func median(_ numbers: [Double]) -> Double? {
    let sorted = numbers.sorted()
    guard let last = sorted.last else { return nil }
    return (sorted[(sorted.count - 1) / 2] + (sorted.count > 1 ? sorted[sorted.count / 2] : last))
      / 2
  }

  private static func markdown(
    _ counts: [String: Int], _ rows: [String: [String: [Row]]]
  ) -> String {
    let sources = MatrixTests.formats.map(\.name).filter { rows[$0] != nil }
    let targets = MatrixTests.targets.map(\.name)
    func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }
    var page = line(["from (effects)"] + targets.map { "`\($0)`" })
    page += "|\(String(repeating: "---|", count: targets.count + 1))\n"
    for source in sources {
      page += line(
        ["`\(source)` (\(counts[source] ?? 0))"]
          + targets.map { target in
            median((rows[source]?[target] ?? []).map(\.difference))?.hundredths ?? "–"
          })
    }
    let levels = rows.flatMap { source, targets in
      targets.filter { $0.key != source }.values.flatMap(\.self).map { row in
        MatrixTests.distance(
          row.losses.map(\.level).max() ?? .info, Loss.Level(difference: row.difference))
      }
    }
    let shares = [0, 1].map { most in
      Int((100 * Double(levels.count { $0 <= most }) / Double(max(levels.count, 1))).rounded())
    }
    return page + """

      Of these \(levels.count) conversions to another format, \(shares[0]) % have a greatest estimated level that is the
      measured one, and \(shares[1]) % one that is at most one level away.
      """
  }

  /// Prints the pairs and the features that differ most: what to mend first.
  private static func printWorst(_ rows: [String: [String: [Row]]]) {
    var pairs: [(name: String, median: Double)] = []
    var features: [String: [Double]] = [:]
    var unexplained: [String: Int] = [:]
    for (source, targets) in rows {
      for (target, rows) in targets where source != target {
        pairs.append(("\(source) to \(target)", median(rows.map(\.difference)) ?? 0))
        for loss in rows.lazy.flatMap(\.losses) {
          guard let difference = loss.difference else { continue }
          if loss.feature == "unexplained" {
            unexplained["\(source) to \(target)", default: 0] += 1
          }
          features["\(source) to \(target): \(loss.feature)", default: []].append(difference)
        }
      }
    }
    for pair in pairs.sorted(by: { $0.median > $1.median }).prefix(10) {
      print("\(pair.median.hundredths) \(pair.name)")
    }
    let sums = features.map { (name: $0, all: $1, sum: $1.reduce(0, +)) }.sorted { $0.sum > $1.sum }
    for feature in sums.prefix(10) {
      print(
        "\((median(feature.all) ?? 0).hundredths) in \(feature.all.count) files, \(feature.name)")
    }
    print("without a line of the encoder: \(unexplained)")
  }
}
