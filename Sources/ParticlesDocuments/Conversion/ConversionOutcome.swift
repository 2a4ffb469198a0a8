internal import ParticlesContainer
public import ParticlesCore
public import ParticlesFormats

/// The result of one document of a ``Conversion``.
public struct ConversionOutcome: Sendable {
  /// The document and the path of its result.
  public let item: ConversionPlan.Item

  /// The findings: losses, findings of the import, and the reason of a failure.
  public internal(set) var file: Diagnostic.Report.File

  /// Whether the result was not written because of ``Conversion/maximumLoss``.
  public internal(set) var isRefused = false

  /// The paths that were written.
  public internal(set) var outputs: [String] = []

  /// The images that were not written because the result was written to a stream.
  package private(set) var unwritten: [String] = []

  private var isFailed = false

  /// The files to write, by path: those of this document only, and images, which several documents
  /// may share.
  private var parts: [(path: String, bytes: [UInt8])] = []
  private var images: [(path: String, bytes: [UInt8])] = []

  /// Exports the effect again with other names for the images.
  private var renamed: (@Sendable () throws -> Exported)?

  init(_ item: ConversionPlan.Item) {
    self.item = item
    file = Report.File(path: item.input)
  }

  /// The reason of a failure; nil if the document was converted.
  public var failure: Diagnostic? { isFailed ? file.diagnostics.last : nil }

  /// The greatest loss.
  public var worst: Loss.Level { file.diagnostics.map(\.lossLevel).max() ?? .info }

  /// Whether it is a file in a folder that turned out not to be a document.
  public var isPassedOver: Bool {
    guard item.isFound, let failure else { return false }
    return [.unknownFormat, .lookAlike, .archiveRoot].contains(failure.rule)
  }

  mutating func fail(_ diagnostic: Diagnostic) {
    file.diagnostics.append(diagnostic.inside(Location(file: item.input)))
    isFailed = true
  }

  /// Sets the hint of the failure.
  package mutating func advise(_ hint: String) {
    if isFailed { file.diagnostics[file.diagnostics.count - 1].hint = hint }
  }

  /// Stores the files of an effect for ``write(for:beside:)``.
  /// - Parameter renamed: exports the effect with images that are named after it, in case another
  ///   effect uses their names.
  mutating func take(_ exported: Exported, renamed: (@Sendable () throws -> Exported)?) {
    self.renamed = renamed
    let folder = Files.folder(of: item.output)
    func path(_ name: String) -> String {
      item.output == ConversionPlan.stream || !item.output.contains("/")
        ? name : Files.joined(folder, name)
    }
    // Do not repeat the findings of the import.
    let known = Set(file.diagnostics)
    file.diagnostics += exported.losses.map { $0.inside(Location(file: item.input)) }
      .filter { !known.contains($0) }
    parts = exported.parts.enumerated().map { index, part in
      (index == 0 ? item.output : path(part.name), part.bytes)
    }
    images = exported.beside.sorted { $0.key < $1.key }.map { (path($0.key), $0.value) }
  }

  // MARK: Writing

  /// Writes the files of an effect.
  /// - Parameter written: the images that other documents of this run have written.
  mutating func write(for conversion: Conversion, beside written: inout [String: ContentDigest]) {
    guard !isFailed, !isRefused, !parts.isEmpty else { return }
    do {
      if item.output == ConversionPlan.stream {
        try writeToStream(conversion.write)
      } else {
        try writeFiles(replacing: conversion.isReplacing, beside: &written)
      }
    } catch let diagnostic as Diagnostic {
      fail(diagnostic)
    } catch {
      fail(Diagnostic(.fileUnwritable, at: Location(file: item.output), "\(error)"))
    }
  }

  private mutating func writeToStream(_ write: ([UInt8]) throws -> Void) throws {
    guard parts.count == 1 else {
      throw Diagnostic(
        .fileUnwritable, at: Location(file: item.output), "\(parts.count) files",
        expected: "one", hint: "name a file with --output")
    }
    try write(parts[0].bytes)
    outputs = [item.output]
    unwritten = images.map(\.path)
  }

  private mutating func writeFiles(
    replacing: Bool, beside written: inout [String: ContentDigest]
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
    _ image: (path: String, bytes: [UInt8]), in written: [String: ContentDigest]
  ) -> Bool {
    written[image.path].map { $0 != SHA256.digest(image.bytes) } ?? false
  }

  /// Whether a file with the same bytes exists at the path.
  private func isThere(
    _ image: (path: String, bytes: [UInt8]), _ digest: ContentDigest, replacing: Bool
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
