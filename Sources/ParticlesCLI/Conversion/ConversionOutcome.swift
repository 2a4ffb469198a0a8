internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesFormats

/// What has become of one document.
struct ConversionOutcome: Sendable {
  let pair: ConversionInputs.Pair

  /// What there is to say of it.
  var file: Report.File

  /// Why it was not converted.
  private(set) var failure: Diagnostic?

  /// Whether more would be lost than is allowed.
  var isRefused = false

  /// The paths that were written.
  var outputs: [String] = []

  /// What is yet to be written, by its path: files that belong to this document only, and images,
  /// which several may share.
  private var parts: [(path: String, bytes: [UInt8])] = []
  private var images: [(path: String, bytes: [UInt8])] = []

  /// Makes the files with other names for the images.
  private var renamed: (@Sendable () throws -> Exported)?

  init(_ pair: ConversionInputs.Pair) {
    self.pair = pair
    file = Report.File(path: pair.input)
  }

  /// The greatest loss.
  var worst: Loss.Level { file.diagnostics.map(\.lossLevel).max() ?? .info }

  /// Whether it is a file of another kind that happened to stand in a folder.
  var isPassedOver: Bool {
    guard pair.isFound, let failure else { return false }
    return [.unknownFormat, .lookAlike, .archiveRoot].contains(failure.rule)
  }

  mutating func fail(_ diagnostic: Diagnostic) {
    let diagnostic = diagnostic.inside(Location(file: pair.input))
    failure = diagnostic
    file.diagnostics.append(diagnostic)
  }

  /// Takes the files of an effect.
  /// - Parameter renamed: makes them with images that are called after the effect, for when another
  ///   effect has taken their names.
  mutating func take(_ exported: Exported, renamed: (@Sendable () throws -> Exported)?) {
    self.renamed = renamed
    let folder = Files.folder(of: pair.output)
    func path(_ name: String) -> String {
      pair.output == Invocation.standardStream || !pair.output.contains("/")
        ? name : Files.joined(folder, name)
    }
    // What the import has said of the source need not be said twice.
    let known = Set(file.diagnostics)
    file.diagnostics += exported.losses.map { $0.inside(Location(file: pair.input)) }
      .filter { !known.contains($0) }
    parts = exported.parts.enumerated().map { index, part in
      (index == 0 ? pair.output : path(part.name), part.bytes)
    }
    images = exported.beside.sorted { $0.key < $1.key }.map { (path($0.key), $0.value) }
  }

  // MARK: Writing

  /// Writes the files of an effect, all or none of those that stand in the way of others.
  /// - Parameter written: the images that other documents of this run have written.
  mutating func write(with invocation: Invocation, beside written: inout [String: Digest]) {
    guard failure == nil, !isRefused, !parts.isEmpty else { return }
    do {
      if pair.output == Invocation.standardStream {
        try writeToStandardOutput(with: invocation)
      } else {
        try writeFiles(replacing: invocation.flag(.force), beside: &written)
      }
    } catch let diagnostic as Diagnostic {
      fail(diagnostic)
    } catch {
      fail(Diagnostic(.fileUnwritable, at: Location(file: pair.output), "\(error)"))
    }
  }

  private mutating func writeToStandardOutput(with invocation: Invocation) throws {
    guard parts.count == 1 else {
      throw Diagnostic(
        .fileUnwritable, at: Location(file: pair.output), "\(parts.count) files",
        expected: "one", hint: "name a file with --output")
    }
    try invocation.console.write(parts[0].bytes)
    outputs = [pair.output]
    for image in images { invocation.console.say("not written: \(image.path)") }
  }

  private mutating func writeFiles(
    replacing: Bool, beside written: inout [String: Digest]
  ) throws {
    if let renamed, images.contains(where: { isTaken($0, in: written) }) {
      file.diagnostics.removeAll { $0.loss != nil }
      take(try renamed(), renamed: nil)
    }
    var new: [(path: String, bytes: [UInt8])] = []
    for image in images {
      let digest = SHA256.digest(image.bytes)
      if isTaken(image, in: written) {
        throw Diagnostic(
          .fileExists, at: Location(file: image.path), "another document has an image of this name",
          hint: "convert the document into a folder of its own")
      }
      if written[image.path] != nil { continue }
      if try isThere(image, digest, replacing: replacing) { continue }
      new.append(image)
    }
    for part in parts {
      try SafeSave.file(part.path, replacing: replacing) { file in
        try part.bytes.withUnsafeBytes { try file.write($0) }
      }
      outputs.append(part.path)
    }
    for image in new {
      try SafeSave.file(image.path, replacing: replacing) { file in
        try image.bytes.withUnsafeBytes { try file.write($0) }
      }
      outputs.append(image.path)
      written[image.path] = SHA256.digest(image.bytes)
    }
  }

  /// Whether another document of this run has written another image under the same name.
  private func isTaken(
    _ image: (path: String, bytes: [UInt8]), in written: [String: Digest]
  ) -> Bool {
    written[image.path].map { $0 != SHA256.digest(image.bytes) } ?? false
  }

  /// Whether an image stands there already, byte for byte.
  private func isThere(
    _ image: (path: String, bytes: [UInt8]), _ digest: Digest, replacing: Bool
  ) throws -> Bool {
    guard let status = try Files.status(image.path) else { return false }
    if status.size == image.bytes.count,
      try SHA256.digest(Files.read(image.path)) == digest
    {
      return true
    }
    guard replacing else {
      throw Diagnostic(.fileExists, at: Location(file: image.path))
    }
    return false
  }
}
