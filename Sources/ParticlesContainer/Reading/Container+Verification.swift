public import ParticlesCore

extension Container {
  /// Checks every byte of the flat package that this was opened from or last saved as, and returns
  /// all findings, ``warnings`` included. For a directory or a package made in memory, returns
  /// ``warnings`` alone.
  /// - Throws: the errors of ``ContainerReader/verify(_:work:)``.
  public func verify(
    _ depth: ContainerReader.Depth = .full, work: WorkOptions = WorkOptions()
  ) throws -> [Diagnostic] {
    try verify(depth, earlier: .error, work: work)
  }

  /// Checks as ``verify(_:work:)`` does.
  /// - Parameter earlier: the severity of faults in the index of earlier generations, which no reader needs;
  ///   nil to leave them out.
  package func verify(
    _ depth: ContainerReader.Depth = .full, earlier: Diagnostic.Severity?,
    work: WorkOptions = WorkOptions()
  ) throws -> [Diagnostic] {
    guard let reader else { return warnings }
    return try reader.verify(depth, earlier: earlier, work: work)
  }
}
