internal import ParticlesContainer
package import ParticlesCore
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel

/// Checks effects given as bytes: the container, the effect, its images and further files.
package struct EffectCheck: Sendable {
  /// The limits for reading a document.
  package var limits: Limits

  /// The resources that an effect may use without a warning.
  package var budget: EffectBudget

  /// Creates a check.
  package init(limits: Limits = .standard, budget: EffectBudget = .standard) {
    (self.limits, self.budget) = (limits, budget)
  }

  /// - Parameter bytes: reads the file, for the lines of findings.
  package func check(
    named path: String, bytes: () -> [UInt8]?, opening open: () throws(Failure) -> OpenedEffect
  ) throws(Failure) -> Report.File {
    try WorkBudget.run(limits) { () throws(Failure) in
      try checkWithinBudget(named: path, bytes: bytes, opening: open)
    }
  }

  private func checkWithinBudget(
    named path: String, bytes: () -> [UInt8]?, opening open: () throws(Failure) -> OpenedEffect
  ) throws(Failure) -> Report.File {
    var report = Report.File(path: path)
    var package: EffectPackage?
    do throws(Failure) {
      let opened = try open()
      package = opened.package
      report.kind = opened.kindName
      if case .package(.directory) = opened.kind { report.isFolder = true }
      report.diagnostics = opened.diagnostics
      if case .package(.flat) = opened.kind {
        // No reader needs the index of earlier generations.
        report.diagnostics = try opened.package.container.verify(earlier: .warning)
      }
      if !report.diagnostics.contains(where: { $0.severity == .error }) {
        let findings = try check(opened.package)
        // The import has already reported images that are missing or cannot be read.
        let isImported = if case .imported = opened.kind { true } else { false }
        let known: [Rule] = isImported ? [.absentImage, .image, .imageUnchecked] : []
        report.diagnostics += opened.placing(findings.filter { !known.contains($0.rule) })
      }
    } catch {
      guard let diagnostic = Diagnostic.of(error) else { throw error }
      if diagnostic.rule.family == "file" { throw diagnostic.inside(Location(file: path)) }
      report.diagnostics.append(diagnostic)
    }
    report.diagnostics = report.diagnostics.map { $0.inside(Location(file: path)) }
    return report.locatingLines { entry in
      guard let entry else { return bytes() }
      guard let file = package?.container.root[entry]?.contents, file.size <= limits.fileBytes
      else { return nil }
      return try? file.bytes()
    }
  }

  /// Checks the effect in a package, its images and its other files.
  /// - Throws: the error that makes the document unreadable.
  package func check(_ package: EffectPackage) throws(Failure) -> [Diagnostic] {
    let bytes = try package.document(limits: limits)
    let document = Location.entry(EffectPackage.documentPath)
    return try locating(document) { () throws(Failure) in
      try WorkBudget.spend(work: bytes.count / 8, on: "the checks of the document")
      let json = try JSONParser.parse(bytes, limits: limits)
      let system = try ParticleSystem(json: json, limits: limits)
      var diagnostics = system.diagnostics()
      if system.encoded() != bytes { diagnostics.append(Diagnostic(.canonical)) }
      let images = system.images.enumerated().map { index, image in
        check(image, at: "images[\(index)]", in: package)
      }
      diagnostics += images.flatMap { $0.diagnostics }
      diagnostics += checkMeshes(of: system, in: package)
      diagnostics += try checkFiles(of: package, referredBy: json)
      diagnostics += checkBudget(of: system, pixels: images.map { $0.pixels })
      diagnostics += try checkThumbnail(of: package)
      return diagnostics.map { $0.inside(document) }
    }
  }

  /// Compares the particle count and the texture memory with the budget.
  private func checkBudget(of system: ParticleSystem, pixels: [Int]) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    let alive = system.populations().map { $0.alive }
    let particles = alive.reduce(0, +)
    if particles > Double(budget.particles) {
      let most = alive.indices.max { alive[$0] < alive[$1] } ?? 0
      let found =
        particles.isFinite
        ? "about \(Int(saturating: min(particles, 1e15)))" : "an unbounded number"
      diagnostics.add(
        .manyParticles, at: .key("emitters[\(most)]"),
        expected: "at most \(budget.particles) in the whole effect", found: found)
    }
    let bytes = pixels.reduce(0) { $0 + 4 * $1 }
    if bytes > budget.textureBytes {
      diagnostics.add(
        .largeTextures, at: .key("images"), expected: "at most \(budget.textureBytes >> 20) MiB",
        found: "\(bytes >> 20) MiB")
    }
    return diagnostics
  }
}

