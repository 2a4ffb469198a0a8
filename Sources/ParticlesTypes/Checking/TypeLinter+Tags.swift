internal import ParticlesCore

// Findings about tags.

extension TypeLinter {
  /// MIME types that many kinds of files share.
  private static let genericMIMETypes: Set = [
    "application/octet-stream", "application/zip", "application/x-zip-compressed",
    "application/gzip", "application/xml", "text/xml", "application/json", "text/plain",
  ]

  func tags(_ entry: Declared) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    let tags = entry.value.tags
    for (index, name) in tags[.filenameExtension].enumerated() {
      guard let fault = Self.fault(inExtension: name, isPreferred: index == 0) else { continue }
      findings.add(.typesExtension, at: .key(entry.key), fault, found: "'\(name)'")
    }
    for name in tags[.mimeType] + tags[.sharedMIMEType] {
      if let finding = fault(inMIMEType: name, at: entry.key) {
        findings.append(finding)
      } else if entry.value.kind == .exported, Self.genericMIMETypes.contains(name.caseFolded) {
        findings.append(Diagnostic(.typesGenericMIME, at: .key(entry.key), found: "'\(name)'"))
      }
    }
    findings += tags[.osType].compactMap { fault(inOSType: $0, at: entry.key) }
    return findings
  }

  /// Findings about the tags of a claim.
  func tags(_ claimed: [ClaimedTag]) -> [Diagnostic] {
    claimed.compactMap { tag in
      switch tag.tagClass {
      case .filenameExtension:
        Self.fault(inExtension: tag.tag, isPreferred: false).map {
          Diagnostic(.typesExtension, at: .key(tag.key), $0, found: "'\(tag.tag)'")
        }
      case .mimeType: fault(inMIMEType: tag.tag, at: tag.key)
      default: fault(inOSType: tag.tag, at: tag.key)
      }
    }
  }

  private static func fault(inExtension name: String, isPreferred: Bool) -> String? {
    if name.allSatisfy(\.isWhitespace) { return "it is blank" }
    guard !isPlaceholder(name) else { return nil }
    if name.hasPrefix(".") { return "it begins with a full stop" }
    if name.contains(where: { "/:*?,;\0".contains($0) }) {
      return "it has a character that extensions do not have"
    }
    if name.first?.isWhitespace == true || name.last?.isWhitespace == true {
      return "it begins or ends with white space"
    }
    if name.contains(".") { return "only the part after the last full stop is compared" }
    if isPreferred, name.utf8.count > 1, name != name.caseFolded, name == name.uppercased() {
      return "new files would get an extension in upper case"
    }
    return nil
  }

  /// A MIME type is `type/subtype` of the characters of RFC 6838, possibly with parameters.
  private func fault(inMIMEType name: String, at key: String) -> Diagnostic? {
    guard !Self.isPlaceholder(name) else { return nil }
    let plain = name.prefix { $0 != ";" }
    let parts = plain.split(separator: "/", omittingEmptySubsequences: false)
    let isValid =
      parts.count == 2
      && parts.allSatisfy { part in
        !part.isEmpty && part.utf8.count < 128 && part.utf8.allSatisfy(Self.isMIMECharacter)
      }
    guard !isValid else { return nil }
    return Diagnostic(
      .typesTag, at: .key(key), expected: "a MIME type such as image/png", found: "'\(name)'")
  }

  private static func isMIMECharacter(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "!", "#", "$", "&", "-", "^", "_", ".", "+": true
    default: false
    }
  }

  private func fault(inOSType name: String, at key: String) -> Diagnostic? {
    guard !Self.isPlaceholder(name), name.unicodeScalars.count != 4 else { return nil }
    return Diagnostic(
      .typesTag, at: .key(key), expected: "an OSType of four characters", found: "'\(name)'")
  }

  // MARK: Extensions of the system's types

  /// An exported type with the preferred extension of a common text, image or archive type of the
  /// system has to conform to that type.
  func extensions(_ entry: Declared) -> [Diagnostic] {
    guard entry.value.kind == .exported else { return [] }
    let type = type(entry.value.identifier)
    return entry.value.tags[.filenameExtension].compactMap { name in
      let candidates = known.select(tag: name, tagClass: .filenameExtension).candidates
      let owner = candidates.first {
        $0.position == 0 && $0.type.isPublic && $0.type.conforms(to: .data)
          && Self.commonTypes.contains(where: $0.type.conforms(to:))
      }
      guard let owner, type.conforms(to: .data),
        !candidates.contains(where: { type.conforms(to: $0.type) })
      else { return nil }
      return Diagnostic(
        .typesTaken, at: .key(entry.key), "'\(name)'", expected: "conformance to '\(owner.type)'",
        found: "'\(entry.value.identifier)'")
    }
  }

  private static let commonTypes: [UniformType] = [.text, .image, .archive]

  /// A claimed type without tags and subtypes: no file has it.
  func untagged(_ entry: Declared) -> [Diagnostic] {
    let identifier = entry.value.identifier
    guard entry.value.kind == .exported, entry.value.tags.classes.isEmpty,
      ranks[identifier.caseFolded] != nil, !conformedTo.contains(identifier.caseFolded)
    else { return [] }
    return [Diagnostic(.typesUntagged, at: .key(entry.key), found: "'\(identifier)'")]
  }
}
