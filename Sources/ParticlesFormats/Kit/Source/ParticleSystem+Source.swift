internal import ParticlesCore
internal import ParticlesModel

extension ParticleSystem {
  /// Keeps what the file of an import contained, so that nothing is lost that the model has no
  /// property for.
  /// - Parameters:
  ///   - format: the name of the format.
  ///   - details: what else is to be known of the file.
  ///   - bag: its keys and values with their types.
  mutating func keepSource(
    _ bytes: [UInt8], of format: String, _ context: DecodingContext, _ details: JSONObject = [:],
    bag: JSONValue
  ) {
    var source: JSONObject = [
      "format": .string(format), "file": .string(Imported.sourcePath(of: context.fileName)),
      "sha256": .string(SHA256.digest(bytes).description),
    ]
    for member in details.members { source[member.key] = member.value }
    source["bag"] = bag
    extensionsUsed = [Self.sourceExtension]
    extensions[Self.sourceExtension] = .object(source)
  }
}
