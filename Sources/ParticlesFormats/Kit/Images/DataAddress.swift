internal import ParticlesCore
internal import ParticlesImages

/// An address that holds an image, and does not name one: `data:image/png;base64,…` (RFC 2397).
struct DataAddress {
  /// The usual extension of files of its type, with its point: `.png`.
  let ending: String
  /// The bytes; nil if they are not in base64.
  let bytes: [UInt8]?

  init?(_ address: String) {
    guard address.utf8.starts(with: "data:".utf8), let comma = address.utf8.firstIndex(of: 0x2C)
    else { return nil }
    let head = address[..<comma].lowercased()
    let type = head.dropFirst("data:image/".count).prefix { $0.isASCII && $0.isLetter }
    ending = !head.hasPrefix("data:image/") || type.isEmpty ? ".png" : ".\(type.prefix(8))"
    bytes =
      head.hasSuffix(";base64")
      ? try? [UInt8](base64: String(address[address.index(after: comma)...]), rule: .embeddedImage)
      : nil
  }
}

extension TreeSprite {
  /// Takes the image out of an address that holds it. The next name, if there is one, is that of the
  /// image.
  mutating func takeData() {
    guard let data = references.first.flatMap(DataAddress.init) else { return }
    var name = references.dropFirst().first.map(ImageFinder.baseName) ?? ""
    if name.isEmpty { name = "image" }
    if ImportedImage.ending(of: name).isEmpty { name += data.ending }
    references = [name]
    inside = data.bytes.map { FoundImage(name: name, bytes: $0) }
  }
}
