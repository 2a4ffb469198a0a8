/// A violation of a ``Rule``: the location, the expected and the found value.
///
/// Validation and conversion collect diagnostics. Every error that the library throws is a
/// diagnostic.
public struct Diagnostic: Error, Sendable, Hashable {
  /// The values. A diagnostic is one reference to them, so that functions that may throw one stay small.
  private struct Fields: Sendable, Hashable {
    var rule: Rule
    var severity: Severity
    var location: Location
    var detail: String?
    var expected: String?
    var found: String?
    var hint: String?
    var attachment: Attachment?
  }

  /// Copied before a change if several diagnostics share it.
  private final class Storage: @unchecked Sendable {
    var fields: Fields

    init(_ fields: Fields) { self.fields = fields }
  }

  private var storage: Storage

  private var fields: Fields {
    get { storage.fields }
    set {
      if isKnownUniquelyReferenced(&storage) {
        storage.fields = newValue
      } else {
        storage = Storage(newValue)
      }
    }
  }

  /// The rule that was broken.
  public var rule: Rule {
    get { storage.fields.rule }
    set { fields.rule = newValue }
  }

  /// The severity. The default is the severity of the rule.
  public var severity: Severity {
    get { storage.fields.severity }
    set { fields.severity = newValue }
  }

  /// The file, entry and position.
  public var location: Location {
    get { storage.fields.location }
    set { fields.location = newValue }
  }

  /// Text that is added to the summary of the rule, such as a name.
  public var detail: String? {
    get { storage.fields.detail }
    set { fields.detail = newValue }
  }

  /// The expected value.
  public var expected: String? {
    get { storage.fields.expected }
    set { fields.expected = newValue }
  }

  /// The value that was found.
  public var found: String? {
    get { storage.fields.found }
    set { fields.found = newValue }
  }

  /// The next step for the user. The default is the hint of the rule.
  public var hint: String? {
    get { storage.fields.hint }
    set { fields.hint = newValue }
  }

  var attachment: Attachment? {
    get { storage.fields.attachment }
    set { fields.attachment = newValue }
  }

  /// Creates a diagnostic.
  public init(
    _ rule: Rule, at location: Location = .unknown, _ detail: String? = nil,
    expected: String? = nil, found: String? = nil, severity: Severity? = nil, hint: String? = nil
  ) {
    storage = Storage(
      Fields(
        rule: rule, severity: severity ?? rule.severity, location: location, detail: detail,
        expected: expected, found: found, hint: hint ?? rule.hint))
  }

  /// Whether all values are equal.
  public static func == (a: Diagnostic, b: Diagnostic) -> Bool {
    a.storage === b.storage || a.fields == b.fields
  }

  /// Hashes all values.
  public func hash(into hasher: inout Hasher) { fields.hash(into: &hasher) }

  /// The summary of the rule with the detail, the expected and the found value, on one line and
  /// without location. The kind of a file that is not read comes first. The detail about a key that an engine does not
  /// read is a sentence of its own.
  public var message: String {
    if rule == .foreign, let found { return "\(found), \(rule.summary)".escapingControls }
    var text = rule.summary
    if let detail { text = rule == .ignoredKey ? detail : "\(text): \(detail)" }
    switch (expected, found) {
    case (let expected?, let found?): text += " (expected \(expected), found \(found))"
    case (let expected?, nil): text += " (expected \(expected))"
    case (nil, let found?): text += " (found \(found))"
    case (nil, nil): break
    }
    return text.escapingControls
  }

  /// Returns this diagnostic with the missing parts of its location taken from `outer`.
  public func inside(_ outer: Location) -> Diagnostic {
    var copy = self
    copy.location = location.inside(outer)
    return copy
  }
}

extension [Diagnostic] {
  package mutating func add(
    _ rule: Rule, at location: Location = .unknown, _ detail: String? = nil,
    expected: String? = nil, found: String? = nil, severity: Diagnostic.Severity? = nil,
    hint: String? = nil
  ) {
    append(
      Diagnostic(
        rule, at: location, detail, expected: expected, found: found, severity: severity,
        hint: hint))
  }
}

extension Diagnostic: CustomStringConvertible {
  /// `path:location: severity: message [family/name]`, on one line. If the location has a line and a
  /// column, the key precedes the message.
  public var description: String {
    let place = location.description.escapingControls
    return (place.isEmpty ? "" : "\(place): ")
      + "\(severity.rawValue): \(location.replacedKey)\(message) [\(rule.code)]"
  }
}

