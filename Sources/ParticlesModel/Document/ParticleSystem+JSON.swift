public import ParticlesCore

extension ParticleSystem {
  /// Reads a document.
  /// - Throws: a ``ParticlesCore/Diagnostic`` of ``ParticlesCore/Rule/type``, or of
  ///   ``ParticlesCore/Rule/documentVersion`` if the document was written for a newer version or
  ///   needs an extension.
  public init(json: JSONValue) throws(Diagnostic) {
    try Self.checkVersion(json)
    try self.init(object: json, at: .root)
  }

  /// Parses and reads a document.
  /// - Throws: what ``init(json:)`` throws, and a ``ParticlesCore/Diagnostic`` of
  ///   ``ParticlesCore/Rule/json`` or ``ParticlesCore/Rule/limit``.
  public init(decoding bytes: [UInt8], limits: Limits = .standard) throws(Diagnostic) {
    try self.init(json: JSONParser.parse(bytes, limits: limits), limits: limits)
  }

  /// Reads a document whose size is limited.
  package init(json: JSONValue, limits: Limits) throws(Diagnostic) {
    try limits.checkEmitters(json.object?["emitters"]?.array?.count ?? 0, at: .key("emitters"))
    try self.init(json: json)
  }

  /// Serialises the document to the bytes of `document.json`. Equal documents give equal bytes.
  public func encoded() -> [UInt8] { json.bytes }

  /// Rejects a document of a newer version before anything else is read: types of properties may
  /// have changed.
  private static func checkVersion(_ json: JSONValue) throws(Diagnostic) {
    guard let object = json.object else { return }
    if let asset = object["asset"]?.object {
      let path = JSONPath.root.appending("asset")
      if let version = asset["version"]?.string {
        let (major, _) = try parse(version, at: path.appending("version"))
        guard major <= known.major else {
          throw newer(version, at: path.appending("version"))
        }
      }
      if let least = asset["minVersion"]?.string {
        let version = try parse(least, at: path.appending("minVersion"))
        guard version <= known else { throw newer(least, at: path.appending("minVersion")) }
      }
    }
    if let name = object["extensionsRequired"]?.array?.first?.string {
      throw Diagnostic(
        .documentVersion, at: JSONPath.root.appending("extensionsRequired").appending(0).location,
        "it requires an unsupported extension", found: "'\(name)'")
    }
  }

  private static let known = (major: 1, minor: 0)

  private static func newer(_ version: String, at path: JSONPath) -> Diagnostic {
    Diagnostic(
      .documentVersion, at: path.location, expected: "at most \(Self.version)",
      found: "'\(version)'")
  }

  private static func parse(_ version: String, at path: JSONPath) throws(Diagnostic) -> (Int, Int) {
    var (numbers, isNumber, isVersion) = ([0], false, true)
    for byte in version.utf8 {
      if (0x30...0x39).contains(byte) {
        // A number that does not fit is a newer version.
        let (tens, isLarge) = numbers[numbers.count - 1].multipliedReportingOverflow(by: 10)
        let (sum, isLarger) = tens.addingReportingOverflow(Int(byte - 0x30))
        numbers[numbers.count - 1] = isLarge || isLarger ? .max : sum
        isNumber = true
      } else {
        isVersion = isVersion && isNumber && byte == UInt8(ascii: ".")
        numbers.append(0)
        isNumber = false
      }
    }
    guard numbers.count == 2, isNumber, isVersion else {
      throw JSONValue.string(version).mismatch("a version such as \"1.0\"", at: path)
    }
    return (numbers[0], numbers[1])
  }
}
