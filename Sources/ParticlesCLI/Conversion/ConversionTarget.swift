internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesFormats

/// What the results of a conversion are to be.
enum ConversionTarget: Sendable {
  /// Packages in one of the forms.
  case package(Container.Form)
  /// Archives of all files in a package.
  case archive(ParticleFormat)
  /// Effects in another format.
  case effect(ParticleFormat)

  /// Takes the options at their word; where they leave it open, the name of the result tells.
  init(_ invocation: Invocation, named output: String?) throws {
    let kind = output.map(Files.pathExtension) ?? ""
    let format =
      if let name = invocation.value(.to) {
        ParticleFormat.named(name)
      } else {
        try Self.format(extension: kind)
      }
    guard let format else {
      self = .package(invocation.form ?? .flat)
      return
    }
    guard invocation.form == nil else {
      throw UsageError("'--form' is for packages, and the result is a \(format.title)")
    }
    guard format.name != "tar" || !["gz", "tgz"].contains(kind) else {
      throw UsageError(
        "compressed tar archives are only read", hint: "write a .tar, and compress it with gzip")
    }
    self = format.isArchive ? .archive(format) : .effect(format)
  }

  /// The format whose files have an extension; nil for packages and what nobody knows.
  private static func format(extension kind: String) throws -> ParticleFormat? {
    guard kind != "particles" else { return nil }
    let known = ParticleFormat.all.filter { $0.extensions.contains(kind) }
    let writable = known.filter(\.canWrite)
    if writable.count > 1 {
      throw UsageError(
        "several formats have the extension .\(kind)",
        hint: "say which with --to: \(writable.map(\.name).joined(separator: ", "))")
    }
    if writable.isEmpty, let format = known.first {
      throw UsageError("files of the format '\(format.name)' are only read")
    }
    return writable.first
  }

  /// The extension of the results.
  var pathExtension: String {
    switch self {
    case .package: "particles"
    case .archive(let format), .effect(let format): format.extensions.first ?? format.name
    }
  }
}
