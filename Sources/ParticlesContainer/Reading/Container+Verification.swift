public import ParticlesCore

extension Container {
  /// Checks every byte of the flat package that this was opened from, or saved as last, and returns
  /// what is wrong, ``warnings`` included; ``warnings`` alone for anything else.
  /// - Throws: what ``ContainerReader/verify(_:work:)`` throws.
  public func verify(
    _ depth: ContainerReader.Depth = .full, work: WorkOptions = WorkOptions()
  ) throws -> [Diagnostic] {
    guard let reader else { return warnings }
    return try reader.verify(depth, work: work)
  }
}