extension String {
  /// The first 80 Unicode scalars of this text, for messages.
  package var excerpt: String {
    // By scalars, because a character may consist of any number of scalars.
    let scalars = unicodeScalars
    let end = scalars.index(scalars.startIndex, offsetBy: 80, limitedBy: scalars.endIndex)
    return end.map { String(scalars[..<$0]) } ?? self
  }
}

extension [UInt8] {
  /// These bytes as text, with `\xFF` for each byte that is not part of valid UTF-8.
  package var escapingInvalidUTF8: String {
    replacingInvalidUTF8 { "\\x" + [$0].hexDigits.uppercased() }
  }

  /// These bytes as text, with another text in place of each byte that is not part of valid UTF-8.
  func replacingInvalidUTF8(_ replacement: (UInt8) -> String) -> String {
    if let text = String(validating: self, as: UTF8.self) { return text }
    var text = ""
    var rest = self[...]
    while let first = rest.first {
      let valid = (1...4).lazy.compactMap { String(validating: rest.prefix($0), as: UTF8.self) }
        .first
      text += valid ?? replacement(first)
      rest = rest.dropFirst(valid?.utf8.count ?? 1)
    }
    return text
  }
}

extension Diagnostic {
  /// The location of a finding: a file on disk, an entry of the package in that file, and a position
  /// in that entry. Each part may be unknown.
  public struct Location: Sendable, Hashable {
    /// The path of the file or folder on disk, as the caller gave it.
    public var file: String?

    /// The path of the entry in the package.
    public var entry: String?

    /// The position in the entry, or in the file if there is no entry.
    public var position: Position?

    /// The line and column of ``position`` if the file or entry is a text and was searched. Nil by
    /// default.
    public var textPlace: TextPlace?

    /// A line and a column of a text.
    public struct TextPlace: Sendable, Hashable {
      /// The path of the text if it is a file on disk and not ``Location/file``, nil otherwise.
      public var file: String?
      /// The line, from 1.
      public var line: Int
      /// The column in Unicode code points, from 1.
      public var column: Int

      /// Creates a place.
      public init(line: Int, column: Int, file: String? = nil) {
        self.file = file
        self.line = line
        self.column = column
      }
    }

    /// A position in a file or an entry.
    public enum Position: Sendable, Hashable {
      /// An offset in bytes from the beginning.
      case offset(Int)
      /// A path of keys and indices, such as `emitters[0].emission.rate`.
      case key(String)
    }

    /// Creates a location. Without arguments, it is "unknown".
    public init(file: String? = nil, entry: String? = nil, position: Position? = nil) {
      self.file = file
      self.entry = entry
      self.position = position
    }

    /// A location `offset` bytes from the beginning.
    public static func offset(_ offset: Int) -> Location { Location(position: .offset(offset)) }

    /// An entry of a package.
    public static func entry(_ path: String) -> Location { Location(entry: path) }

    /// A path of keys and indices.
    public static func key(_ path: String) -> Location { Location(position: .key(path)) }

    /// A location without any known part.
    public static let unknown = Location()

    /// Returns this location with its missing parts taken from `outer`.
    public func inside(_ outer: Location) -> Location {
      var copy = Location(
        file: file ?? outer.file, entry: entry ?? outer.entry, position: position ?? outer.position)
      copy.textPlace = textPlace
      return copy
    }
  }
}

extension Location: CustomStringConvertible {
  /// The known parts, outermost first, with a colon between them. In a text that was searched, the
  /// position is `line:column`.
  public var description: String {
    let file = textPlace?.file ?? [self.file, entry].compactMap { $0 }.joined(separator: ":")
    let position = textPlace.map { "\($0.line):\($0.column)" } ?? self.position?.description
    return [file.isEmpty ? nil : file, position].compactMap { $0 }.joined(separator: ":")
  }

  /// The key that the description replaces by line and column, with a colon. Empty if it replaces none.
  package var replacedKey: String {
    guard textPlace != nil, case .key(let path) = position else { return "" }
    return "\(path.escapingControls): "
  }
}

extension Location.Position: CustomStringConvertible {
  /// `byte 120`, or the key path.
  public var description: String {
    switch self {
    case .offset(let offset): "byte \(offset)"
    case .key(let path): path
    }
  }
}

extension String {
  /// Whether this key path is equal to `other` or leads to a part of its value.
  package func isPath(at other: String) -> Bool {
    guard utf8.starts(with: other.utf8) else { return false }
    let next = utf8.dropFirst(other.utf8.count).first
    return next == nil || next == UInt8(ascii: ".") || next == UInt8(ascii: "[")
  }
}

