internal import ParticlesCore

/// References of Unity's files to others: `guid:` and the 32 digits that the `.meta` file beside the other one states.
package enum UnityMeta {
  package static let mark = "guid:"

  /// The identifier in a reference, or nil for a reference of another kind.
  package static func guid(in reference: String) -> String? {
    guard reference.hasPrefix(mark) else { return nil }
    let guid = reference.dropFirst(mark.count)
    let isHexadecimal = guid.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
    }
    return guid.utf8.count == 32 && isHexadecimal ? String(guid) : nil
  }

  /// The identifier that a `.meta` file states, or nil for another file.
  package static func guid(ofMeta bytes: [UInt8]) -> String? {
    let lines = String(decoding: bytes.prefix(1024), as: UTF8.self).split(
      whereSeparator: { $0.isNewline })
    guard let line = lines.first(where: { $0.hasPrefix("guid: ") }) else { return nil }
    return guid(in: mark + line.dropFirst(6).lowercased())
  }
}
