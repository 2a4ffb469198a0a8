package import ParticlesCore

/// Reads values of a tree and collects the ones that are not of the expected kind.
struct EntryReader {
  private(set) var faults: [Diagnostic] = []

  /// The most unknown keys that are compared with known keys. More would keep a reader busy.
  private var suggestionsLeft = 500

  mutating func complain(_ rule: Rule, _ key: String, expected: String? = nil, found: String? = nil)
  {
    faults.append(Diagnostic(rule, at: .key(key), expected: expected, found: found))
  }

  private mutating func mismatch(_ value: JSONValue, _ key: String, _ expected: String) {
    complain(.typesStructure, key, expected: expected, found: value.kind)
  }

  mutating func object(_ value: JSONValue?, _ key: String) -> JSONObject? {
    guard let value, value != .null else { return nil }
    guard let object = value.object else {
      mismatch(value, key, "an object")
      return nil
    }
    return object
  }

  mutating func string(_ value: JSONValue?, _ key: String) -> String? {
    guard let value, value != .null else { return nil }
    guard let text = value.string else {
      mismatch(value, key, "a string")
      return nil
    }
    return text
  }

  mutating func bool(_ value: JSONValue?, _ key: String) -> Bool? {
    guard let value, value != .null else { return nil }
    // Old property lists have numbers and words for truth values.
    switch value {
    case .bool(let bool): return bool
    case .number(let number) where number.double == 1 || number.double == 0:
      return number.double == 1
    case .string(let text) where ["YES", "NO"].contains(text.uppercased()):
      return text.uppercased() == "YES"
    default:
      mismatch(value, key, "a truth value")
      return nil
    }
  }

  mutating func int(_ value: JSONValue?, _ key: String, in range: ClosedRange<Int>) -> Int? {
    guard let value, value != .null else { return nil }
    guard let int = value.int, range.contains(int) else {
      complain(
        .typesStructure, key,
        expected: "a whole number from \(range.lowerBound) to \(range.upperBound)",
        found: value.int.map { "\($0)" } ?? value.kind)
      return nil
    }
    return int
  }

  /// One string, or an array of strings.
  mutating func strings(_ value: JSONValue?, _ key: String) -> [TypesFile.Entry<String>] {
    guard let value, value != .null else { return [] }
    if let text = value.string { return [.init(text, at: key)] }
    guard let array = value.array else {
      mismatch(value, key, "a string or an array of strings")
      return []
    }
    return array.enumerated().compactMap { index, element in
      let place = "\(key)[\(index)]"
      return string(element, place).map { .init($0, at: place) }
    }
  }

  /// The strings of an array, without reports.
  func texts(_ value: JSONValue?) -> [String] {
    value?.string.map { [$0] } ?? (value?.array ?? []).compactMap { $0.string }
  }

  /// The objects of an array. Empty ones are reported.
  mutating func objects(_ value: JSONValue?, _ key: String) -> [TypesFile.Entry<JSONObject>] {
    guard let value, value != .null else { return [] }
    guard let array = value.array else {
      mismatch(value, key, "an array of objects")
      return []
    }
    return array.enumerated().compactMap { index, element in
      let place = "\(key)[\(index)]"
      guard let object = object(element, place) else {
        if element == .null { mismatch(element, place, "an object") }
        return nil
      }
      guard !object.isEmpty else {
        complain(.typesStructure, place, expected: "an entry", found: "an empty object")
        return nil
      }
      return .init(object, at: place)
    }
  }

  /// A word of a list, in upper or lower case.
  mutating func word<Word>(
    _ value: JSONValue?, _ key: String, among words: [String], _ rule: Rule,
    _ make: (String) -> Word?
  ) -> Word? {
    guard let text = string(value, key) else { return nil }
    if let word = make(text) { return word }
    faults.add(
      rule, at: .key(key), expected: "one of \(words.joined(separator: ", "))", found: "'\(text)'",
      severity: .error)
    return nil
  }

