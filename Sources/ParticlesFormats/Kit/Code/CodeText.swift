internal import ParticlesCore
internal import ParticlesModel

/// A programming language, as far as literals and comments are concerned.
enum CodeLanguage: Sendable {
  case swift, csharp, lua

  /// The beginning of a comment that ends with its line.
  var comment: String { self == .lua ? "--" : "//" }

  /// The beginning of a documentation comment.
  var documentation: String { self == .lua ? "---" : "///" }

  /// A number, in C# of the type float.
  func number(_ number: Double) -> String {
    let text = JSONNumber((number.isFinite ? number + 0 : 0).rounded).text
    let short = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    return self == .csharp ? "\(short)f" : short
  }

  func list(_ numbers: [Double]) -> String { numbers.map(number).joined(separator: ", ") }

  private var escapes: TextEscapes {
    switch self {
    case .swift: .swift
    case .csharp: .csharp
    case .lua: .lua
    }
  }

  func string(_ text: String) -> String { escapes.quoted(text) }

  /// Text for a comment, on one line. A space is in place of each control character, because a comment has
  /// no escapes.
  static func plain(_ text: String) -> String {
    let plain = text.replacingControls { _ in " " }
    return plain.count <= 200 ? plain : String(plain.prefix(197)) + "..."
  }

  /// A name as an identifier: its ASCII letters and digits in camel case.
  /// - Parameters:
  ///   - isType: whether it begins with a capital letter.
  ///   - standard: the identifier for a name without any letter.
  static func identifier(_ name: String, isType: Bool, or standard: String) -> String {
    var (result, startsWord) = ("", isType)
    for byte in name.utf8.prefix(200) {
      let letter = byte & ~0x20
      switch byte {
      case 48...57 where !result.isEmpty:
        result.unicodeScalars.append(Unicode.Scalar(byte))
        startsWord = true
      case _ where (65...90).contains(letter):
        let isFirst = result.isEmpty && !isType
        let shown = startsWord && !isFirst ? letter : isFirst ? byte | 0x20 : byte
        result.unicodeScalars.append(Unicode.Scalar(shown))
        startsWord = false
      default: startsWord = startsWord || !result.isEmpty
      }
    }
    return result.isEmpty ? standard : result
  }
}

/// Source code, line by line.
struct CodeText {
  let language: CodeLanguage
  private(set) var lines: [String] = []
  private var depth = 0

  init(_ language: CodeLanguage) { self.language = language }

  mutating func line(_ text: String = "") {
    let indent = language == .csharp ? 4 : 2
    lines.append(text.isEmpty ? "" : String(repeating: " ", count: depth * indent) + text)
  }

  mutating func comment(_ text: String) {
    line("\(language.comment) \(CodeLanguage.plain(text))")
  }

  mutating func documentation(_ text: String) {
    line(
      text.isEmpty
        ? language.documentation : "\(language.documentation) \(CodeLanguage.plain(text))")
  }

  mutating func block(_ opening: String, _ closing: String, _ body: (inout CodeText) -> Void) {
    line(opening)
    depth += 1
    body(&self)
    depth -= 1
    line(closing)
  }

  var bytes: [UInt8] { Array((lines.joined(separator: "\n") + "\n").utf8) }
}

/// The last step of a format of source code: its values, which an encoder wrote as a file that can be
/// read again, become statements.
///
/// The audit and the measurement of an export read that file, so that they hold for source code, too.
/// A typesetter states every value of the file, or has a gap for it.
struct Typesetter: Sendable {
  /// The units and axes of the code, for its comment.
  let conventions: String

  /// The properties that the file can state and the code cannot.
  var gaps: [CodeGap] = []

  /// Whether the file can state a seed and the code cannot.
  var losesSeed = false

  /// Writes the code for the values of one file.
  let write: @Sendable (_ values: [UInt8], _ sheet: CodeSheet) throws(Failure) -> CodeText
}

/// A property of emitters that code cannot state, though the file with its values can.
struct CodeGap: Sendable {
  let path: String
  let capability: Capability
  let detail: String
  let isUsed: @Sendable (Emitter) -> Bool
}

/// The context of one file of code.
struct CodeSheet {
  /// The name of the effect.
  let title: String

  /// The name of the file, without folders.
  let fileName: String

  let images: [String]

  /// The report lines that concern the file, each once.
  let losses: [String]

  let conventions: String

  let limits: Limits