extension EffectCheck {
  /// Checks an image. Returns the findings and its number of pixels, 0 if unknown.
  func check(
    _ image: ImageReference, at key: String, in package: EffectPackage
  ) -> (diagnostics: [Diagnostic], pixels: Int) {
    let stated = (image.width ?? 0).multipliedReportingOverflow(by: image.height ?? 0)
    let unseen = stated.overflow ? 0 : max(0, stated.partialValue)
    guard isAddress(image.uri) else { return ([], unseen) }
    guard let file = package.container.root[image.uri]?.contents else {
      guard image.sha256 == nil else { return ([missing(image.uri, at: "\(key).uri")], unseen) }
      return ([Diagnostic(.absentImage, at: .key("\(key).uri"), "'\(image.uri)'")], unseen)
    }
    do throws(Failure) {
      try limits.check(file.size, { $0.fileBytes }, "bytes of an image", at: .entry(image.uri))
      let bytes = try file.bytes()
      var (picture, unread): (Bitmap?, Diagnostic?) = (nil, nil)
      do throws(Failure) {
        picture = try Bitmap(decoding: bytes, limits: limits)
      } catch {
        guard let fault = Diagnostic.of(error), fault.rule == .imageUnchecked else { throw error }
        unread = fault.inside(.entry(image.uri))
      }
      let actual = ImageReference(describing: bytes, at: image.uri, picture: picture)
      var diagnostics = image.differences(from: actual).map { difference in
        Diagnostic(
          .imageMismatch, at: .key("\(key).\(difference.key)"), expected: difference.stated,
          found: difference.actual)
      }
      diagnostics += [unread].compactMap { $0 }
      return (diagnostics, picture.map { $0.width * $0.height } ?? unseen)
    } catch {
      let fault = Diagnostic.of(error) ?? Diagnostic(.image, "\(error)")
      return ([fault.inside(.entry(image.uri))], unseen)
    }
  }

  /// Checks that the files of meshes exist. Does not read their contents.
  func checkMeshes(of system: ParticleSystem, in package: EffectPackage) -> [Diagnostic] {
    system.meshes.enumerated().compactMap { index, mesh in
      guard let uri = mesh.uri, isAddress(uri), package.container.root[uri]?.contents == nil else {
        return nil
      }
      return missing(uri, at: "meshes[\(index)].uri")
    }
  }

  /// Compares the digest in the thumbnail with the digest of the effect.
  func checkThumbnail(of package: EffectPackage) throws(Failure) -> [Diagnostic] {
    guard let thumbnail = package.thumbnail(limits: limits) else { return [] }
    let digest = try package.effectDigest().description
    guard thumbnail.source != digest else { return [] }
    return [
      Diagnostic(
        .staleThumbnail, at: .entry(EffectPackage.thumbnailPath), expected: "digest \(digest)",
        found: thumbnail.source)
    ]
  }

  private func missing(_ uri: String, at key: String) -> Diagnostic {
    Diagnostic(.reference, at: .key(key), expected: "a file", found: "no '\(uri)'")
  }

  /// Whether a URI can be the path of an entry. The model reports all invalid paths.
  private func isAddress(_ uri: String) -> Bool {
    !uri.isEmpty
      && uri.split(separator: "/", omittingEmptySubsequences: false)
        .allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
  }

  /// Finds files without a reference in the document, and second files of one name.
  func checkFiles(of package: EffectPackage, referredBy json: JSONValue) throws(Failure)
    -> [Diagnostic]
  {
    let referred = json.strings
    let root = package.container.root
    var diagnostics: [Diagnostic] = []
    try root.forEachDescendant { path, node throws(Failure) in
      if let collision = try DuplicateName(at: path, in: root) {
        diagnostics.append(collision.diagnostic)
      } else if node.isRegularFile, !EffectPackage.isKnownWithoutReference(path),
        !referred.contains(path)
      {
        // An unused image is probably a mistake. Unused files of other kinds may belong to other programs.
        let isImage = path.hasPrefix(EffectPackage.imageDirectory + "/")
        diagnostics.add(.unreferenced, at: .entry(path), severity: isImage ? .warning : .note)
      }
    }
    return diagnostics + root.portabilityWarnings()
  }
}

extension EffectPackage {
  /// Whether the path alone gives a file its purpose.
  fileprivate static func isKnownWithoutReference(_ path: String) -> Bool {
    path == documentPath || path.hasPrefix("Source/") || path.hasPrefix(previewDirectory + "/")
  }
}

extension ImageReference {
  /// The facts that the document states and that differ from the image.
  func differences(
    from actual: ImageReference
  ) -> [(key: String, stated: String, actual: String)] {
    [
      ("mimeType", mimeType, actual.mimeType),
      ("width", width?.description, actual.width?.description),
      ("height", height?.description, actual.height?.description),
      ("sha256", sha256, actual.sha256),
    ].compactMap { key, stated, actual in
      guard let stated, let actual, stated != actual else { return nil }
      return (key, stated, actual)
    }
  }
}

extension JSONValue {
  /// All strings in the value, without keys.
  fileprivate var strings: Set<String> {
    var strings: Set<String> = []
    collect(into: &strings)
    return strings
  }

