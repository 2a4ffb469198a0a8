internal import ParticlesCore

/// A key that files of a format have, and that an engine of the format does not read, so that it has no
/// effect there. Reading reports it as ``ParticlesCore/Rule/ignoredKey``, and the page of the format in the
/// Spec lists it.
struct UnreadKey<Format: EmitterFormat>: Sendable {
  /// The findings about a key.
  struct Finding {
    /// More about the consequence in this file.
    var detail = ""
    var found: String?
  }

  /// The key, as rows name it.
  let key: String
  /// The key in the Spec; that of rows by default.
  private(set) var spelling: String
  /// The engine, as messages name it: "Starling".
  let engine: String
  /// When the engine does not read the key, for the Spec: "beside an acceleration"; empty for always.
  let condition: String
  /// The consequence for the effect.
  let consequence: String
  /// The sources of the claim, by the short names that rows cite.
  let source: String
  /// A warning if the effect may look different from the intended one; otherwise a note.
  let severity: Severity
  /// Returns nil where the key is not set to anything that another program would use.
  let find: @Sendable (Format.Reader) -> Finding?

  /// - Parameters:
  ///   - engine: as messages name it.
  ///   - isSet: whether the key is set to something that another program would use.
  init(
    _ key: String, by engine: String, where condition: String = "", _ consequence: String,
    from source: String, severity: Severity = .warning,
    when isSet: @escaping @Sendable (Format.Reader) -> Bool
  ) {
    self.init(key, by: engine, where: condition, consequence, from: source, severity: severity) {
      isSet($0) ? Finding() : nil
    }
  }

  init(
    _ key: String, by engine: String, where condition: String = "", _ consequence: String,
    from source: String, severity: Severity = .warning,
    find: @escaping @Sendable (Format.Reader) -> Finding?
  ) {
    (self.key, spelling, self.engine, self.condition) = (key, key, engine, condition)
    (self.consequence, self.source, self.severity) = (consequence, source, severity)
    self.find = find
  }

  /// The same for a key that has another spelling in files, the first of some.
  func listed(as spellings: [String]) -> UnreadKey {
    var key = self
    key.spelling = spellings.first ?? spelling
    return key
  }

  /// Reports the key if it is set.
  func report(_ reader: Format.Reader) {
    guard let finding = find(reader) else { return }
    let condition = condition.isEmpty ? "" : " \(condition)"
    reader.note(
      .ignoredKey, key,
      "\(engine) does not read \(spelling)\(condition): \(consequence)\(finding.detail)",
      found: finding.found, severity: severity)
  }

  /// The line of the table in the Spec.
  var markdown: String {
    let level = severity == .note ? "a note" : "a warning"
    let condition = condition.isEmpty ? "" : ", \(condition)"
    return "| `\(spelling)` | \(engine)\(condition) | \(consequence); \(level) | \(source) |"
  }
}

extension Row {
  /// The same row with keys that an engine does not read.
  func unread(_ keys: [UnreadKey<Format>]) -> Row {
    var row = self
    row.unread += keys
    return row
  }

  func unread(_ keys: UnreadKey<Format>...) -> Row { unread(keys) }
}
