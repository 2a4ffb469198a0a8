import Foundation
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesDocuments
@testable import ParticlesEffects

/// A document that is watched without being opened.
@Suite("Watched documents") struct WatcherTests {
  private let folder: LiveFolder

  init() throws { folder = try LiveFolder() }

  /// How a document is changed after it was renamed.
  enum Change: CaseIterable { case replaced, appended }

  /// Calls `body` until the watcher has done something.
  private func wait(until isDone: () -> Bool) -> Bool {
    let deadline = Deadline(seconds: 120)
    while !isDone(), !deadline.isOver { Thread.sleep(forTimeInterval: 0.005) }
    return isDone()
  }

  @Test(
    "a document is followed through renames, and its changes there are noticed",
    arguments: Container.Form.allCases, Change.allCases)
  func renamed(form: Container.Form, change: Change) throws {
    let paths = ["a", "b", "sub/c"].map(folder.path)
    try Files.makeDirectory(folder.path("sub"))
    try folder.fire().container.write(to: paths[0], as: form)
    let watcher = try DocumentWatcher(paths[0])
    let changes = Lock(0)
    Thread {
      while (try? watcher.wait()) == true { changes.withLock { $0 += 1 } }
    }.start()
    for (number, path) in paths.dropFirst().enumerated() {
      try Files.rename(watcher.path, path)
      // A rename is no change, and a change before it was noticed could be one of another document.
      #expect(wait { watcher.path == path })
      #expect(changes.withLock(\.self) == number)
      try save(seed: number + 1, at: path, by: change)
      #expect(wait { changes.withLock(\.self) == number + 1 }, "\(form) \(change) \(number)")
    }
    // The folders of a package that was replaced as a whole are watched, too.
    try save(seed: 77, at: paths[2], by: .appended)
    #expect(wait { changes.withLock(\.self) == 3 })
    try Files.removeAll(paths[2])
  }

  private func save(seed: Int, at path: String, by change: Change) throws {
    var package = EffectPackage(try Container(contentsOf: path))
    let form = package.container.form ?? .flat
    try package.apply("seed=\(seed)")
    switch (form, change) {
    case (.flat, .appended): _ = try package.container.save(mode: .append)
    case (.flat, .replaced): _ = try package.container.save(mode: .replace)
    case (.directory, .replaced):
      try package.container.save(to: path, as: form, replacing: true)
    case (.directory, .appended):
      let bytes = try package.document()
      try SafeSave.file("\(path)/document.json", replacing: true) { try $0.write(bytes) }
    }
  }
}
