internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesRender

extension Invocation {
  /// The path and the format of `--side-by-side`; nil if it was not given.
  /// - Throws: ``UsageError`` if it cannot be written.
  func sideBySide(
    _ target: ConversionTarget, isBatch: Bool
  ) throws -> (path: String, format: AnimationFormat)? {
    guard let path = value(.sideBySide) else { return nil }
    guard !isBatch else { throw UsageError("'--side-by-side' needs a single document") }
    guard case .effect = target else {
      throw UsageError("'--side-by-side' needs a conversion to another format of effects")
    }
    guard let format = AnimationFormat.recognised(byExtension: Files.pathExtension(of: path)),
      format.isAnimated, format != .html
    else {
      throw UsageError(
        "cannot write '\(path)': no animation has this extension", hint: "use .gif, .webp or .apng")
    }
    if !flag(.force), try Files.status(path) != nil {
      throw Diagnostic(.fileExists, at: Location(file: path))
    }
    return (path, format)
  }

  /// Writes an animation of an effect before and after a conversion.
  func draw(
    _ item: ConversionPlan.Item, _ conversion: Conversion, to path: String,
    as format: AnimationFormat
  ) throws {
    guard case .effect(let target) = conversion.target else { return }
    let package = try effectOfEngine(at: item.input).package
    let exported = try package.exported(
      as: target, fileName: Files.lastComponent(of: item.output), images: conversion.imagePlacement)
    let pictures = try locating(Location(file: item.input)) {
      try SideBySide(package, exported, as: target)
    }
    let bar = ProgressBar(
      "drawing \(Files.lastComponent(of: path))", total: pictures.timing.count, console: console)
    try SafeSave.file(path, replacing: flag(.force)) { file in
      let writer = try AnimationWriter(
        format, width: pictures.width, height: pictures.height, timing: pictures.timing
      ) { try file.write($0) }
      try pictures.draw { frame in
        try writer.append(frame)
        bar.advance()
      }
      try writer.finish()
    }
    bar.finish()
    note(pictures.problems.map { $0.inside(Location(file: item.input)) })
    console.inform("wrote \(path): before (left) and after (right)")
  }
}
