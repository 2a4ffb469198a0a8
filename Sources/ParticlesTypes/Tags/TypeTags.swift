/// The tags of a type by their class, each class in the order of preference.
public struct TypeTags: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// The tags of one class.
  struct Entry: Sendable, Hashable {
    var tagClass: TagClass
    var values: [String]
  }

  /// An array: a type has tags of few classes.
  private(set) var entries: [Entry]

  /// No tags.
  public init() { entries = [] }

  /// These tags.
  public init(dictionaryLiteral elements: (TagClass, [String])...) {
    entries = []
    for (tagClass, values) in elements { self[tagClass] = values }
  }

  /// The tags of a class, the preferred tag first. Empty if there are none.
  public subscript(tagClass: TagClass) -> [String] {
    get { entries.first { $0.tagClass == tagClass }?.values ?? [] }
    set {
      let index = entries.firstIndex { $0.tagClass == tagClass }
      switch (index, newValue.isEmpty) {
      case (let index?, false): entries[index].values = newValue
      case (let index?, true): entries.remove(at: index)
      case (nil, false): entries.append(Entry(tagClass: tagClass, values: newValue))
      case (nil, true): break
      }
    }
  }

  /// The classes with tags, in the order of the declaration.
  public var classes: [TagClass] { entries.map { $0.tagClass } }

  /// The tags as a dictionary.
  public var dictionary: [TagClass: [String]] {
    Dictionary(uniqueKeysWithValues: entries.map { ($0.tagClass, $0.values) })
  }

  /// Adds the tags of a class that has none yet.
  mutating func add(_ values: [String], new tagClass: TagClass) {
    if !values.isEmpty { entries.append(Entry(tagClass: tagClass, values: values)) }
  }

  mutating func append(_ value: String, to tagClass: TagClass) {
    if let index = entries.firstIndex(where: { $0.tagClass == tagClass }) {
      entries[index].values.append(value)
    } else {
      entries.append(Entry(tagClass: tagClass, values: [value]))
    }
  }
}

/// A class of tags: filename extensions, MIME types, OSTypes, …
///
/// Any string may be a tag class. The static members are the known classes.
public struct TagClass: RawRepresentable, Sendable, Hashable {
  /// The name of the class, such as `public.filename-extension`.
  public let rawValue: String

  /// A class of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The part of a file name after its last full stop, compared without case.
  public static let filenameExtension = TagClass(rawValue: "public.filename-extension")

  /// A MIME type such as `image/png`, compared without case.
  public static let mimeType = TagClass(rawValue: "public.mime-type")

  /// A four-character code of classic Mac OS, case-sensitive.
  public static let osType = TagClass(rawValue: "com.apple.ostype")

  /// The old name of a pasteboard type, case-sensitive.
  public static let pasteboardType = TagClass(rawValue: "com.apple.nspboard-type")

  /// The scheme of a URL, compared without case.
  public static let urlScheme = TagClass(rawValue: "public.url-scheme")

  /// A suffix of file names with full stops inside, such as `tar.gz`, compared without case. A class of
  /// this project: Apple's types have only the part after the last full stop.
  public static let compoundExtension = TagClass(
    rawValue: "org.particles-format.compound-extension")

  /// The name of a type in the shared MIME database of freedesktop.org, if it differs from its
  /// preferred MIME type, compared without case. A class of this project.
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

/// The syntax of type identifiers, in reverse-DNS style: `com.example.drawing`.
package enum TypeIdentifier {
  /// The fault in an identifier, as a phrase, or nil if it is valid.
  ///
  /// An identifier consists of components between full stops. A component has at least one
  /// character, each an ASCII letter or digit, a hyphen, or a character above U+007F.
  package static func fault(in identifier: String) -> String? {
    if identifier.isEmpty { return "it is empty" }
    for scalar in identifier.unicodeScalars where !isAllowed(scalar) {
      return "'\(scalar)' is not allowed"
    }
    let components = identifier.split(separator: ".", omittingEmptySubsequences: false)
    return components.contains("") ? "a component is empty" : nil
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", ".": true
    default: scalar.value > 0x7F
    }
  }

  /// Whether only the system may declare an identifier, because it begins with `public.` or `dyn.`.
  package static func isReserved(_ identifier: String) -> Bool {
    let identifier = identifier.caseFolded
    return identifier.hasPrefix("public.") || identifier.hasPrefix("dyn.")
  }

  /// Whether two identifiers name one type, compared without case.
  package static func areEqual(_ a: String, _ b: String) -> Bool {
    a == b || a.caseFolded == b.caseFolded
  }
}
