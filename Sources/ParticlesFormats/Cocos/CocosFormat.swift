internal import ParticlesCore
internal import ParticlesPropertyLists

extension ParticleFormat {
  /// Property lists of cocos2d, which Particle Designer made first.
  public static let cocos2d = ParticleFormat(
    name: "cocos2d", title: "cocos2d particle system", extensions: ["plist"],
    recognise: { bytes, _ in isCocosPropertyList(bytes) },
    abilities: .cocos2d,
    decode: { bytes, context in
      try CocosDecoder<CocosPropertyList>(context: context, dialect: .cocos2d).decode(bytes)
    },
    encode: { system, context in
      try CocosEncoder<CocosPropertyList>(context: context, dialect: .cocos2d).encode(system)
    })

  /// The same as JSON, for Solar2D and others.
  public static let particleDesigner = ParticleFormat(
    name: "particle-designer", title: "Particle Designer JSON", extensions: ["json"],
    recognise: { bytes, _ in
      bytes.beginsWithText("{") && bytes.contains("\"maxParticles\"")
        && bytes.contains("\"particleLifespan\"")
    },
    abilities: .cocos2d,
    decode: { bytes, context in
      try CocosDecoder<CocosJSON>(context: context, dialect: .particleDesigner).decode(bytes)
    },
    encode: { system, context in
      try CocosEncoder<CocosJSON>(context: context, dialect: .particleDesigner).encode(system)
    })

  private static func isCocosPropertyList(_ bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: BinaryPropertyList.signature) else {
      return bytes.beginsWithText("<") && bytes.contains("<plist") && bytes.contains("axParticles")
    }
    guard let list = try? BinaryPropertyList(bytes) else { return false }
    return list.value(of: "maxParticles", in: list.root) != nil
  }
}

extension [UInt8] {
  /// Whether this is text that begins so, behind a byte order mark and white space.
  func beginsWithText(_ beginning: String) -> Bool {
    let text = starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self[...]
    return text.drop { $0 <= 0x20 }.starts(with: beginning.utf8)
  }

  /// Whether some text stands anywhere in these bytes.
  func contains(_ text: String) -> Bool {
    let text = Array(text.utf8)
    guard let first = text.first else { return true }
    return withUnsafeBufferPointer { bytes in
      var index = 0
      while index + text.count <= bytes.count {
        if bytes[index] == first, bytes[index...].starts(with: text) { return true }
        index += 1
      }
      return false
    }
  }
}
