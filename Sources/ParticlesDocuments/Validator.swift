internal import ParticlesContainer
public import ParticlesCore
public import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel

/// Checks a document as a whole: the container, the effect in it, its images.
public struct Validator: Sendable {
  /// What may be spent on a document.
  public var limits: Limits

  /// Where to look for images that files of other formats name, besides the usual places.
  public var imageFolders: [String]

  /// Creates a validator.
  public init(limits: Limits = .standard, imageFolders: [String] = []) {
    self.limits = limits
    self.imageFolders = imageFolders
  }

  /// Everything that is wrong with the document at a path: a package of either form, or a file of
  /// a format that can be imported.
  /// - Throws: only what keeps us from looking: a ``ParticlesCore/Diagnostic`` of the family `file`.
  public func check(_ path: String) throws -> Report.File {
    var report = Report.File(path: path)
    do {
      let opened = try OpenedEffect(path: path, imageFolders: imageFolders, limits: limits)
      report.kind = opened.kindName
      report.diagnostics = opened.diagnostics
      if case .package(.flat) = opened.kind {
        report.diagnostics = try opened.package.container.verify()
      }
      if !report.diagnostics.contains(where: { $0.severity == .error }) {
        report.diagnostics += try check(opened.package)
      }
    } catch let diagnostic as Diagnostic {
      if diagnostic.rule.family == "file" { throw diagnostic.inside(Location(file: path)) }
      report.diagnostics.append(diagnostic)
    }
    report.diagnostics += try SafeSave.leftovers(of: path).map {
      Diagnostic(.fileLeftover, found: "'\(Files.lastComponent(of: $0))'")
    }
    report.diagnostics = report.diagnostics.map { $0.inside(Location(file: path)) }
    return report
  }

  /// What is wrong with the effect in a package, and with its images.
  /// - Throws: what makes the document unreadable.
  public func check(_ package: EffectPackage) throws -> [Diagnostic] {
    let system = try package.system(limits: limits)
    let document = Location.entry(EffectPackage.documentPath)
    var diagnostics = system.diagnostics().map { $0.inside(document) }
    for (index, image) in system.images.enumerated() {
      diagnostics += check(image, "images[\(index)]", in: package)
    }
    return diagnostics
  }

  private func check(
    _ image: ImageReference, _ key: String, in package: EffectPackage
  ) -> [Diagnostic] {
    let document = Location(
      entry: EffectPackage.documentPath, position: .key("\(key).uri"))
    guard let file = package.container.root[image.uri]?.contents else {
      return [
        Diagnostic(.reference, at: document, expected: "a file", found: "no '\(image.uri)'")
      ]
    }
    do {
      try limits.check(file.size, \.fileBytes, "bytes of an image", at: .entry(image.uri))
      return try check(image, is: file.bytes(), key)
    } catch let diagnostic as Diagnostic {
      return [diagnostic.inside(.entry(image.uri))]
    } catch {
      return [Diagnostic(.image, at: .entry(image.uri), "\(error)")]
    }
  }

  /// What is stated of an image must be true of it, and it must decode.
  private func check(
    _ image: ImageReference, is bytes: [UInt8], _ key: String
  ) throws -> [Diagnostic] {
    let format = ImageFormat(of: bytes)
    let picture = format == .png ? try PNG.decode(bytes, limits: limits) : nil
    let actual = ImageReference(describing: bytes, at: image.uri, picture: picture)
    let facts: [(String, String?, String?)] = [
      ("mimeType", image.mimeType, actual.mimeType),
      ("width", image.width?.description, actual.width?.description),
      ("height", image.height?.description, actual.height?.description),
      ("sha256", image.sha256, actual.sha256),
    ]
    var diagnostics = facts.compactMap { name, stated, actual -> Diagnostic? in
      guard let stated, let actual, stated != actual else { return nil }
      return Diagnostic(
        .imageMismatch,
        at: Location(entry: EffectPackage.documentPath, position: .key("\(key).\(name)")),
        expected: stated, found: actual)
    }
    if format != .png {
      diagnostics.append(
        Diagnostic(.imageUnchecked, at: .entry(image.uri), found: format?.name ?? "an unknown one"))
    }
    return diagnostics
  }
}
