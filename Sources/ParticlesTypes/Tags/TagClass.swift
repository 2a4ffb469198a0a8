/// A class of tags: filename extensions, MIME types, OSTypes, …
///
/// Any string may be a tag class; the static members are the known ones.
public struct TagClass: RawRepresentable, Sendable, Hashable {
  /// The name of the class, such as `public.filename-extension`.
  public let rawValue: String

  /// A class of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The part of a file name after its last full stop; compared without case.
  public static let filenameExtension = TagClass(rawValue: "public.filename-extension")

  /// A MIME type such as `image/png`; compared without case.
  public static let mimeType = TagClass(rawValue: "public.mime-type")

  /// A four-character code of classic Mac OS; case-sensitive.
  public static let osType = TagClass(rawValue: "com.apple.ostype")

  /// The old name of a pasteboard type; case-sensitive.
  public static let pasteboardType = TagClass(rawValue: "com.apple.nspboard-type")

  /// The scheme of a URL; compared without case.
  public static let urlScheme = TagClass(rawValue: "public.url-scheme")

  /// A suffix of file names with full stops inside, such as `tar.gz`; compared without case. A class of
  /// this project: Apple's types have only the part after the last full stop.
  public static let compoundExtension = TagClass(
    rawValue: "org.particles-format.compound-extension")

  /// The name of a type in the shared MIME database of freedesktop.org, if it is not its preferred MIME
  /// type; compared without case. A class of this project.
  public static let sharedMIMEType = TagClass(rawValue: "org.particles-format.shared-mime-type")

  /// Whether tags of the class are case-sensitive.
  public var isCaseSensitive: Bool {
    switch self {
    case .filenameExtension, .mimeType, .urlScheme, .compoundExtension, .sharedMIMEType: false
    default: true
    }
  }

  /// The key of a tag in lookups.
  func folded(_ tag: String) -> String { isCaseSensitive ? tag : tag.caseFolded }
}

extension String {
  /// This text for comparison without case. Lower-case ASCII is returned unchanged.
  package var caseFolded: String {
    let isFolded = utf8.withContiguousStorageIfAvailable { bytes in
      bytes.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) }
    }
    return isFolded == true ? self : lowercased()
  }
}
