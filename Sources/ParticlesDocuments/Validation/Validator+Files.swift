internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesFormats
internal import ParticlesImages
internal import ParticlesModel

extension Validator {
  /// Checks an image; returns the findings and its number of pixels, 0 if that is unknown.
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

  /// Checks that the files of meshes exist; their contents are not read.
  func checkMeshes(of system: ParticleSystem, in package: EffectPackage) -> [Diagnostic] {
    system.meshes.enumerated().compactMap { index, mesh in
      guard let uri = mesh.uri, isAddress(uri), package.container.root[uri]?.contents == nil else {
        return nil
      }
      return missing(uri, at: "meshes[\(index)].uri")
    }
  }

  /// Compares the digest in the thumbnail with that of the effect.
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

  /// Whether a URI can be the path of an entry. The model reports the others.
  private func isAddress(_ uri: String) -> Bool {
    !uri.isEmpty
      && uri.split(separator: "/", omittingEmptySubsequences: false)
        .allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
  }

  /// Finds files without a reference in the document, and second files of the same name.
  func checkFiles(of package: EffectPackage, referredBy json: JSONValue) throws -> [Diagnostic] {
    let referred = json.strings
    let root = package.container.root
    var diagnostics: [Diagnostic] = []
    try root.forEachDescendant { path, node in
      if let collision = try Collision(at: path, in: root) {
        diagnostics.append(collision.diagnostic)
      } else if node.isRegularFile, !EffectPackage.isKnownWithoutReference(path),
        !referred.contains(path)
      {
        // An unused image is probably a mistake; other files may belong to other programs.
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