  mutating func hex(_ value: JSONValue?, _ key: String) -> [UInt8]? {
    guard let text = string(value, key) else { return nil }
    let digits = text.compactMap { $0.hexDigitValue }
    guard digits.count == text.count, digits.count.isMultiple(of: 2) else {
      complain(.typesStructure, key, expected: "pairs of hexadecimal digits", found: "'\(text)'")
      return nil
    }
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  /// Reports unknown keys. A key with a prefix of the system, or similar to a known key, is most
  /// likely misspelt. Tag classes belong in the tag specification.
  mutating func noteUnknown(in object: JSONObject, besides known: Set<String>, at key: String) {
    for member in object.members where !known.contains(member.key) && !member.key.hasPrefix("_") {
      let name = member.key
      let place = key.isEmpty ? name : "\(key).\(name)"
      let near = spendSuggestion(name) ? Suggestion.nearest(to: name, among: known.sorted()) : nil
      if PropertyListKeys.tagClasses.contains(where: { $0.rawValue == name }) {
        warn(place, found: "a tag class", hint: "move it into UTTypeTagSpecification")
      } else if near != nil || PropertyListKeys.prefixes.contains(where: name.hasPrefix) {
        warn(
          place, found: "an unknown key, which is ignored",
          hint: near.map { "did you mean '\($0)'?" })
      } else {
        note(place, found: "an unknown key")
      }
    }
  }

  /// Reports a key that is similar to one of `words` and not equal to it.
  mutating func noteMisspelt(_ name: String, among words: [String], at key: String = "") {
    guard !words.contains(name), spendSuggestion(name),
      let near = words.first(where: { Suggestion.distance(name, $0) <= 2 })
    else { return }
    let place = key.isEmpty ? name : "\(key).\(name)"
    warn(place, found: "an unknown key, which is ignored", hint: "did you mean '\(near)'?")
  }

  private mutating func spendSuggestion(_ name: String) -> Bool {
    guard suggestionsLeft > 0, name.utf8.count < 64 else { return false }
    suggestionsLeft -= 1
    return true
  }

  private mutating func warn(_ key: String, found: String, hint: String?) {
    faults.add(.typesStructure, at: .key(key), found: found, severity: .warning, hint: hint)
  }

  /// Reports something harmless.
  mutating func note(_ key: String, found: String) {
    faults.append(Diagnostic(.typesStructure, at: .key(key), found: found, severity: .note))
  }
}

/// The kind of bundle that a property list describes, as far as the checks of types depend on it.
package struct BundleTraits: Sendable {
  /// Whether it is an application for iOS.
  var isForTouch = false

  /// Whether it is an extension, a Quick Look generator or a Spotlight importer, which uses the types
  /// that applications declare.
  package internal(set) var isExtension = false

  /// Whether it shows the system's document browser.
  var hasDocumentBrowser = false

  /// The value of `LSSupportsOpeningDocumentsInPlace`, or nil if it is absent.
  var opensInPlace: Bool?

  init() {}

  init(_ root: JSONObject, _ reader: inout EntryReader) {
    hasDocumentBrowser =
      reader.bool(root["UISupportsDocumentBrowser"], "UISupportsDocumentBrowser") ?? false
    opensInPlace = reader.bool(
      root["LSSupportsOpeningDocumentsInPlace"], "LSSupportsOpeningDocumentsInPlace")
    let kind = root["CFBundlePackageType"]?.string
    isExtension =
      root["NSExtension"] != nil || root["EXAppExtensionAttributes"] != nil || kind == "XPC!"
      || Self.hasImporterRole(root)
    let isForMac = root["LSMinimumSystemVersion"] != nil || root["NSPrincipalClass"] != nil
    isForTouch = !isExtension && !isForMac && Self.touchKeys.contains { root[$0] != nil }
  }

  private static let touchKeys = [
    "UIDeviceFamily", "LSRequiresIPhoneOS", "UISupportsDocumentBrowser", "UILaunchStoryboardName",
    "UILaunchScreen", "UIRequiredDeviceCapabilities", "UISupportedInterfaceOrientations",
    "UIApplicationSceneManifest",
  ]

  /// Claims of Quick Look generators and Spotlight importers have roles of their own.
  private static func hasImporterRole(_ root: JSONObject) -> Bool {
    let roles = (root["CFBundleDocumentTypes"]?.array ?? []).compactMap {
      $0.object?["CFBundleTypeRole"]?.string.flatMap(HandlerRole.init(named:))
    }
    return roles.contains { $0 == .quickLookGenerator || $0 == .spotlightImporter }
  }
}

/// The keys of property lists that describe types and documents. Other keys in their dictionaries
/// are reported, because they are most likely misspelt.
enum PropertyListKeys {
  /// The keys of a declaration, from Apple's Information Property List reference and the property
  /// lists of applications.
  static let declaration: Set = [
    "UTTypeIdentifier", "UTTypeConformsTo", "UTTypeTagSpecification", "UTTypeDescription",
    "UTTypeReferenceURL", "UTTypeVersion", "UTTypeIcons", "UTTypeIconFile", "UTTypeIconFiles",
    "UTTypeIconName", "UTTypeIconText", "UTTypeIconBackgroundName", "UTTypeIconBadgeName",
    "UTTypeIconSystemGenerated", "UTTypeSize320IconFile", "UTTypeSize64IconFile",
    "UTTypeIsWildcard",
  ]

