internal import ParticlesContainer
internal import ParticlesPackages
public import ParticlesCore
public import ParticlesFormats
internal import ParticlesImages
public import ParticlesModel
internal import ParticlesSystem

/// Checks documents: the container, the effect, its images and further files.
public struct Validator: Sendable {
  /// The limits for reading a document.
  public var limits: Limits

  /// The resources that an effect may use without a warning.
  public var budget: Budget

  /// Folders to search for images that files of other formats name, after their own folder.
  public var imageFolders: [String]

  /// The root of the project of Godot or Defold that files belong to. Nil, the default, for the nearest project
  /// folder above each file.
  public var project: String?

  /// The formats of files other than packages.
  public var formats: FormatRegistry

  /// The assumed engine of files other than packages. Nil, the default, to find it by the file.
  public var engine: ParticleSystem.Profile?
  /// The state that the documents of a batch share, or nil for single documents.
  package var batch: ValidationBatch?

  /// Creates a validator.
  public init(
    limits: Limits = .standard, budget: Budget = .standard, imageFolders: [String] = [],
    formats: FormatRegistry = .standard, engine: ParticleSystem.Profile? = nil
  ) {
    self.engine = engine
    self.limits = limits
    self.budget = budget
    self.imageFolders = imageFolders
    self.formats = formats
  }

  /// Checks the document at a path: a package of either form, or a file of a format that can be
  /// imported.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `file` if the file cannot be read. All
  ///   other findings are in the report.
  public func check(_ path: String) throws -> Diagnostic.Report.File {
    try check(path) { _ in }
  }

  /// Checks a document, and passes it to `lend` once it is open, for callers that need more than its faults.
  package func check(
    _ path: String, lending lend: (OpenedEffect) -> Void
  ) throws -> Diagnostic.Report.File {
    var report = try check(named: path, bytes: { try? Files.read(path, limits: limits) }) {
      let opened = try sharingImages {
        try OpenedEffect(
          path: path, among: formats, imageFolders: imageFolders, project: project, engine: engine,
          limits: limits)
      }
      lend(opened)
      return opened
    }
    let leftovers = try batch?.leftovers.leftovers(of: path) ?? SafeSave.leftovers(of: path)
    report.diagnostics += leftovers.map {
      Diagnostic(.fileLeftover, at: Location(file: path), found: "'\(Files.lastComponent(of: $0))'")
    }
    return report
  }

  private func sharingImages<Result>(_ body: () throws -> Result) rethrows -> Result {
    try batch?.images.share(body) ?? body()
  }

  /// Checks a document whose bytes are in memory.
  /// - Parameters:
  ///   - bytes: the contents of the file.
  ///   - name: the name of the file, for messages and for recognising its format. No file is read.
  ///   - finder: searches for images that the file names. Nil, the default, reads none and reports each image as
  ///     missing. ``imageFolders`` is not used.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `file`.
  public func check(
    _ bytes: [UInt8], named name: String, images finder: ImageFinder? = nil
  ) throws -> Diagnostic.Report.File {
    try check(named: name, bytes: { bytes }) {
      try OpenedEffect(
        bytes: bytes, name: name, among: formats, images: finder, engine: engine, limits: limits)
    }
  }

  /// - Parameter bytes: reads the file, for the lines of findings.
  private func check(
    named path: String, bytes: () -> [UInt8]?, opening open: () throws -> OpenedEffect
  ) throws -> Report.File {
    try WorkBudget.run(limits) { try checkWithinBudget(named: path, bytes: bytes, opening: open) }
  }

