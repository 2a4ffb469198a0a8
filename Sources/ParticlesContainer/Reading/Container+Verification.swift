public import ParticlesCore

extension Container {
  /// Checks every byte of the flat package that this was opened from or last saved as, and returns
  /// all findings, ``warnings`` included. For a directory or a package made in memory, returns
  /// ``warnings`` alone.
  /// - Throws: the errors of ``ContainerReader/verify(_:work:)``.
  public func verify(
    _ depth: ContainerReader.Depth = .full, work: WorkOptions = WorkOptions()
  ) throws -> [Diagnostic] {
    guard let reader else { return warnings }
    return try reader.verify(depth, work: work)
  }
}
