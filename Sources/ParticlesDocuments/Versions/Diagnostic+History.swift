package import ParticlesCore

extension Diagnostic {
  /// A warning that something is missing in the history of a document, for an error of the store.
  /// - Parameters:
  ///   - path: the path of the document.
  ///   - effect: the part that is missing.
  ///   - error: why.
  package static func history(of path: String, _ effect: String, _ error: any Error) -> Diagnostic {
    let cause = error as? Diagnostic
    return Diagnostic(
      .fileHistory, at: Location(file: path), "\(effect): \(cause?.description ?? "\(error)")",
      hint: cause?.hint)
  }
}
