internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats

/// The document of a conversion of one document. It is opened once, also if the format of the result
/// depends on it.
final class ConversionSource: Sendable {
  private let invocation: Invocation
  /// The path of the only document; nil for a batch.
  let path: String?
  private let early = Lock<Result<OpenedEffect, any Error>?>(nil)

  init(_ invocation: Invocation, _ path: String?) {
    (self.invocation, self.path) = (invocation, path)
  }

  /// The format that the document has or was imported from, and the extension that the file had; nil for a
  /// batch, and without an import.
  func origin() throws -> (format: ParticleFormat, extension: String)? {
    guard let path else { return nil }
    let result = Result { try opened(at: path) }
    early.withLock { $0 = result }
    let document = try result.get()
    do {
      return try locating(Location(file: path)) {
        guard let format = try document.originalFormat() else { return nil }
        let file = try document.package.originalFormat()?.path
        return (format, file.map(Files.pathExtension) ?? "")
      }
    } catch let fault as Diagnostic where [.noDocument, .foreign].contains(fault.rule) {
      return nil
    }
  }

  /// Opens a document, unless that was done to choose a format.
  func opened(at path: String) throws -> OpenedEffect {
    let known = early.withLock { early -> Result<OpenedEffect, any Error>? in
      defer { early = nil }
      return path == self.path ? early : nil
    }
    return try known?.get() ?? invocation.effectOfEngine(at: path)
  }
}

extension ConversionTarget {
  /// The word after `--to` that means the format that an effect was imported from.
  private static let originalWord = "original"

  /// The words that `--to` lists. It takes extensions, too.
  static var words: [String] {
    ["particles", originalWord] + FormatRegistry.standard.formats.filter(\.canWrite).map(\.name)
  }

  /// The target that the options name, otherwise the one that the extension of the output does. Of several
  /// formats with one extension, it is the one that the effect came from, which is reported.
  init(_ invocation: Invocation, named output: String?, of source: ConversionSource) throws {
    let kind = output.map(Files.pathExtension) ?? ""
    let choice = FormatChoice(invocation, source, output)
    let word = invocation.value(.to)
    guard word != Self.originalWord else {
      guard invocation.form == nil else {
        throw UsageError(
          "'--form' applies to packages only, but '--to original' writes no packages")
      }
      self = .original
      return
    }
    let format = try word.map(choice.named) ?? choice.byOutput(kind)
    guard let format else {
      self = .package(invocation.form ?? .flat)
      return
    }
    guard invocation.form == nil else {
      throw UsageError("'--form' applies to packages only, but the result is a \(format.title)")
    }
    guard format.name != "tar" || !["gz", "tgz"].contains(kind) else {
      throw UsageError(
        "compressed tar archives cannot be written",
        hint: "write a .tar, then compress it with gzip")
    }
    self = format.isArchive ? .archive(format) : .effect(format)
  }
}

/// Finds the format of a result by a name, an extension, or the origin of the effect.
private struct FormatChoice {
  private let invocation: Invocation
  private let source: ConversionSource
  private let output: String?
  private let formats = FormatRegistry.standard

  init(_ invocation: Invocation, _ source: ConversionSource, _ output: String?) {
    (self.invocation, self.source, self.output) = (invocation, source, output)
  }

  /// The format of a name or extension; nil for packages.
  func named(_ word: String) throws -> ParticleFormat? {
    if word == "particles" || word == ".particles" { return nil }
    if let format = formats[word] {
      return try format.canWrite ? format : writable([format], word)
    }
    let kind = (word.hasPrefix(".") ? String(word.dropFirst()) : word).lowercased()
    let known = formats.formats.filter { $0.extensions.contains(kind) }
    guard known.isEmpty else { return try writable(known, ".\(kind)") }
    let error = UsageError.unknown("value", word, among: ConversionTarget.words)
    throw UsageError(
      "\(error.message) (--to <format>)",
      hint: "the values are \(ConversionTarget.words.joined(separator: ", ")), and extensions")
  }

  /// The format that the extension of the output names; nil for packages.
  func byOutput(_ kind: String) throws -> ParticleFormat? {
    guard let output, kind != "particles", output != Invocation.standardStream else { return nil }
    let isPackage = invocation.form != nil
    guard !kind.isEmpty else { return isPackage ? nil : try asked(about: output) }
    let known = formats.formats.filter { $0.extensions.contains(kind) }
    if known.isEmpty {
      if isPackage { return nil }
      throw UsageError.unwritable(output, kind)
    }
    return try writable(known, ".\(kind)")
  }

  /// The one that can be written of formats with a name or extension: the only one, or the one that the
  /// effect came from, which need not be written to come back.
  private func writable(_ known: [ParticleFormat], _ word: String) throws -> ParticleFormat {
    let kind = word.hasPrefix(".") ? String(word.dropFirst()) : ""
    let isOnly = known.count == 1 && known[0].canWrite
    if isOnly, known[0].isArchive { return known[0] }
    // A property list or a JSON file can have the extension of another format than its own.
    if let origin = isOnly ? (try? source.origin()) ?? nil : try source.origin(),
      case let format = origin.format,
      origin.extension == kind || known.contains(where: { $0.name == format.name })
    {
      if isOnly, format.name == known[0].name { return format }
      if let path = source.path {
        let result = output.map { "; \($0) is written in this format" } ?? ""
        invocation.console.inform("\(path) comes from: \(format.title) (\(format.name))\(result)")
      }
      return format
    }
    if isOnly { return known[0] }
    let names = known.filter(\.canWrite).map(\.name)
    guard !names.isEmpty else {
      throw UsageError(
        "files of the format '\(known[0].name)' cannot be written",
        hint: "only a document that was imported from it can be converted back, with --to original")
    }
    if names.count == 1 { return known.first(where: \.canWrite) ?? known[0] }
    throw UsageError(
      "several formats have the extension \(word)",
      hint: "choose one with --to: \(names.joined(separator: ", "))")
  }

  /// Asks for the format of an output without an extension; nil for packages.
  private func asked(about output: String) throws -> ParticleFormat? {
    // A folder is an error of its own, which names --recursive.
    if let path = source.path, (try? DocumentSet.isPlainFolder(path)) == true { return nil }
    let answer = try invocation.console.ask(
      "Which format shall \(output) have? A name or an extension: "
        + (["particles"] + ConversionTarget.words.dropFirst(2)).joined(separator: ", "))
    guard let answer, !answer.isEmpty else { throw UsageError.extensionless(output) }
    return try named(answer)
  }
}

extension UsageError {
  /// The error for an output whose extension is not that of a format that can be written.
  static func unwritable(_ output: String, _ kind: String) -> UsageError {
    UsageError(
      "cannot write '\(output)': no format has the extension .\(kind)",
      hint: "formats that can be written: \(writableExtensions)")
  }

  /// The error for an output that has no extension, while no option names a format.
  static func extensionless(_ output: String) -> UsageError {
    UsageError(
      "'\(output)' has no extension, which names the format",
      hint: "end the name in one of \(writableExtensions), name a format with --to, "
        + "or end it in / to write into a folder")
  }

  /// The extensions of all formats that can be written, each one once.
  private static var writableExtensions: String {
    let extensions = FormatRegistry.standard.formats.filter(\.canWrite).flatMap(\.extensions)
    var seen: Set<String> = []
    return (["particles"] + extensions).filter { seen.insert($0).inserted }.map { ".\($0)" }
      .joined(separator: ", ")
  }
}
