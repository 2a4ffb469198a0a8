public import ParticlesCore

extension Container {
  /// Checks every byte of the flat package that this was opened from, or saved as last, and returns
  /// what is wrong, ``warnings`` included; ``warnings`` alone for anything else.
  /// - Throws: what ``ContainerReader/verify(_:options:)`` throws.
  public func verify(
    _ depth: ContainerReader.Depth = .full, options: WorkOptions = WorkOptions()
  ) throws -> [Diagnostic] {
    guard let reader = opened?.reader ?? reader else { return warnings }
    return try reader.verify(depth, options: options)
  }
}
