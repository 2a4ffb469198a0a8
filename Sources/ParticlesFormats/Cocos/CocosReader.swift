internal import ParticlesCore
internal import ParticlesModel
internal import ParticlesPropertyLists

/// The keys and values of a file, asked for the properties of an emitter.
///
/// Every accessor gives nil where the key is absent or empty; where it holds something else than
/// asked for, it gives nil too and reports ``Rule/emitterValue``. A class, because what was noticed
/// has to be known across everything that reads.
final class CocosReader {
  let dialect: CocosDialect
  private(set) var diagnostics: [Diagnostic] = []

  private let fields: [(key: CocosKey, value: CocosValue)]
  private let places: [CocosKey: Int]

  init(_ fields: [(key: CocosKey, value: CocosValue)], _ dialect: CocosDialect) {
    self.fields = fields
    self.dialect = dialect
    places = Dictionary(
      fields.indices.map { (fields[$0].key, $0) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Values

  private func field(_ name: String) -> (key: CocosKey, value: CocosValue)? {
    places[CocosKey(name)].map { fields[$0] }
  }

  /// A finite number, however it is spelled. Those that only a float could have made become the
  /// shortest that is the same float.
  func number(_ name: String) -> Double? {
    guard let (key, value) = field(name) else { return nil }
    let number: Double?
    switch value {
    case .integer(let value): number = Double(value)
    case .real(let value): number = value
    case .flag(let flag): number = flag ? 1 : 0
    case .text(let text): number = text.trimmed.double
    case .other: number = nil
    }
    guard let number, number.magnitude < 1e15 else {
      mismatch(key, expected: "a number", found: value.excerpt)
      return nil
    }
    return number.tidy
  }

  /// A number that counts something.
  func integer(_ name: String) -> Int? { number(name).map { Int($0) } }

  /// A truth value, mostly spelled 0 or 1.
  func flag(_ name: String) -> Bool? {
    switch field(name)?.value {
    case .text(let text)? where ["true", "YES"].contains(text.trimmed): true
    case .text(let text)? where ["false", "NO"].contains(text.trimmed): false
    default: number(name).map { $0 != 0 }
    }
  }

  /// A text that is not empty.
  func text(_ name: String) -> String? {
    guard let (key, value) = field(name) else { return nil }
    guard case .text(let text) = value else {
      mismatch(key, expected: "text", found: value.excerpt)
      return nil
    }
    return text.isEmpty ? nil : text
  }

  /// What other formats call a number ± its variance, times a factor.
  func value(_ name: String, _ variance: String, times factor: Double = 1) -> Value {
    let center = (number(name) ?? 0) * factor
    return Self.value(center, around: number(variance) ?? 0)
  }

  static func value(_ center: Double, around variance: Double) -> Value {
    let half = variance.magnitude
    return half == 0
      ? .constant((center + 0).rounded)
      : .range((center - half).rounded, (center + half).rounded)
  }

  // MARK: Findings

  /// Notes something about a key.
  func note(
    _ rule: Rule, _ name: String, _ detail: String, found: String? = nil,
    severity: Severity? = nil
  ) {
    let spelling = field(name)?.key.spelling ?? name
    diagnostics.append(
      Diagnostic(
        rule, at: .key(spelling.excerpt), detail, found: found, severity: severity))
  }

  /// Notes what is wrong with the image inside of the file.
  func note(_ fault: Diagnostic, _ name: String) {
    diagnostics.append(
      Diagnostic(
        .embeddedImage, at: .key(name), fault.rule == .embeddedImage ? fault.detail : fault.message,
        expected: fault.rule == .embeddedImage ? fault.expected : nil,
        found: fault.rule == .embeddedImage ? fault.found : nil))
  }

  private func mismatch(_ key: CocosKey, expected: String, found: String) {
    let finding = Diagnostic(
      .emitterValue, at: .key(key.spelling.excerpt), expected: expected, found: found)
    // A key may be asked for more than once.
    if !diagnostics.contains(finding) { diagnostics.append(finding) }
  }

  /// Notes every key that no property of ours is behind.
  func reportRest() {
    let rest = fields.filter { CocosProperty.byKey[$0.key] == nil && !$0.key.isComment }
    for (key, value) in rest.prefix(Self.findingsKept) {
      diagnostics.append(
        Diagnostic(
          .uninterpreted, at: .key(key.spelling.excerpt), found: value.excerpt))
    }
    if rest.count > Self.findingsKept {
      diagnostics.append(
        Diagnostic(
          .uninterpreted, "keys that are not listed", found: "\(rest.count - Self.findingsKept)"))
    }
  }

  /// Nobody reads more findings about one file.
  private static let findingsKept = 100
}

extension CocosValue {
  /// What messages show of the value.
  var excerpt: String {
    switch self {
    case .integer(let value): "\(value)"
    case .real(let value): shortText(value)
    case .text(let text): "'\(text.excerpt)'"
    case .flag(let flag): "\(flag)"
    case .other(let kind): kind
    }
  }
}
