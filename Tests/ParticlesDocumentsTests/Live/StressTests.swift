import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// Many tasks at one document. `make tsan` runs this under the thread sanitizer.
@Suite("Stress")
struct StressTests {
  private let folder: LiveFolder

  init() throws { folder = try LiveFolder() }

  @Test("1,000 concurrent edits among saves, reads and reverts: none is lost")
  func edits() async throws {
    try Container(root: .emptyDirectory).write(to: folder.path("a"), as: .flat)
    var configuration = folder.quiet
    configuration.autosave = .inPlace(seconds: 0.005)
    configuration.keepsVersions = false
    configuration.isWatching = true
    configuration.timeout = 60
    let document = Document<FileTree>(path: folder.path("a"), configuration: configuration)
    try await document.open()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<1000 {
        group.addTask {
          let node = FileNode(regularFileWithContents: Array("\(number)".utf8))
          try await document.edit("Edit") {
            try $0.root.setFileNode(node, at: "\(number % 10)/\(number)")
          }
          if number.isMultiple(of: 50) { try await document.save() }
          if number.isMultiple(of: 70) { _ = try await document.content.root["3"] }
          if number.isMultiple(of: 90) { try await document.lookOutside() }
          if number.isMultiple(of: 200) { _ = await document.states }
        }
      }
      try await group.waitForAll()
    }
    #expect(await document.undoNames.count == 1000)
    try await document.close()
    let root = try Container(contentsOf: folder.path("a")).root
    for number in 0..<1000 { #expect(root["\(number % 10)/\(number)"] != nil) }
    #expect(try Container(contentsOf: folder.path("a")).verify().isEmpty)
  }

  @Test("reverts among edits and saves leave a state that was saved")
  func reverts() async throws {
    try folder.write("0", to: "a.txt")
    let document = folder.text("a.txt")
    try await document.open()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          // An edit during a revert is refused, and nothing else may fail.
          do {
            switch number % 4 {
            case 0: try await document.save()
            case 1: try await document.revert()
            default: try await document.append(",\(number)")
            }
          } catch Rule.fileBusy {
          } catch {
            Issue.record("\(error)")
          }
        }
      }
    }
    try await document.save()
    #expect(try await document.text == folder.read("a.txt"))
    #expect(await document.states == [])
    while try await document.undo() > 0 {}
    #expect(try await document.text == "0")
  }

  @Test("automatic saves come within their window, and none when there is nothing to save")
  func window() async throws {
    try folder.write("0", to: "a.txt")
    var configuration = folder.quiet
    configuration.autosave = .inPlace(seconds: 0.02)
    let document = folder.text("a.txt", configuration)
    try await document.open()
    try await document.event({ if case .saved(true) = $0 { true } else { false } }) {
      try await document.append("1")
    }
    #expect(try folder.read("a.txt") == "01")
    #expect(await document.states == [])
    let saved = try Files.status(folder.path("a.txt"))?.state
    try await document.autosave()
    try await document.save()
    #expect(try Files.status(folder.path("a.txt"))?.state == saved)
    // A continuous edit is saved while it goes on.
    let events = await document.events()
    for number in 0..<40 {
      try await document.append("\(number)")
      try await Task.sleep(nanoseconds: 5_000_000)
    }
    try await document.close()
    var count = 0
    for await event in events {
      if case .saved(true) = event { count += 1 }
      if case .closed = event { break }
    }
    #expect(count > 1)
  }

  @Test("progress rises and ends with 1, once")
  func progress() async throws {
    let noise = SampleTree.noise(3 << 20, seed: 4)
    let tree = try FileNode(directoryWithFileNodes: [
      "noise": FileNode(regularFileWithContents: noise)
    ])
    try Container(root: tree).write(to: folder.path("a"), as: .flat)
    let document = Document<FileTree>(path: folder.path("a"), configuration: folder.quiet)
    let events = await document.events()
    try await document.open()
    let other = SampleTree.noise(3 << 20, seed: 5)
    try await document.edit("Noise") {
      try $0.root.setFileNode(FileNode(regularFileWithContents: other), at: "noise")
    }
    try await document.save()
    try await document.close()
    var fractions: [DocumentProgress.Phase: [Double]] = [:]
    for await event in events {
      if case .progress(let progress) = event {
        fractions[progress.phase, default: []].append(progress.fraction)
      }
      if case .closed = event { break }
    }
    for (phase, fractions) in fractions {
      #expect(fractions == fractions.sorted(), "\(phase)")
      #expect(fractions.count { $0 == 1 } == 1 && fractions.last == 1, "\(phase)")
    }
    #expect(fractions.count == 2)
    #expect(try #require(fractions[.writing]).count > 2)
  }
}