extension Diagnostic {
  /// A violation of a rule that was fixed.
  public struct Repair: Sendable, Hashable {
    /// The rule that was broken.
    public var rule: Rule

    /// The file, entry and position.
    public var location: Location

    /// The change, in the past tense, such as "sorted the keys by time".
    public var action: String

    /// Creates a repair.
    public init(_ rule: Rule, at location: Location = .unknown, _ action: String) {
      self.rule = rule
      self.location = location
      self.action = action
    }

    /// Returns this repair with the missing parts of its location taken from `outer`.
    public func inside(_ outer: Location) -> Repair {
      Repair(rule, at: location.inside(outer), action)
    }
  }
}

extension Repair: CustomStringConvertible {
  /// `path:location: fixed: action [family/name]`, on one line.
  public var description: String { line("fixed") }

  /// The line of ``description``, with another word in place of "fixed".
  package func line(_ word: String) -> String {
    let place = location.description
    return ((place.isEmpty ? "" : "\(place): ") + "\(word): \(action) [\(rule.code)]")
      .escapingControls
  }
}

extension Diagnostic {
  /// The findings in one or more files, as one JSON document with a version.
  ///
  /// Within a version, keys may be added but are never removed or changed. `Spec/cli.md` describes the layout.
  public struct Report: Sendable, Hashable {
    /// The version of the layout of ``json``.
    public static let version = 1

    /// The findings in one file.
    public struct File: Sendable, Hashable {
      /// The path as the caller gave it.
      public var path: String
      /// The recognised kind of the file, or nil if it was not recognised.
      public var kind: String?
      /// Whether the path leads to a folder, whose entries are files on disk.
      public var isFolder: Bool
      /// The repairs that were made before validation.
      public var repairs: [Repair] = []
      /// The findings, in the order of their discovery.
      public var diagnostics: [Diagnostic]

      /// Creates the findings of a file.
      public init(
        path: String, kind: String? = nil, isFolder: Bool = false, diagnostics: [Diagnostic] = []
      ) {
        self.path = path
        self.kind = kind
        self.isFolder = isFolder
        self.diagnostics = diagnostics
      }
    }

    /// The files, in the order given.
    public var files: [File]

    /// Creates a report.
    public init(files: [File] = []) { self.files = files }

    /// How many findings are of this severity.
    public func count(_ severity: Severity) -> Int {
      files.reduce(0) { $0 + $1.diagnostics.count { $0.severity == severity } }
    }

    /// The report as JSON.
    public var json: JSONValue {
      [
        "version": .int(Self.version),
        "errors": .int(count(.error)),
        "warnings": .int(count(.warning)),
        "files": .array(files.map { $0.json }),
      ]
    }
  }
}

extension Report.File {
  /// These findings as JSON.
  public var json: JSONValue {
    var object: JSONObject = ["path": .string(RawPath.shown(path))]
    object["kind"] = kind.map(JSONValue.string)
    if !repairs.isEmpty { object["repairs"] = .array(repairs.map({ $0.json })) }
    object["diagnostics"] = .array(diagnostics.map { $0.json })
    return .object(object)
  }
}

extension Diagnostic {
  /// This diagnostic as JSON, without the path of the file.
  public var json: JSONValue {
    var object: JSONObject = [
      "code": .string(rule.code), "severity": .string(severity.rawValue),
      "message": .string(message),
    ]
    location.write(to: &object)
    object["expected"] = expected.map(JSONValue.string)
    object["found"] = found.map(JSONValue.string)
    object["hint"] = hint.map(JSONValue.string)
    if let attachment { object[attachment.key] = attachment.json }
    object["spec"] = .string(rule.anchor)
    return .object(object)
  }
}

extension Location {
  /// Writes the entry and the position.
  fileprivate func write(to object: inout JSONObject) {
    object["entry"] = entry.map(JSONValue.string)
    switch position {
    case .offset(let offset): object["offset"] = .int(offset)
    case .key(let path): object["key"] = .string(path)
    case nil: break
    }
    object["line"] = (textPlace?.line).map(JSONValue.int)
    object["column"] = (textPlace?.column).map(JSONValue.int)
  }
}

extension Repair {
  /// This repair as JSON, without the path of the file.
  public var json: JSONValue {
    var object: JSONObject = ["code": .string(rule.code), "action": .string(action)]
    location.write(to: &object)
    return .object(object)
  }
}

// Short names for nested types, for use inside the package.

package typealias Location = Diagnostic.Location
package typealias Repair = Diagnostic.Repair
package typealias Report = Diagnostic.Report
package typealias Severity = Diagnostic.Severity
