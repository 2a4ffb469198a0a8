internal import ParticlesCore

extension PNG {
  /// Bytes of the longest text that is read.
  private static let longestText = 4 << 10

  /// Returns the texts (`tEXt`) before the image data, by keyword; the first one of each.
  ///
  /// Damaged chunks, and what follows them, are left out. Pixels are not decoded.
  package static func texts(of bytes: [UInt8]) -> [String: String] { scan(bytes).texts }

  /// Returns the same of the first bytes of a file; nil if they end before the image data.
  package static func texts(ofStart bytes: [UInt8]) -> [String: String]? {
    let found = scan(bytes)
    return found.isComplete ? found.texts : nil
  }

  /// - Returns: the texts, and whether the image data follows them.
  private static func scan(_ bytes: [UInt8]) -> (texts: [String: String], isComplete: Bool) {
    var (texts, isComplete): ([String: String], Bool) = ([:], false)
    guard bytes.starts(with: signature) else { return (texts, false) }
    var reader = ByteReader(bytes, rule: .image)
    func next(_ reader: inout ByteReader) throws -> (name: String, content: ArraySlice<UInt8>)? {
      guard !reader.isAtEnd else { return nil }
      let length = Int(try reader.bigEndian(4))
      let start = reader.position
      let name = String(decoding: try reader.read(4), as: UTF8.self)
      guard name != "IDAT" else {
        isComplete = true
        return nil
      }
      try reader.seek(to: start + 4 + length)
      let checksum = try reader.bigEndian(4)
      let content = bytes[start + 4..<start + 4 + length]
      guard name == "tEXt", length <= longestText else { return (name, []) }
      return CRC32.checksum(bytes[start..<start + 4 + length]) == checksum ? (name, content) : nil
    }
    do {
      _ = try reader.read(signature.count)
      while let chunk = try next(&reader) {
        guard let end = chunk.content.firstIndex(of: 0) else { continue }
        // Latin-1, as the format requires.
        func text(_ bytes: ArraySlice<UInt8>) -> String {
          String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
        let key = text(chunk.content[..<end])
        if texts[key] == nil { texts[key] = text(chunk.content[(end + 1)...]) }
      }
    } catch {}
    return (texts, isComplete)
  }

  /// Returns the width and height that the header states; nil for other files.
  package static func size(of bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.starts(with: signature) else { return nil }
    var reader = ByteReader(bytes, rule: .image)
    // Signature, length and name of the header.
    guard (try? reader.read(16)) != nil, let width = try? reader.bigEndian(4),
      let height = try? reader.bigEndian(4), width > 0, height > 0
    else { return nil }
    return (Int(width), Int(height))
  }

  /// Returns a PNG with texts after its header.
  /// - Parameters:
  ///   - texts: keywords and values in ASCII.
  ///   - bytes: a file that ``encode(_:)`` returned.
  package static func adding(_ texts: [(key: String, value: String)], to bytes: [UInt8]) -> [UInt8]
  {
    // Signature (8 bytes) and header (25 bytes).
    let end = 33
    let chunks = texts.flatMap {
      PNGChunks.chunk("tEXt", Array($0.key.utf8) + [0] + Array($0.value.utf8))
    }
    return bytes[..<end] + chunks + bytes[end...]
  }
}