  static let claim: Set = [
    "CFBundleTypeName", "CFBundleTypeRole", "CFBundleTypeExtensions", "CFBundleTypeMIMETypes",
    "CFBundleTypeOSTypes", "CFBundleTypeIconFile", "CFBundleTypeIconFiles", "CFBundleTypeIconName",
    "CFBundleTypeIconSystemGenerated", "LSItemContentTypes", "LSHandlerRank", "LSTypeIsPackage",
    "LSIsAppleDefaultForType", "LSIsAppleDefaultNoOverrideForType", "NSDocumentClass",
    "UIDocumentClass", "NSExportableTypes", "NSExportableAs", "NSIsRelatedItemType",
    "NSPersistentStoreTypeKey", "NSUbiquitousDocumentUserActivityType",
  ]

  /// The keys of a property list as a whole that types and documents depend on.
  static let root = [
    "UTExportedTypeDeclarations", "UTImportedTypeDeclarations", "CFBundleDocumentTypes",
    "UISupportsDocumentBrowser", "LSSupportsOpeningDocumentsInPlace",
  ]

  /// The classes of tags with a defined meaning.
  static let tagClasses: [TagClass] = [
    .filenameExtension, .mimeType, .osType, .pasteboardType, .urlScheme,
  ]

  /// The prefixes of keys that belong to the system. Unknown keys with a prefix are most likely misspelt.
  static let prefixes = ["UT", "CFBundle", "LS", "NS", "UI"]
}

/// A bundle with the extensions, importers and generators inside. Their property lists are checked
/// together, because extensions use the types that their application declares.
package struct TypesBundle: Sendable {
  /// The property lists: first of the bundle, then of its parts in the order of their paths.
  package let files: [TypesFile]

  /// Parts whose property lists cannot be read, with the reasons.
  package let faults: [Diagnostic]

  /// The application around a single extension, for its declarations. Nil if there is none.
  package let application: TypesFile?

  /// Creates a bundle of files that were read.
  package init(_ files: [TypesFile], faults: [Diagnostic], application: TypesFile?) {
    (self.files, self.faults, self.application) = (files, faults, application)
  }

  /// The findings in each file, in the order of ``files``. Declarations of each apply to all.
  /// - Parameters:
  ///   - known: the types that are declared without the bundle.
  ///   - isComplete: whether `known` has the declarations of the application around a single extension.
  ///   - sizeOfTemplate: returns the size of a template in bytes by its path in the file, or nil if there
  ///     is no such file.
  package func findings(
    known: TypeRegistry = .standard, isComplete: Bool = false,
    sizeOfTemplate: (String) -> Int? = { _ in nil }
  ) -> [(file: TypesFile, findings: [Diagnostic])] {
    files.indices.map { index in
      var others = files
      others.remove(at: index)
      others += application.map { [$0] } ?? []
      let linter = TypeLinter(
        files[index], known: known, beside: others, isComplete: isComplete || !others.isEmpty)
      return (files[index], linter.findings(sizeOfTemplate: sizeOfTemplate))
    }
  }
}
