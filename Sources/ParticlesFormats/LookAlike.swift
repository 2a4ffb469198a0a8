package import ParticlesContainer
package import ParticlesCore
internal import ParticlesPropertyLists

/// A kind of file that no format reads, or that shares extension or syntax with particle files: its name, how it is
/// recognised, and the next step.
///
/// ``foreign`` is the table of these kinds. A format adds those that are taken for its files.
package struct LookAlike: Sendable {
  /// The syntax of a file.
  package enum Language: Sendable { case propertyList, json }

  /// How a kind is recognised.
  enum Sign: Sendable {
    /// A file of 0 bytes.
    case nothing
    /// The first bytes.
    case bytes([UInt8])
    /// The first characters, after white space.
    case text(String)
    /// Words near the beginning, all of which the file has.
    case words([String])
    /// The keys of the outermost object, all of which it has.
    case keys(Language, Set<String>)
    /// The name of the outermost element of an XML file.
    case element(String)
    /// The class of the outermost object of a keyed archive.
    case archived(String)
    /// Paths in a ZIP or tar archive, all of which it has. `*` is any folder.
    case entries([String])
    /// A condition, with its description.
    case condition(String, @Sendable ([UInt8]) -> Bool)
  }

  /// The name for messages: "a sprite sheet".
  package let name: String

  /// The ways to recognise it, one of which is enough.
  let signs: [Sign]

  /// The next step; nil if there is none.
  let advice: String?

  /// The extensions of such files, the usual one first. A file with another one is to be renamed; none if its name does
  /// not matter.
  let extensions: [String]

  /// Names for files with certain extensions: a Unity asset `.prefab` is "a Unity prefab".
  var names: [String: String] = [:]

  /// Whether the contents are elsewhere, or lost: the file may be an effect.
  var isAbsent = false

  init(_ name: String, _ signs: [Sign], advice: String?, extensions: [String] = []) {
    (self.name, self.signs, self.advice, self.extensions) = (name, signs, advice, extensions)
  }

  init(_ name: String, _ signs: Sign..., advice: String? = nil) {
    self.init(name, signs, advice: advice)
  }

  /// Creates a description of files with certain keys.
  package init(_ name: String, _ language: Language, _ keys: Set<String>) {
    self.init(name, .keys(language, keys))
  }

  /// The same kind, whose contents are elsewhere.
  var absent: LookAlike {
    var kind = self
    kind.isAbsent = true
    return kind
  }

  /// The same kind with other names for files with certain extensions.
  func named(_ names: [String: String]) -> LookAlike {
    var kind = self
    kind.names = names
    return kind
  }

  /// The message about a file of this kind.
  func diagnostic(fileName: String = "") -> Diagnostic {
    let kind = Files.pathExtension(of: fileName)
    var hint = advice
    if let usual = extensions.first, !kind.isEmpty, !extensions.contains(kind) {
      let rename = "rename it to \(Files.stem(of: fileName).excerpt).\(usual)"
      hint = advice.map { "\(rename), and \($0)" } ?? rename
    }
    return Diagnostic(.foreign, found: names[kind] ?? name, hint: hint)
  }

  /// Whether the contents of a file are elsewhere, or lost, by the name of its kind.
  package static func isAbsent(_ name: String) -> Bool {
    foreign.contains { $0.isAbsent && $0.name == name }
  }
}

// MARK: - Recognition

extension LookAlike {
  /// The number of bytes in which words are looked for.
  private static let beginning = 4096

  /// Names the kind of a file that no format recognises, with the next step; nil if unknown. Of a large file only the
  /// beginning is read where that is enough.
  static func diagnostic(
    of bytes: [UInt8], fileName: String, among known: [LookAlike]
  ) -> Diagnostic? {
    let head = Array(bytes.prefix(beginning))
    let text = head.asASCII
    let found = known.first { kind in
      kind.signs.contains { $0.matches(bytes, head: head, text: text) }
    }
    if let found { return found.diagnostic(fileName: fileName) }
    return contents(of: bytes, head).flatMap { contents in
      let found = known.first { kind in kind.signs.contains { contents.has($0) } }
      return found?.diagnostic(fileName: fileName)
        ?? contents.name.map { Diagnostic(.foreign, found: $0) }
    }
  }

