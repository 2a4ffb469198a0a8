internal import ParticlesCore
internal import ParticlesModel

/// Collects the images that a particle file names: looks for them, puts them into the package and
/// the document, each once.
struct ImportedImages {
  private let context: DecodingContext
  private let report: (Diagnostic) -> Void

  /// The images by their path in the package, and beside them those that had to be rewritten as
  /// they were found.
  private(set) var files: [String: [UInt8]] = [:]

  init(context: DecodingContext, report: @escaping (Diagnostic) -> Void) {
    self.context = context
    self.report = report
  }

  /// The bytes of the first image that somebody has, with its name. If nobody has any, what kept us
  /// from the first is reported: the effect is imported without it.
  /// - Parameters:
  ///   - references: the names that it may have.
  ///   - path: the key that says it.
  func find(_ references: [String], at path: String) -> (name: String, bytes: [UInt8])? {
    var finding: Diagnostic?
    for reference in references {
      switch context.image(reference, at: path) {
      case .success(let bytes): return (ImageFinder.baseName(of: reference), bytes)
      case .failure(let fault): finding = finding ?? fault
      }
    }
    if let finding { report(finding) }
    return nil
  }

  /// Adds an image, unless it is there already, and gives its index.
  mutating func add(
    _ bytes: [UInt8], named name: String, at keyPath: String, to system: inout ParticleSystem
  ) throws -> Int {
    let image = try ImportedImage(bytes, name: name, limits: context.limits)
    if let known = system.images.firstIndex(where: { $0.uri == image.reference.uri }) {
      return known
    }
    if let kind = image.wasConverted {
      report(
        Diagnostic(
          .approximated, at: .key(keyPath),
          "\(name.excerpt) is \(kind); it becomes a plain PNG", severity: .note))
    }
    files.merge(image.files) { first, _ in first }
    system.images.append(image.reference)
    return system.images.count - 1
  }
}

extension ParticleSystem {
  /// The index of a sprite, which is added unless it is there already.
  mutating func index(ofSprite sprite: Sprite) -> Int {
    if let known = sprites.firstIndex(of: sprite) { return known }
    sprites.append(sprite)
    return sprites.count - 1
  }
}
