internal import ParticlesCore

/// The checkout that the tests are part of.
package enum Repository {
  /// Its folder: the next one above this file with a manifest in it.
  package static let root: String = {
    var folder = Files.folder(of: #filePath)
    while folder != "/", folder != ".", !isRoot(folder) { folder = Files.folder(of: folder) }
    return folder
  }()

  private static func isRoot(_ folder: String) -> Bool {
    (try? Files.status("\(folder)/Package.swift")) != nil
  }

  /// The path of a fixture.
  package static func fixture(_ name: String) -> String { "\(root)/Fixtures/\(name)" }
}