  private func collect(into strings: inout Set<String>) {
    switch self {
    case .string(let string): strings.insert(string)
    case .array(let elements): elements.forEach { $0.collect(into: &strings) }
    case .object(let object): object.members.forEach { $0.value.collect(into: &strings) }
    default: break
    }
  }
}

extension EffectCheck {
  /// Repairs the package in memory.
  package func mend(_ package: inout EffectPackage) throws(Failure) -> [Repair] {
    let old = try package.document(limits: limits)
    var system = try package.system(limits: limits)
    var repairs = system.mend()
    repairs += refreshImages(of: &system, in: package)
    let new = system.encoded()
    if new != old {
      if repairs.isEmpty {
        repairs.append(Repair(.canonical, "rewrote the document in canonical form"))
      }
      try package.setDocument(new)
    }
    repairs = repairs.map { $0.inside(.entry(EffectPackage.documentPath)) }
    repairs += try removeCopies(&package)
    // If the thumbnail cannot be drawn, it is reported as stale, and the repairs so far count.
    if (try? package.refreshPreviews(limits: limits)) == true {
      repairs.append(
        Repair(
          .staleThumbnail, at: .entry(EffectPackage.thumbnailPath), "drew the thumbnail again"))
    }
    return repairs
  }

  private func refreshImages(
    of system: inout ParticleSystem, in package: EffectPackage
  ) -> [Repair] {
    var repairs: [Repair] = []
    for (index, image) in system.images.enumerated() {
      guard let file = package.container.root[image.uri]?.contents,
        file.size <= limits.fileBytes, let bytes = try? file.bytes()
      else { continue }
      var picture: Bitmap?
      do throws(Failure) {
        picture = try Bitmap(decoding: bytes, limits: limits)
      } catch {
        // If an image is damaged, its metadata may be correct.
        guard Diagnostic.of(error)?.rule == .imageUnchecked else { continue }
      }
      let actual = ImageReference(describing: bytes, at: image.uri, picture: picture)
      for difference in image.differences(from: actual) {
        repairs.append(
          Repair(
            .imageMismatch, at: .key("images[\(index)].\(difference.key)"),
            "\(difference.key) is now \(difference.actual), as in the file; it was "
              + difference.stated))
        switch difference.key {
        case "mimeType": system.images[index].mimeType = actual.mimeType
        case "width": system.images[index].width = actual.width
        case "height": system.images[index].height = actual.height
        default: system.images[index].sha256 = actual.sha256
        }
      }
    }
    return repairs
  }

  /// Removes duplicates with equal contents. Of two different files, only the author can choose.
  private func removeCopies(_ package: inout EffectPackage) throws(Failure) -> [Repair] {
    let root = package.container.root
    var copies: [DuplicateName] = []
    try root.forEachDescendant { path, _ throws(Failure) in
      if let collision = try DuplicateName(at: path, in: root), collision.other == .same,
        // Entries of a removed folder are removed with it.
        !copies.contains(where: { path.hasPrefix($0.path + "/") })
      {
        copies.append(collision)
      }
    }
    for copy in copies { package.container.root.removeFileNode(at: copy.path) }
    return copies.map {
      Repair(.collision, at: .entry($0.path), "removed a copy of '\($0.plainPath)'")
    }
  }
}

/// The resources that an effect may use without a warning.
public struct EffectBudget: Sendable, Hashable {
  /// The greatest number of particles alive at once in all emitters (default 20,000, which one
  /// processor core can simulate at 60 frames a second).
  public var particles = 20_000

  /// The bytes of all decoded images at 4 bytes a pixel (default 64 MiB, the size of one 4096 ×
  /// 4096 texture).
  public var textureBytes = 64 << 20

  /// Creates the default budget.
  public init() {}

  /// The default budget.
  public static let standard = EffectBudget()
}

/// A second file of one name, as Apple's file wrappers create it when a program adds a file without removing the old
/// file. Readers continue to load the old file.
struct DuplicateName {
  /// The path of the second file, such as `1__#$!@%!#__a.png`.
  let path: String
  /// The path of the first file.
  let plainPath: String

  /// The relation of the two files.
  enum Other {
    case nothing, same, different
  }

  let other: Other

  /// Creates the collision of an entry of a package. Nil if its name does not mark a second file.
  init?(at path: String, in root: FileNode) throws(Failure) {
    guard let plain = UniqueNameStyle.nameBehindApple(Files.lastComponent(of: path)) else {
      return nil
    }
    let folder = Files.folder(of: path)
    self.path = path
    plainPath = folder == "." ? plain : Files.joined(folder, plain)
    guard let node = root[path], let twin = root[plainPath] else {
      other = .nothing
      return
    }
    other = try node.matchesContents(of: twin) ? .same : .different
  }

  var diagnostic: Diagnostic {
    let detail =
      switch other {
      case .nothing: "there is no '\(plainPath)'"
      case .same: "it is a copy of '\(plainPath)'"
      case .different: "it differs from '\(plainPath)'"
      }
    return Diagnostic(.collision, at: .entry(path), detail)
  }
}
