package import ParticlesCore

/// The rules for names, paths and links in a package (`Spec/container.md#names`).
package enum EntryPath {
  /// The most bytes of a name.
  package static let nameLimit = 255
  /// The most bytes of a path.
  package static let pathLimit = 4096

  static var slash: UInt8 { UInt8(ascii: "/") }

  /// Throws unless the bytes of a path keep every rule.
  /// - Parameters:
  ///   - start: the first byte to check. Earlier bytes belong to a path that was checked.
  ///   - nameStart: the offset of the name that contains `start` or ends there.
  /// - Returns: the offset of the last name.
  @discardableResult
  static func check(
    _ path: UnsafeBufferPointer<UInt8>, from start: Int = 0, nameStart: Int = 0, limits: Limits
  ) throws(Failure) -> Int {
    var nameStart = nameStart
    if let expected = expectation(for: path, from: start, &nameStart) {
      throw fault(Array(path), expected: expected)
    }
    // A short path cannot have too many components.
    if path.count >= 2 * limits.depth {
      let depth = path.count { $0 == slash } + 1
      try limits.check(depth, { $0.depth }, "components of a path")
    }
    return nameStart
  }

  /// Throws unless the bytes of a path keep every rule.
  package static func check(
    _ path: [UInt8], limits: Limits, at location: @autoclosure () -> Location = .unknown
  ) throws(Failure) {
    _ = try locating(location()) { () throws(Failure) in
      try path.withUnsafeBufferPointer { path throws(Failure) in try check(path, limits: limits) }
    }
  }

  /// Returns the path as text. Throws if its bytes break a rule.
  package static func validated(
    _ path: [UInt8], limits: Limits, at location: @autoclosure () -> Location
  ) throws(Failure) -> String {
    try check(path, limits: limits, at: location())
    return String(decoding: path, as: UTF8.self)
  }

  /// The fault of a path longer than ``pathLimit``.
  package static func tooLong(_ path: [UInt8]) -> Diagnostic {
    fault(path, expected: "at most \(pathLimit) bytes")
  }

  private static func fault(_ path: [UInt8], expected: String) -> Diagnostic {
    let shown = String(decoding: path.prefix(300), as: UTF8.self)
    return Diagnostic(.name, "'\(shown)'", expected: expected)
  }

  /// Throws unless `name` is a valid name in a directory of a package.
  package static func check(name: String) throws(Failure) {
    let bytes = Array(name.utf8)
    guard !bytes.contains(slash) else {
      throw Diagnostic(.name, "'\(name)'", expected: "no slash")
    }
    try check(bytes, limits: .standard)
  }

  /// Returns the rule that the bytes of a path break, as text, or nil if they keep all, and then `nameStart` is the
  /// offset of the last name.
  private static func expectation(
    for path: UnsafeBufferPointer<UInt8>, from start: Int, _ nameStart: inout Int
  ) -> String? {
    guard path.count <= pathLimit else { return "at most \(pathLimit) bytes" }
    // The start may be in the middle of a character.
    var isASCII = start == 0 || path[start - 1] < 0x80
    for index in start..<path.count {
      let byte = path[index]
      switch byte {
      case slash:
        if let expected = expectation(for: path, name: nameStart..<index) { return expected }
        nameStart = index + 1
      case UInt8(ascii: "\\"): return "no backslash"
      case 0x20..<0x7F: continue
      case 0x80...: isASCII = false
      default: return "no control characters"
      }
    }
    if let expected = expectation(for: path, name: nameStart..<path.count) { return expected }
    return isASCII ? nil : expectation(forText: path)
  }

  /// Returns the rule for a whole name that a name breaks, or nil if none.
  private static func expectation(
    for path: UnsafeBufferPointer<UInt8>, name: Range<Int>
  ) -> String? {
    if name.isEmpty { return "no empty component" }
    if name.count > nameLimit { return "components of at most \(nameLimit) bytes" }
    if name.count <= 2, path[name].allSatisfy({ $0 == UInt8(ascii: ".") }) {
      return "no '.' or '..' component"
    }
    return nil
  }

  /// Returns the rule for text that a path with bytes outside ASCII breaks, or nil if none.
  private static func expectation(forText path: UnsafeBufferPointer<UInt8>) -> String? {
    guard let text = String(validating: path, as: UTF8.self) else { return "UTF-8" }
    if text.unicodeScalars.contains(where: { $0.isControl }) { return "no control characters" }
    return UnicodeForms.isComposed(text) ? nil : "Unicode normalisation form C"
  }

  /// Whether `a` precedes `b`: bytes in ascending order, the slash below all others, so that a
  /// directory is followed by its contents.
  package static func precedes(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Bool {
    var rest = a.makeIterator()
    for other in b {
      guard let byte = rest.next() else { return true }
      if byte != other { return rank(byte) < rank(other) }
    }
    return false
  }

  static func rank(_ byte: UInt8) -> UInt8 { byte == slash ? 0 : byte }

  /// Throws if a link at `path` leads out of the package: if it is absolute or climbs above the root.
  /// Components `..` are allowed at the beginning only: after a name, which may be another link, the
  /// directory that `..` leads to is unknown.
  package static func check(link destination: String, from path: String) throws(Failure) {
    func fault(_ expected: String) -> Diagnostic {
      Diagnostic(.link, at: .entry(path), expected: expected, found: "'\(destination)'")
    }
    guard !destination.isEmpty, destination.utf8.count <= pathLimit else {
      throw fault("1 to \(pathLimit) bytes")
    }
    guard destination.utf8.first != slash else { throw fault("a relative path") }
    guard !destination.unicodeScalars.contains(where: { $0.isControl }), !destination.contains("\\")
    else { throw fault("no control characters and no backslash") }
    let components = destination.split(separator: "/").filter { $0 != "." }
    let climbs = components.prefix { $0 == ".." }.count
    guard climbs <= path.utf8.count(where: { $0 == slash }) else {
      throw fault("a path inside the package")
    }
    guard !components.dropFirst(climbs).contains("..") else {
      throw fault("'..' only at the beginning")
    }
  }

  /// The path without its last component. Empty for a child of the root.
  package static func parent(of path: String) -> Substring {
    lastSlash(of: path).map { path[..<$0] } ?? ""
  }

  /// The last component of a path.
  package static func name(of path: String) -> Substring {
    lastSlash(of: path).map { path[path.utf8.index(after: $0)...] } ?? path[...]
  }

  private static func lastSlash(of path: String) -> String.Index? {
    var path = path
    let offset = path.withUTF8 { $0.lastIndex(of: slash) }
    return offset.map { path.utf8.index(path.startIndex, offsetBy: $0) }
  }
}

/// Valid names that other systems change, reject or treat specially
/// (`Spec/container.md#portable-names`).
package enum PortableName {
  /// The names of devices of Windows, reserved with any extension.
  private static let devices: Set<String> = {
    let numbered = ["COM", "LPT"].flatMap { name in
      ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"].map { name + $0 }
    }
    return Set(numbered + ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"])
  }()

  /// The most bytes of a name of a device.
  private static let longestDevice = devices.lazy.map { $0.utf8.count }.max() ?? 0

  /// Returns why a name is not portable, or nil if it is.
  package static func fault(of name: some StringProtocol) -> String? {
    // As bytes, because packages have thousands of names and nearly all are plain.
    let bytes = Array(name.utf8)
    let forbidden = bytes.first { byte in
      switch UnicodeScalar(byte) {
      case ":", "*", "?", "<", ">", "|", "\"": true
      default: false
      }
    }
    if let forbidden { return "'\(UnicodeScalar(forbidden))' is not allowed on Windows" }
    if bytes.last == UInt8(ascii: ".") || bytes.last == UInt8(ascii: " ") {
      return "Windows removes a full stop or space at the end"
    }
    let base = bytes.prefix { $0 != UInt8(ascii: ".") }
    let stem = base[..<(base.lastIndex { $0 != UInt8(ascii: " ") }.map { $0 + 1 } ?? 0)]
    if stem.count <= longestDevice {
      let device = String(decoding: stem, as: UTF8.self).uppercased()
      if devices.contains(device) { return "\(device) is a device on Windows" }
    }
    guard bytes.contains(where: { $0 >= 0x80 }) else { return nil }
    if let scalar = name.unicodeScalars.first(where: { $0.properties.isDefaultIgnorableCodePoint })
    {
      return "the invisible character U+\(hex(scalar)); some file systems ignore it"
    }
    return nil
  }

  /// Returns why the target of a link is not portable, or nil if it is.
  package static func fault(ofLink target: String) -> String? {
    let components = target.split(separator: "/", omittingEmptySubsequences: false)
    if components.dropLast().contains("") { return "an empty component" }
    if !UnicodeForms.isComposed(target) { return "not in Unicode normalisation form C" }
    return components.lazy.filter { ![".", "..", ""].contains($0) }.compactMap(fault(of:)).first
  }

  private static func hex(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension FileNode {
  /// The most entries that are reported one by one.
  private static let mostReported = 20

  /// Returns a warning for each entry whose name or link target is not portable, and after 20 entries one for the rest.
  package func portabilityWarnings() -> [Diagnostic] {
    var warnings: [Diagnostic] = []
    var others: [String] = []
    forEachDescendant { name, path, node in
      var fault = PortableName.fault(of: name).map { "the name '\(name)'" + ": \($0)" }
      if let target = node.symbolicLinkDestination, fault == nil {
        fault = PortableName.fault(ofLink: target).map { "the link target '\(target)'" + ": \($0)" }
      }
      guard let fault else { return }
      if warnings.count < Self.mostReported {
        warnings.append(Diagnostic(.portable, at: .entry(path()), fault))
      } else {
        others.append(path())
      }
    }
    if let first = others.first {
      warnings.append(
        Diagnostic(.portable, at: .entry(first), "and \(others.count - 1) more entries"))
    }
    return warnings
  }
}

/// Unicode normalisation and case folding of names, both by Unicode 15.0 (`Spec/container.md#names`).
/// Characters of later versions are left as they are, so that all readers agree.
package enum UnicodeForms {
  /// Returns `text` in normalisation form C.
  package static func composed(_ text: String) -> String {
    // Text of scalars below U+0300 is composed.
    guard text.unicodeScalars.contains(where: { $0.value >= 0x300 }) else { return text }
    return mappingKnownText(of: text, UnicodeNormalization.composed)
  }

  /// Whether `text` is in normalisation form C.
  package static func isComposed(_ text: String) -> Bool {
    text.utf8.elementsEqual(composed(text).utf8)
  }

  /// Returns upper case, then lower case, then form C: equal for two names that a case-insensitive
  /// file system may treat as one.
  package static func folded(_ name: String) -> String {
    composed(mappingKnownText(of: name) { $0.uppercased().lowercased() })
  }

  /// Applies `change` to the parts of a text between characters that Unicode 15.0 does not have.
  private static func mappingKnownText(of text: String, _ change: (String) -> String) -> String {
    guard text.unicodeScalars.contains(where: isLater) else { return change(text) }
    var result = ""
    var known = ""
    for scalar in text.unicodeScalars {
      if isLater(scalar) {
        result += change(known)
        result.unicodeScalars.append(scalar)
        known = ""
      } else {
        known.unicodeScalars.append(scalar)
      }
    }
    return result + change(known)
  }

  private static func isLater(_ scalar: Unicode.Scalar) -> Bool {
    // All characters below have been there since Unicode 6.
    guard scalar.value >= 0x800 else { return false }
    guard let age = scalar.properties.age else { return true }
    return (age.major, age.minor) > (15, 0)
  }
}
