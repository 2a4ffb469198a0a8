import Particles
import ParticlesContainer
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// A way to save the document `fire`, in the real program.
struct FaultScenario: Sendable, CustomTestStringConvertible {
  var name: String
  var program = "particles"
  var arguments: [String]
  var always: String?
  /// Puts into the folder what stands there before.
  var prepare: @Sendable (_ folder: String) throws -> Void

  var testDescription: String { name }

  static let document = "fire"

  static let all = [
    FaultScenario(
      name: "a flat package that is replaced",
      arguments: ["convert", "other", "-o", document, "--form", "flat", "--force"]
    ) { try flat($0) },
    FaultScenario(
      name: "a package where there was none",
      arguments: ["convert", "other", "-o", document, "--form", "flat"]
    ) { _ in },
    FaultScenario(
      name: "a directory where there was none",
      arguments: ["convert", "other", "-o", document, "--form", "directory"]
    ) { _ in },
    FaultScenario(
      name: "a save in place that appends", program: "ParticlesSaveProbe",
      arguments: [document, "append", "Notes/b", "new"]
    ) { try flat($0) },
    FaultScenario(
      name: "one behind an unfinished one", program: "ParticlesSaveProbe",
      arguments: [document, "append", "Notes/b", "new"]
    ) { folder in
      let path = "\(folder)/\(document)"
      try flat(folder)
      let file = try OpenFile(updating: path)
      try [UInt8]("TREE, and then".utf8).withUnsafeBytes {
        try file.write($0, at: try #require(try Files.status(path)).size)
      }
    },
    FaultScenario(
      name: "a save in place that replaces", program: "ParticlesSaveProbe",
      arguments: [document, "replace", "Notes/b", "new"]
    ) { try flat($0) },
    FaultScenario(name: "a package that is compacted", arguments: ["compact", document]) {
      try flat($0)
      var package = try Container(contentsOf: "\($0)/\(document)")
      try package.root.setFileNode(FileNode(regularFileWithContents: [1]), at: "Notes/a")
      try package.save(mode: .append)
    },
    FaultScenario(
      name: "a directory that is exchanged",
      arguments: ["convert", "other", "-o", document, "--form", "directory", "--force"]
    ) { try tree().write(toDirectory: "\($0)/\(document)", synchronizing: false) },
    FaultScenario(
      name: "a directory that is exchanged for what arrives", program: "ParticlesSaveProbe",
      arguments: [document, "unpack", "other"]
    ) { try tree().write(toDirectory: "\($0)/\(document)", synchronizing: false) },
    FaultScenario(
      name: "a file of a directory that is replaced", program: "ParticlesSaveProbe",
      arguments: [document, "append", "Notes/a", "new"]
    ) { try tree().write(toDirectory: "\($0)/\(document)", synchronizing: false) },
    FaultScenario(
      name: "a directory that steps aside, where the system cannot swap",
      arguments: ["convert", "other", "-o", document, "--form", "directory", "--force"],
      always: "renameat2:error=EINVAL"
    ) { try tree().write(toDirectory: "\($0)/\(document)", synchronizing: false) },
  ]

  private static func tree(_ text: String = "old") throws -> FileNode {
    var tree = try #require(EffectTemplate.named("sparks")).package().container.root
    try tree.setFileNode(FileNode(regularFileWithContents: Array(text.utf8)), at: "Notes/a")
    try tree.setFileNode(FileNode(symbolicLinkWithDestination: "a"), at: "Notes/link")
    return tree
  }

  private static func flat(_ folder: String) throws {
    try Container(root: try tree()).write(to: "\(folder)/\(document)", as: .flat)
  }

  /// A fresh folder with what stands there before, and `other`, the source of conversions.
  func stage(_ scratch: Scratch, _ name: String) throws -> FaultStage {
    let folder = scratch.file(name)
    try Files.makeDirectory(folder)
    let other = try Container(root: try Self.tree("other")).encoded()
    try Files.create("\(folder)/other", other)
    try prepare(folder)
    return FaultStage(scenario: self, folder: folder)
  }
}

/// A folder in which a scenario is played.
struct FaultStage {
  var scenario: FaultScenario
  var folder: String

  var injection: FaultInjection {
    FaultInjection(
      Run.built(scenario.program), scenario.arguments, in: folder, always: scenario.always)
  }

  /// The digest of the document, nil if there is none. A damaged document throws.
  func digest() throws -> ContentDigest? {
    let path = "\(folder)/\(FaultScenario.document)"
    do {
      let package = try Container(contentsOf: path)
      if package.form == .flat {
        let faults = try ContainerReader(.file(path)).verify()
        #expect(faults.allSatisfy { $0.rule == .torn })
      }
      return try package.root.treeDigest()
    } catch Rule.fileNotFound {
      return nil
    }
  }

  func names() throws -> [String] { try Files.list(folder) }

  /// What killed saves left, by name.
  func leftovers() throws -> [String] {
    try SafeSave.leftovers(of: "\(folder)/\(FaultScenario.document)").map(Files.lastComponent)
  }

  /// Saves once more, with nothing injected.
  func saveAgain() throws -> Run {
    var arguments = scenario.arguments
    // New files may be there by now.
    if arguments[0] == "convert", !arguments.contains("--force") { arguments.append("--force") }
    return try Run(Run.built(scenario.program), arguments, in: folder)
  }
}
