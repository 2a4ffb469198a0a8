internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesRender

extension Invocation {
  /// The path of `--report`; nil if it was not given.
  /// - Throws: ``UsageError`` if it cannot be a web page about this conversion;
  ///   ``ParticlesCore/Rule/fileExists``.
  func reportPage(_ target: ConversionTarget) throws -> String? {
    guard let path = value(.report) else { return nil }
    guard ["html", "htm"].contains(Files.pathExtension(of: path)) else {
      throw UsageError(
        "'--report' writes a web page, and '\(path)' does not end in .html",
        hint: "--json prints the report for programs")
    }
    switch target {
    case .effect, .original: break
    case .package, .archive:
      throw UsageError("'--report' needs a conversion to another format of effects")
    }
    if !flag(.force), try Files.status(path) != nil {
      throw Diagnostic(.fileExists, at: Location(file: path))
    }
    return path
  }

  /// Draws and writes the web page about a conversion.
  func write(
    _ report: ConversionPageReport, of conversion: Conversion, named name: String, to path: String
  ) throws {
    let bar = ProgressBar("drawing", total: report.pictureCount, console: console)
    let page = try report.page(
      title: "Conversion of \(name)", of: conversion, open: { try effectOfEngine(at: $0) },
      progress: { bar.advance() })
    bar.finish()
    var size = 0
    try SafeSave.file(path, replacing: flag(.force)) { file in
      try page.write {
        size += $0.count
        try file.write($0)
      }
    }
    let pictures = page.rows.count { $0.picture != nil }
    console.inform(
      "wrote \(path): \(page.rows.count.of("effect")), \(pictures.of("picture")), \(size.bytesText)"
    )
  }
}

extension Option {
  static let report = Option(
    "report", value: .file("path"),
    "Write a web page with the losses, the most different effects first, and moving pictures of the "
      + "first \(ConversionPageReport.mostPictures) before and after, such as report.html.")
}
