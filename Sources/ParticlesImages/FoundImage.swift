/// An image file.
public struct FoundImage: Sendable {
  /// The name of its file, without folders.
  public var name: String

  /// Its bytes.
  public var bytes: [UInt8]

  /// Pixels per point, if an asset catalogue states it.
  public var scale: Int?

  /// Creates an image.
  public init(name: String, bytes: [UInt8], scale: Int? = nil) {
    self.name = name
    self.bytes = bytes
    self.scale = scale
  }

  /// Returns the last component of a reference. Both `/` and `\` separate components.
  public static func baseName(of reference: String) -> String {
    let component = reference.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    return reference.hasPrefix("file:") ? removingPercentEncoding(component) : component
  }

  private static func removingPercentEncoding(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        rest.removeFirst(2)
        bytes.append(code)
      } else {
        bytes.append(byte)
      }
    }
    let decoded = String(decoding: bytes, as: UTF8.self)
    return decoded.contains("/") || decoded.contains("\\") ? text : decoded
  }
}