  /// The name of the function: `make` and the name of the file.
  var function: String {
    "make" + CodeLanguage.identifier(Files.stem(of: fileName), isType: true, or: "Effect")
  }

  /// Writes the comment above the function.
  func describe(in text: inout CodeText, _ what: String) {
    text.documentation("Returns \(what) of the effect “\(title)”.")
    text.documentation("")
    text.documentation(conventions)
    if !images.isEmpty { text.documentation("Images: \(images.joined(separator: ", ")).") }
    guard !losses.isEmpty else { return }
    text.documentation("")
    text.documentation("Differences from the effect:")
    for loss in losses.prefix(40) { text.documentation("- \(loss)") }
    if losses.count > 40 { text.documentation("- and \(losses.count - 40) other differences") }
  }
}

extension Typesetter {
  /// The lines for values that the code cannot state.
  func losses(of system: ParticleSystem) -> [Diagnostic] {
    let seed =
      losesSeed && system.seed != 0
      ? [Diagnostic(.lost, .seed, at: "seed", "random numbers differ in every run")] : []
    return seed
      + system.emitters.indices.flatMap { index in
        gaps.filter { $0.isUsed(system.emitters[index]) }.map { gap in
          Diagnostic(.lost, gap.capability, at: "emitters[\(index)].\(gap.path)", gap.detail)
        }
      }
  }

  /// Replaces the files of an export by source code. The replaced files become the ``Exported/Part/model`` of the code.
  func typeset(_ exported: inout Exported, _ system: ParticleSystem, limits: Limits) throws(Failure)
  {
    let count = exported.parts.count
    let notes = notes(exported.losses)
    var places: [Int?: [Int]] = [:]
    for (place, note) in notes.enumerated() { places[note.emitter, default: []].append(place) }
    for index in exported.parts.indices {
      let part = exported.parts[index]
      let images = Set(part.emitters.compactMap(system.shownImage)).map {
        system.images[$0].uri
      }
      let told = ((places[nil] ?? []) + part.emitters.flatMap { places[$0] ?? [] }).sorted()
      var seen: Set<String> = []
      let sheet = CodeSheet(
        title: title(of: system, part, isAlone: count == 1), fileName: part.name,
        images: names(of: images),
        losses: told.map { notes[$0].text }.filter { seen.insert($0).inserted },
        conventions: conventions, limits: limits)
      exported.parts[index].model = part.bytes
      exported.parts[index].bytes = try write(part.bytes, sheet).bytes
    }
  }

  private func title(of system: ParticleSystem, _ part: Exported.Part, isAlone: Bool) -> String {
    let emitter = part.emitters.first.map { system.emitters[$0].name } ?? ""
    let names = [isAlone ? system.asset.name ?? "" : "", emitter, system.asset.name ?? ""]
    return names.first { !$0.isEmpty } ?? Files.stem(of: part.name)
  }

  private func names(of images: [String]) -> [String] {
    images.map { Files.lastComponent(of: $0) }.sorted()
  }

  /// The lost and approximated values, each with the index of its emitter, or nil for the whole effect.
  private func notes(_ losses: [Diagnostic]) -> [(emitter: Int?, text: String)] {
    losses.compactMap { line in
      guard [.lost, .approximated, .clamped, .changed].contains(line.rule), let loss = line.loss,
        loss.level != .info
      else { return nil }
      let recipe = loss.recipe.map { " (\($0))" } ?? ""
      let text = "\(loss.path): \(line.detail ?? "")\(recipe)"
      return (ParticleSystem.emitterIndex(at: loss.path), text)
    }
  }
}

extension ParticleFormat {
  /// A format of source code, which can be written but not read.
  /// - Parameters:
  ///   - base: the format that holds the values of the code.
  ///   - typesetter: writes these values as code.
  init(
    code name: String, title: String, extensions: [String], of base: ParticleFormat,
    _ typesetter: @autoclosure @escaping @Sendable () -> Typesetter
  ) {
    self = base
    (self.name, self.title, self.extensions) = (name, title, extensions)
    makeTypesetter = typesetter
    (types, lookAlikes) = ([], [])
    recognise = { _, _ in false }
    makeCapabilities = {
      var capabilities = base.capabilities
      let typesetter = typesetter()
      let missing = (capabilities?.exact ?? []).intersection(typesetter.gaps.map { $0.capability })
      capabilities?.exact.subtract(missing)
      capabilities?.approximated.formUnion(missing)
      if typesetter.losesSeed { capabilities?.exact.remove(.seed) }
      return capabilities
    }
  }
}
