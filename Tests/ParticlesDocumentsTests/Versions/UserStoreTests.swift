import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDatabase
import ParticlesSystem
import ParticlesTestSupport
import Testing

@testable import ParticlesDocuments

/// The database itself: sizes, damage, and what else may be at its path.
@Suite("The store of the user")
struct UserStoreTests {
  private let folder: LiveFolder
  private var path: String { folder.path("a") }
  private var store: VersionStore { VersionStore(dataFolder: folder.data) }
  private var database: String { "\(folder.data)/particles/store.sqlite" }

  init() throws { folder = try LiveFolder() }

  private func tree(_ number: Int, image: Int = 60_000) throws -> FileNode {
    try FileNode(directoryWithFileNodes: [
      "document.json": FileNode(regularFileWithContents: Array("state \(number)\n".utf8)),
      "empty": FileNode(regularFileWithContents: []),
      "image": FileNode(
        regularFileWithContents: SampleTree.noise(image, seed: 1), isExecutable: true),
    ])
  }

  private func expectAll(_ count: Int) throws {
    let numbers = try store.versions(of: path).map(\.number)
    #expect(numbers == Array(1...count))
    for number in numbers {
      let contents = try store.contents(of: number, of: path)
      #expect(try contents.matchesContents(of: tree(number)), "\(number)")
    }
  }

