package import ParticlesCore

/// Valid names that other systems change, reject or treat specially
/// (`Spec/container.md#portable-names`).
package enum PortableName {
  /// The names of devices of Windows, which are reserved with any extension.
  private static let devices: Set<String> = {
    let numbered = ["COM", "LPT"].flatMap { name in
      ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"].map { name + $0 }
    }
    return Set(numbered + ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"])
  }()

  /// The most bytes of a name of a device.
  private static let longestDevice = devices.lazy.map(\.utf8.count).max() ?? 0

  /// Returns why a name is not portable; nil if it is.
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
    if let scalar = name.unicodeScalars.first(where: \.properties.isDefaultIgnorableCodePoint) {
      return "the invisible character U+\(hex(scalar)); some file systems ignore it"
    }
    return nil
  }

  /// Returns why the target of a link is not portable; nil if it is.
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

  /// Returns a warning for each entry whose name or link target is not portable; after 20 of them, one
  /// for the rest.
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