  private func checkWithinBudget(
    named path: String, bytes: () -> [UInt8]?, opening open: () throws -> OpenedEffect
  ) throws -> Report.File {
    var report = Report.File(path: path)
    var package: EffectPackage?
    do {
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
    } catch let diagnostic as Diagnostic {
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
  public func check(_ package: EffectPackage) throws -> [Diagnostic] {
    let bytes = try package.document(limits: limits)
    let document = Location.entry(EffectPackage.documentPath)
    return try locating(document) {
      try WorkBudget.spend(work: bytes.count / 8, on: "the checks of the document")
      let json = try JSONParser.parse(bytes, limits: limits)
      let system = try ParticleSystem(json: json, limits: limits)
      var diagnostics = system.diagnostics()
      if system.encoded() != bytes { diagnostics.append(Diagnostic(.canonical)) }
      let images = system.images.enumerated().map { index, image in
        check(image, at: "images[\(index)]", in: package)
      }
      diagnostics += images.flatMap(\.diagnostics)
      diagnostics += checkMeshes(of: system, in: package)
      diagnostics += try checkFiles(of: package, referredBy: json)
      diagnostics += checkBudget(of: system, pixels: images.map(\.pixels))
      diagnostics += try checkThumbnail(of: package)
      return diagnostics.map { $0.inside(document) }
    }
  }

  /// Compares the particle count and the texture memory with the budget.
  private func checkBudget(of system: ParticleSystem, pixels: [Int]) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    let alive = system.populations().map(\.alive)
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

extension Validator {
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
    do {
      try limits.check(file.size, \.fileBytes, "bytes of an image", at: .entry(image.uri))
      let bytes = try file.bytes()
      var (picture, unread): (Bitmap?, Diagnostic?) = (nil, nil)
      do {
        picture = try Bitmap(decoding: bytes, limits: limits)
      } catch let fault as Diagnostic where fault.rule == .imageUnchecked {
        unread = fault.inside(.entry(image.uri))
      }
      let actual = ImageReference(describing: bytes, at: image.uri, picture: picture)
      var diagnostics = image.differences(from: actual).map { difference in
        Diagnostic(
          .imageMismatch, at: .key("\(key).\(difference.key)"), expected: difference.stated,
          found: difference.actual)
      }
      diagnostics += [unread].compactMap(\.self)
      return (diagnostics, picture.map { $0.width * $0.height } ?? unseen)
    } catch let diagnostic as Diagnostic {
      return ([diagnostic.inside(.entry(image.uri))], unseen)
    } catch {
      return ([Diagnostic(.image, at: .entry(image.uri), "\(error)")], unseen)
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
  func checkThumbnail(of package: EffectPackage) throws -> [Diagnostic] {
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
  func checkFiles(of package: EffectPackage, referredBy json: JSONValue) throws -> [Diagnostic] {
    let referred = json.strings
    let root = package.container.root
    var diagnostics: [Diagnostic] = []
    try root.forEachDescendant { path, node in
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

extension Validator {
  /// Makes the repairs that need no guess, and saves the document in its place and form:
  ///
  /// - sorts the keys of curves and gradients by time,
  /// - exchanges the ends of ranges whose first end is greater,
  /// - moves numbers that are out of range to the nearest allowed number, or, where there is none, resets the
  ///   property,
  /// - corrects the stated type, size and digest of images,
  /// - removes duplicates of files that Apple's file wrappers made,
  /// - writes the document in canonical form,
  /// - removes an unfinished save after the last complete one, and temporary files of killed saves.
  ///
  /// In text files of other formats, decimal commas become points. Nothing else in them is changed, nor are damaged
  /// packages and unreadable documents.
  /// - Parameters:
  ///   - path: the package, in either form, or the file.
  ///   - isSaving: whether to save. False only lists the repairs.
  /// - Returns: the repairs. Empty if none was needed.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of the family `file`. Nothing was changed then.
  public func repair(_ path: String, saving isSaving: Bool = true) throws -> [Diagnostic.Repair] {
    let place = Location(file: path)
    do {
      let opened = try Container(contentsOf: path, limits: limits)
      var package = EffectPackage(opened)
      guard try package.container.form == .directory || isSound(path) else { return [] }
      var repairs = try mend(&package)
      for warning in package.container.warnings where warning.rule == .torn {
        repairs.append(Repair(.torn, "removed an unfinished save"))
      }
      let leftovers = try SafeSave.leftovers(of: path)
      if isSaving {
        if !repairs.isEmpty {
          // As every change in place: a file with hard links keeps them. An unfinished save after the
          // last footer is cut off then, and no byte before it is touched.
          let storage = PathStorage(path, opened: opened)
          _ = try storage.write(package.container.root, replacing: 1, StorageOptions())
        }
        SafeSave.removeLeftovers(of: try Files.target(of: path))
      }
      // Temporary files of other users cannot be removed.
      let remaining = Set(isSaving ? try SafeSave.leftovers(of: path) : [])
      repairs += leftovers.filter { !remaining.contains($0) }.map {
        Repair(.fileLeftover, "removed '\(Files.lastComponent(of: $0))'")
      }
      return repairs.map { $0.inside(place) }
    } catch let diagnostic as Diagnostic {
      if diagnostic.rule.family == "file" { throw diagnostic.inside(place) }
      // `check(_:)` reports the faults of the package.
      return try mendText(path, saving: isSaving).map { $0.inside(place) }
    }
  }

  /// Replaces the decimal commas of a text file of another format.
  private func mendText(_ path: String, saving isSaving: Bool) throws -> [Repair] {
    guard let bytes = try? Files.read(path, limits: limits),
      let mended = formats.withoutDecimalCommas(
        bytes, fileName: Files.lastComponent(of: path), limits: limits)
    else { return [] }
    if isSaving {
      try locating(Location(file: path)) {
        try SafeSave.file(path, replacing: true) { try $0.write(mended.bytes) }
      }
    }
    let commas = mended.count == 1 ? "decimal comma by a point" : "decimal commas by points"
    return [Repair(.decimalCommas, "replaced \(mended.count) \(commas)")]
  }

  private func isSound(_ path: String) throws -> Bool {
    try ContainerReader(.file(path), limits: limits).verify(.full, earlier: nil)
      .allSatisfy { $0.severity < .error }
  }

  /// Repairs the package in memory.
  package func mend(_ package: inout EffectPackage) throws -> [Repair] {
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
      do {
        picture = try Bitmap(decoding: bytes, limits: limits)
      } catch {
        // If an image is damaged, its metadata may be correct.
        guard (error as? Diagnostic)?.rule == .imageUnchecked else { continue }
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
  private func removeCopies(_ package: inout EffectPackage) throws -> [Repair] {
    let root = package.container.root
    var copies: [DuplicateName] = []
    try root.forEachDescendant { path, _ in
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

/// The state that the documents of a batch share while they are checked: each folder is listed once, and not for each
/// document in it.
package final class ValidationBatch: Sendable {
  let leftovers = SaveLeftovers()
  let images = BatchFiles()

  package init() {}
}

extension Validator {
  /// The resources that an effect may use without a warning.
  public struct Budget: Sendable, Hashable {
    /// The greatest number of particles alive at once in all emitters (default 20,000, which one
    /// processor core can simulate at 60 frames a second).
    public var particles = 20_000

    /// The bytes of all decoded images at 4 bytes a pixel (default 64 MiB, the size of one 4096 ×
    /// 4096 texture).
    public var textureBytes = 64 << 20

    /// Creates the default budget.
    public init() {}

    /// The default budget.
    public static let standard = Budget()
  }
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
  init?(at path: String, in root: FileNode) throws {
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