  @Test("hundreds of states of a small effect are in three files, and need little room")
  func few() throws {
    // One connection, as a program has it for an open document.
    let store = store
    for number in 1...331 { try store.add(try tree(number), of: path, as: .saved) }
    #expect(
      try Files.list("\(folder.data)/particles").filter { $0.hasPrefix("store") }.count <= 3)
    #expect(try store.verify(path).isEmpty)
    try expectAll(331)
    // The image once, and less than 1.5 kB for each state.
    #expect(try store.contentStore.room() < 60_000 + 331 * 1500)
  }

  @Test("contents larger than a piece are kept, read in ranges, and removed")
  func large() throws {
    let bytes = SampleTree.noise(3_000_000, seed: 9)
    let node = FileNode(regularFileWithContents: bytes)
    try store.add(node, of: path, as: .saved)
    let read = try #require(try store.contents(of: 1, of: path).contents)
    for range in [0..<10, 262_000..<263_000, 2_999_990..<3_000_000, 0..<3_000_000] {
      #expect(try read.bytes(in: range) == Array(bytes[range]))
    }
    #expect(try store.verify(path).isEmpty)
    // Another document takes these contents, too.
    try store.add(node, of: folder.path("b"), as: .saved)
    #expect(try store.contentStore.room() < 3_300_000)
    try store.delete([1], of: path)
    #expect(try store.verify(folder.path("b")).isEmpty)
    try store.store.write { try $0.run("DELETE FROM pieces WHERE id % 16777216 = 3") }
    #expect(try !store.verify(folder.path("b")).isEmpty)
    // Damaged ones are stored again, for all.
    try store.add(node, of: folder.path("c"), as: .saved)
    for name in ["b", "c"] { #expect(try store.verify(folder.path(name)).isEmpty) }
  }

  @Test("the log of the database stays when it is closed, and is used again")
  func log() throws {
    for number in 1...3 {
      // The store is closed after each round.
      try store.add(try tree(number), of: path, as: .saved)
      #expect(try Files.status("\(database)-wal")?.kind == .file)
    }
    try expectAll(3)
  }

  @Test("an open document has the contents of a version after its deletion")
  func held() throws {
    let large = FileNode(regularFileWithContents: SampleTree.noise(700_000, seed: 9))
    try store.add(large, of: path, as: .saved)
    try store.add(tree(2), of: path, as: .saved)
    let held = try [1, 2].map { try store.contents(of: $0, of: path) }
    try store.add(tree(3), of: path, as: .saved)
    try store.delete([1, 2], of: path)
    #expect(try store.versions(of: path).map(\.number) == [3])
    #expect(try held[0].matchesContents(of: large))
    #expect(try held[1].matchesContents(of: tree(2)))
    try store.sweep()
    #expect(try held[0].matchesContents(of: large))
    // As if this program had ended.
    try store.store.write { try $0.run("UPDATE holds SET program = '1-gone'") }
    try store.sweep()
    #expect(try store.store.read { try $0.integer("SELECT count(*) FROM pieces") } == 0)
  }

  @Test("nothing is read or made before something is kept")
  func lazy() throws {
    let store = store
    #expect(try store.versions(of: path).isEmpty && store.trail(of: path).undoNames.isEmpty)
    #expect(try store.histories().isEmpty && store.verify(path).isEmpty && store.prune(path) == 0)
    try store.begin(path)
    try store.end(path)
    #expect(try RecoveryStore(dataFolder: folder.data).entries().isEmpty)
    #expect(try Files.status(folder.data) == nil)
  }

  /// Something that is no regular file.
  enum Intruder: String, CaseIterable { case pipe, folder, device, socket }

  @Test(
    "pipes, folders, devices and sockets in the place of the database are reported, never waited for",
    .needs("mkfifo", "python3"), arguments: Intruder.allCases)
  func intruders(intruder: Intruder) throws {
    try Files.makeDirectories(Files.folder(of: database))
    switch intruder {
    case .pipe: _ = try Run.succeeding(try #require(Run.find("mkfifo")), [database])
    case .folder: try Files.makeDirectory(database)
    case .device: try Files.makeLink(database, to: "/dev/zero")
    case .socket:
      // The name of a socket is short.
      let bind = "import os,socket,sys; os.chdir(sys.argv[1]); socket.socket(1).bind(sys.argv[2])"
      _ = try Run.succeeding(
        try #require(Run.find("python3")),
        ["-c", bind, Files.folder(of: database), Files.lastComponent(of: database)])
    }
    for attempt in [
      { try store.add(tree(1), of: path, as: .saved) != nil },
      { try !store.versions(of: path).isEmpty },
      { try store.noteEdit("Edit", of: path, from: tree(1), to: tree(2)).isReplaced },
      { try store.sweep().bytes > 0 },
    ] {
      let fault = #expect(throws: Diagnostic.self) { try attempt() }
      #expect(fault?.location.file == database, "\(fault?.description ?? "")")
    }
    #expect(try Files.status(database) != nil)
  }

  @Test("a database of a later version, and one of another program, are left alone")
  func others() throws {
    try store.add(tree(1), of: path, as: .saved)
    for (name, own) in [
      ("user_version", UserTables.version), ("application_id", UserTables.application),
    ] {
      try folder.database.run("PRAGMA \(name) = 99")
      let later = store
      // Also by a program that goes on with it.
      for _ in 0..<2 {
        let fault = expectThrows(.fileStore) { try later.add(tree(2), of: path, as: .saved) }
        #expect(fault?.hint != nil)
      }
      #expect(try folder.database.integer("PRAGMA \(name)") == 99)
      try folder.database.run("PRAGMA \(name) = \(own)")
    }
    try expectAll(1)
  }

  @Test("a database with one damaged page is set aside, or read; the next call goes on")
  func damagedPages() throws {
    for number in 1...20 { try store.add(try tree(number, image: 3000), of: path, as: .saved) }
    try store.store.write { try $0.run("DELETE FROM states") }
    _ = try store.store.read { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    let bytes = try Files.read(database)
    let size = 4096
    let pages = bytes.count / size
    #expect(pages > 15)
    var aside = 0
    for page in 0..<pages {
      let data = folder.scratch.file("damaged-\(page)")
      let copy = "\(data)/particles/store.sqlite"
      try Files.makeDirectories("\(data)/particles")
      var damaged = bytes
      for index in page * size..<(page + 1) * size {
        damaged[index] = UInt8(truncatingIfNeeded: index &* 31)
      }
      try Files.create(copy, damaged)
      let store = VersionStore(dataFolder: data)
      // Damage is reported, or not touched. Then everything works.
      var faults: [Diagnostic] = []
      for attempt in 0..<2 {
        do {
          _ = try store.verify(path)
          try store.add(tree(100 + attempt), of: path, as: .saved)
          try store.noteEdit("Edit", of: path, from: tree(1), to: tree(2)).takeBack()
          try store.sweep()
        } catch let fault as Diagnostic {
          faults.append(fault)
        }
      }
      let left = try Files.list("\(data)/particles").filter { $0.contains(".damaged-") }
      if left.contains(where: { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }) {
        aside += 1
        #expect(faults.contains { $0.description.contains("set aside") }, "\(page): \(faults)")
        #expect(try store.versions(of: path).count >= 1, "\(page): \(faults)")
      }
      #expect(faults.allSatisfy { [.fileStore, .fileVersion].contains($0.rule) }, "\(faults)")
      try Files.removeAll(data)
    }
    #expect(aside > 3, "\(aside) of \(pages)")
  }

  @Test("a file that is no database, and an empty one")
  func noDatabase() throws {
    try Files.makeDirectories(Files.folder(of: database))
    try Files.create(database, [])
    try store.add(tree(1), of: path, as: .saved)
    try expectAll(1)
    let other = folder.scratch.file("other")
    try Files.makeDirectories("\(other)/particles")
    try Files.create("\(other)/particles/store.sqlite", Array(repeating: 65, count: 5000))
    let store = VersionStore(dataFolder: other)
    let fault = expectThrows(.fileStore) { try store.add(tree(1), of: path, as: .saved) }
    #expect(fault?.description.contains("set aside as store.sqlite.damaged-") == true)
    #expect(try store.add(tree(1), of: path, as: .saved) != nil)
  }

  @Test("a store whose folder is protected is read", .needs("chmod"))
  func protected() throws {
    try store.add(tree(1), of: path, as: .saved)
    _ = try store.store.read { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    let copy = folder.scratch.file("protected")
    try Files.makeDirectories("\(copy)/particles")
    try Files.create("\(copy)/particles/store.sqlite", Files.read(database))
    _ = try Run.succeeding(try #require(Run.find("chmod")), ["-R", "a-w", copy])
    defer { _ = try? Run.succeeding(Run.find("chmod") ?? "", ["-R", "u+w", copy]) }
    let store = VersionStore(dataFolder: copy)
    #expect(try store.versions(of: path).count == 1)
    #expect(try store.contents(of: 1, of: path).matchesContents(of: tree(1)))
    // The administrator may write everywhere.
    guard !Files.canCreate(in: "\(copy)/particles") else { return }
    #expect(throws: Diagnostic.self) { try store.add(tree(2), of: path, as: .saved) }
    #expect(try Files.list("\(copy)/particles") == ["store.sqlite"])
  }

  @Test("a folder that is removed while the store is open is made again")
  func removed() throws {
    let store = store
    try store.add(tree(1), of: path, as: .saved)
    try Files.removeAll(folder.data)
    #expect(try store.versions(of: path).isEmpty)
    try store.add(tree(2), of: path, as: .saved)
    #expect(try store.versions(of: path).count == 1)
  }

  @Test("nobody else may read the database")
  func mode() throws {
    try store.add(tree(1), of: path, as: .saved)
    for name in try Files.list("\(folder.data)/particles") where name.hasPrefix("store") {
      let status = try #require(try Files.status("\(folder.data)/particles/\(name)"))
      #expect(status.mode & 0o077 == 0, "\(name)")
    }
  }

  @Test("versions of one document that several threads keep are all there")
  func together() async throws {
    let (data, path) = (folder.data, path)
    let trees = try (0..<120).map { try tree($0) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          // Threads that may wait, and connections of their own.
          try await BackgroundWork().run {
            let store = VersionStore(dataFolder: data + String(repeating: "/.", count: worker))
            for number in 0..<30 {
              let tree = trees[worker * 30 + number]
              _ = try store.add(tree, of: path, as: .conflict)
              _ = try store.addEdit("Edit", of: path, from: trees[0], to: tree)
              if number % 10 == 9 { _ = try store.prune(path) }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.versions(of: path).map(\.number) == Array(1...120))
    #expect(try store.verify(path).isEmpty)
    #expect(try store.trail(of: path).undoNames.count == RecentEdits.maximumCount)
  }
}
