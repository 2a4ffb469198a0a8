/// What kind of tag a string is: a filename extension, a MIME type, an OSType…
///
/// Any string may be a tag class; those that have a meaning here are the static members.
public struct TagClass: RawRepresentable, Sendable, Hashable {
  /// The name of the class, such as `public.filename-extension`.
  public let rawValue: String

  /// A class of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// What stands behind the last full stop of a file name, without it; case means nothing.
  public static let filenameExtension = TagClass(rawValue: "public.filename-extension")

  /// A MIME type such as `image/png`; case means nothing.
  public static let mimeType = TagClass(rawValue: "public.mime-type")

  /// Four characters of the old Macintosh; case matters.
  public static let osType = TagClass(rawValue: "com.apple.ostype")

  /// The old name of a pasteboard type; case matters.
  public static let pasteboardType = TagClass(rawValue: "com.apple.nspboard-type")

  /// The scheme of a URL; case means nothing.
  public static let urlScheme = TagClass(rawValue: "public.url-scheme")

  /// The end of a file name with full stops inside, such as `tar.gz`. Ours: Apple's types know only
  /// what stands behind the last full stop. Case means nothing.
  public static let compoundExtension = TagClass(
    rawValue: "org.particles-format.compound-extension")

  /// What the shared MIME database of freedesktop.org calls the type, where that is not its
  /// preferred MIME type. Ours; case means nothing.
  public static let sharedMIMEType = TagClass(rawValue: "org.particles-format.shared-mime-type")

  /// Whether tags of the class are compared by case.
  public var isCaseSensitive: Bool {
    switch self {
    case .filenameExtension, .mimeType, .urlScheme, .compoundExtension, .sharedMIMEType: false
    default: true
    }
  }

  /// A tag as it is looked up.
  func folded(_ tag: String) -> String { isCaseSensitive ? tag : tag.caseFolded }
}

extension String {
  /// This text as identifiers and tags are compared. Most are lower-case ASCII and stay themselves.
  package var caseFolded: String {
    for byte in utf8 where byte >= 0x80 || (byte >= 0x41 && byte <= 0x5A) { return lowercased() }
    return self
  }
}