  /// Names the kind of a tree of files that has no effect; nil if unknown.
  package static func diagnostic(of root: FileNode) -> Diagnostic? {
    foreign.first { kind in kind.signs.contains { $0.matches(root) } }?.diagnostic()
  }

  /// Whether bytes are a USD package (.usdz): a ZIP archive whose first entry is a USD file, stored without
  /// compression at a multiple of 64 bytes.
  static func isUSDPackage(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 30, bytes.starts(with: [0x50, 0x4B, 3, 4]), bytes[8] == 0, bytes[9] == 0
    else { return false }
    let nameLength = Int(bytes[26]) | Int(bytes[27]) << 8
    let extraLength = Int(bytes[28]) | Int(bytes[29]) << 8
    guard bytes.count >= 30 + nameLength, (30 + nameLength + extraLength) % 64 == 0 else {
      return false
    }
    let name = bytes[30..<30 + nameLength]
    return [".usdc", ".usda", ".usd"].contains { name.reversed().starts(with: $0.utf8.reversed()) }
  }

  /// The contents of a file in a syntax that is read.
  private struct Contents {
    /// The name in messages, if no kind of the table has it.
    var name: String?
    var keys: (language: Language, keys: Set<String>)?
    var element: String?
    var archived: String?

    func has(_ sign: Sign) -> Bool {
      switch sign {
      case .keys(let language, let names):
        keys.map { $0.language == language && names.isSubset(of: $0.keys) } ?? false
      case .element(let name): element == name
      case .archived(let name): archived == name
      default: false
      }
    }
  }

  private static func contents(of bytes: [UInt8], _ head: [UInt8]) -> Contents? {
    if bytes.starts(with: BinaryPropertyList.signature) {
      if let archive = try? OpenKeyedArchives.archive(bytes) {
        let className = archive.className(of: archive.root)?.excerpt
        return Contents(
          name: className.map { "a keyed archive of \($0)" } ?? "a keyed archive",
          archived: className)
      }
      return (try? PropertyListValue(decoding: bytes)).map(contents)
    }
    switch head.first(where: { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }) {
    case UInt8(ascii: "<"):
      guard let root = try? XMLParser.parse(bytes, reporting: { _ in }) else { return nil }
      if root.name == "plist" { return (try? PropertyListValue(xml: root)).map(contents) }
      return Contents(name: "XML with the root <\(root.name.excerpt)>", element: root.name)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard let json = try? JSONTree(decoding: bytes, limits: .standard).value else { return nil }
      guard let object = json.object else { return Contents(name: "JSON that holds \(json.kind)") }
      return Contents(
        name: "JSON of another kind", keys: (.json, Set(object.members.map(\.key))))
    default: return nil
    }
  }

  private static func contents(of list: PropertyListValue) -> Contents {
    guard let members = list.members else {
      return Contents(name: "a property list that holds \(list.kind)")
    }
    return Contents(
      name: "a property list of another kind", keys: (.propertyList, Set(members.map(\.key))))
  }
}

extension LookAlike.Sign {
  /// Whether a file has this sign, as far as its beginning shows it.
  fileprivate func matches(_ bytes: [UInt8], head: [UInt8], text: [UInt8]) -> Bool {
    switch self {
    case .nothing: bytes.isEmpty
    case .bytes(let signature): head.starts(with: signature)
    case .text(let beginning): text.beginsWithText(beginning)
    case .words(let words): words.allSatisfy { text.contains($0) }
    case .condition(_, let holds): holds(bytes)
    case .keys, .element, .archived, .entries: false
    }
  }

  /// Whether a tree of files has this sign.
  fileprivate func matches(_ root: FileNode) -> Bool {
    guard case .entries(let paths) = self else { return false }
    return paths.allSatisfy { path in
      guard path.hasPrefix("*/") else { return root[path] != nil }
      return root.children?.contains { $0.node[String(path.dropFirst(2))] != nil } ?? false
    }
  }
}
