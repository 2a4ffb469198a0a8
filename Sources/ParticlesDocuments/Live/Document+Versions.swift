internal import ParticlesCore

extension Document {
  // MARK: Versions

  /// The versions that were kept, the oldest first.
  public func versions() async throws -> [DocumentVersion] { try await access.versionList() }

  /// Returns the contents of a version.
  /// - Throws: ``ParticlesCore/Rule/fileVersion`` if there is none, or if it is damaged.
  public func contents(of version: DocumentVersion) async throws -> Content {
    try await access.version(version.number)
  }

  /// Takes the contents of a version, as an edit that can be undone. The name of the document stays.
  public func restore(_ version: DocumentVersion) async throws {
    let content = try await access.version(version.number)
    endGestures()
    let old = try self.content
    if old != base { try await access.addVersion(of: old, as: .replaced) }
    try replace("Restore Version", with: content)
  }

  /// Deletes versions.
  public func delete(_ versions: [DocumentVersion]) async throws {
    try checkRole()
    try await access.deleteVersions(Set(versions.map(\.number)))
  }
}
