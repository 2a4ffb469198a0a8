import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
import ParticlesTestSupport
import Testing

/// What happens to stores without a document, beyond the limits, and with damage.
@Suite("Care of the versions of all documents")
struct StoreCareTests {
  private let folder: LiveFolder
  private var store: VersionStore { VersionStore(dataFolder: folder.data) }
  private var base: String { "\(folder.data)/particles/versions" }
  private let day = 86_400.0

  init() throws { folder = try LiveFolder() }

  private func node(_ text: String, padding: Int = 0) -> FileNode {
    FileNode(
      regularFileWithContents: Array(text.utf8)
        + SampleTree.noise(padding, seed: UInt64(text.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })))
  }

  /// Writes a document and keeps versions of it.
  private func keep(_ name: String, _ texts: String..., padding: Int = 0) throws {
    try folder.write(texts.last ?? "", to: name)
    for text in texts {
      try store.add(node(text, padding: padding), of: folder.path(name), as: .saved)
    }
  }

  private func shelf(_ name: String) throws -> String {
    let resolved = try Files.resolve(folder.scratch.file("documents"))
    let digest = SHA256.digest("\(resolved)/\(name)".utf8).description
    return "\(base)/\(digest.prefix(32))"
  }

  private func count(_ name: String) throws -> Int {
    try store.versions(of: folder.path(name)).count
  }

  @Test("versions of documents that are gone are removed after 90 days; others stay")
  func gone() throws {
    for name in ["there", "gone", "deleted", "back"] { try keep(name, name, "\(name) 2") }
    for name in ["gone", "deleted", "back"] { try Files.removeAll(folder.path(name)) }
    try store.end(folder.path("deleted"))
    let now = WallClock.seconds
    // A document that another program has deleted is counted from the first look.
    #expect(try store.sweep(at: now).documents.isEmpty)
    #expect(try store.sweep(at: now + 89 * day).documents.isEmpty)
    try folder.write("back 2", to: "back")
    let removed = try store.sweep(at: now + 91 * day).documents
    #expect(Set(removed.map(Files.lastComponent)) == ["gone", "deleted"])
    #expect(try count("there") == 2 && count("back") == 2)
    #expect(try count("gone") == 0 && count("deleted") == 0)
    #expect(try Files.status(shelf("gone")) == nil)
    // Being away begins anew.
    try Files.removeAll(folder.path("back"))
    #expect(try store.sweep(at: now + 92 * day).documents.isEmpty)
    #expect(try count("back") == 2)
    let names = try Files.list(base).filter { $0.hasPrefix(".") }
    #expect(names.isEmpty)
  }

  @Test(
    "versions that another document has displaced are removed after 90 days, with their contents")
  func displaced() throws {
    try keep("a", "one", "two", padding: 100_000)
    try store.begin(folder.path("a"))
    #expect(try store.histories().map { $0.gone != nil } == [true])
    var short = store
    short.limits.goneSeconds = 10 * day
    #expect(try short.sweep(at: WallClock.seconds + 9 * day).documents.isEmpty)
    #expect(try short.sweep(at: WallClock.seconds + 11 * day).documents.count == 1)
    #expect(try store.histories().isEmpty)
    let pool = try Files.list("\(base)/objects").flatMap { try Files.list("\(base)/objects/\($0)") }
    #expect(pool.isEmpty)
  }

  @Test("beyond the total limit, the oldest versions of all documents are removed, gone ones first")
  func total() throws {
    // Each state is a file of 100 kB.
    try keep("old", "old 1", "old 2", "old 3", padding: 100_000)
    try keep("new", "new 1", "new 2", "new 3", padding: 100_000)
    try keep("gone", "gone 1", "gone 2", padding: 100_000)
    try Files.removeAll(folder.path("gone"))
    var small = store
    small.limits.totalBytes = 900_000
    #expect(try small.sweep().versions == 0)
    small.limits.totalBytes = 550_000
    let outcome = try small.sweep()
    #expect(outcome.versions == 3 && outcome.bytes <= 550_000, "\(outcome)")
    #expect(try count("gone") == 0 && count("old") == 2 && count("new") == 3)
    // The newest one of a document that is there stays.
    small.limits.totalBytes = 1
    #expect(try small.sweep().versions == 3)
    #expect(try count("old") == 1 && count("new") == 1)
    for name in ["old", "new"] { #expect(try store.verify(folder.path(name)).isEmpty) }
  }

  @Test("a version that is added enforces the limits, once a day")
  func daily() throws {
    try keep("a", "1")
    let stamp = "\(base)/swept"
    let first = try #require(try Files.status(stamp)).state
    try keep("gone", "1")
    try Files.removeAll(folder.path("gone"))
    try store.end(folder.path("gone"))
    var strict = store
    strict.limits.goneSeconds = -1
    try strict.add(node("2"), of: folder.path("a"), as: .saved)
    #expect(try Files.status(stamp)?.state == first && count("gone") == 1)
    _ = try Run.succeeding(try #require(Run.find("touch")), ["-d", "2 days ago", stamp])
    try strict.add(node("3"), of: folder.path("a"), as: .saved)
    #expect(try count("gone") == 0 && count("a") == 3)
    #expect(try #require(try Files.status(stamp)).state.modified > WallClock.seconds - 3600)
  }

  @Test("all documents are listed with what is kept of them")
  func histories() throws {
    try keep("a", "1", "2")
    try store.addEdit("Edit", of: folder.path("a"), from: node("1"), to: node("2"))
    try keep("b", "1")
    try Files.removeAll(folder.path("b"))
    let all = try store.histories()
    #expect(all.map { Files.lastComponent(of: $0.path ?? "") } == ["a", "b"])
    #expect(all.map(\.versions) == [2, 1] && all.map(\.edits) == [1, 0])
    #expect(all.map { $0.gone != nil } == [false, true])
    #expect(all.allSatisfy { $0.bytes > 100 && $0.faults.isEmpty })
  }

  // MARK: Damage

  /// The files of a store, relative to its folder.
  private static let parts = [
    "versions.jsonl", "undo.json", "document.json", "objects.pack", "lock", "objects/LARGE",
  ]

  /// Something that is no regular file.
  enum Intruder: String, CaseIterable { case pipe, folder, device, socket }

  @Test(
    "pipes, folders, devices and sockets in the place of files are reported, and never waited for",
    .needs("mkfifo", "python3"), arguments: parts, Intruder.allCases)
  func intruders(part: String, intruder: Intruder) throws {
    let path = folder.path("a")
    try keep("a", "1", "2")
    try store.add(node("large", padding: 100_000), of: path, as: .saved)
    try store.addEdit("Edit", of: path, from: node("1"), to: node("2"))
    let shelf = try shelf("a")
    var place = "\(shelf)/\(part)"
    if part == "objects/LARGE" {
      let first = try #require(try Files.list("\(shelf)/objects").first)
      let name = try #require(try Files.list("\(shelf)/objects/\(first)").first)
      place = "\(shelf)/objects/\(first)/\(name)"
    }
    let kept = "\(place).kept"
    try Files.rename(place, kept)
    switch intruder {
    case .pipe: _ = try Run.succeeding(try #require(Run.find("mkfifo")), [place])
    case .folder: try Files.makeDirectory(place)
    case .device: try Files.makeLink(place, to: "/dev/zero")
    case .socket:
      // The name of a socket is short.
      let bind = "import os,socket,sys; os.chdir(sys.argv[1]); socket.socket(1).bind(sys.argv[2])"
      _ = try Run.succeeding(
        try #require(Run.find("python3")),
        ["-c", bind, Files.folder(of: place), Files.lastComponent(of: place)])
    }
    let start = MonotonicClock.seconds
    var reports: [String] = []
    func attempt(_ body: () throws -> [Diagnostic]) {
      do { reports += try body().map(\.description) } catch { reports.append("\(error)") }
    }
    attempt { try store.verify(path) }
    attempt { try store.faults(of: path) }
    attempt {
      _ = try store.versions(of: path)
      return []
    }
    attempt {
      _ = try store.trail(of: path)
      return []
    }
    attempt {
      try store.add(node("large", padding: 100_000), of: path, as: .conflict)
      return []
    }
    attempt {
      try store.addEdit("Edit", of: path, from: node("2"), to: node("3"))
      return []
    }
    attempt {
      try store.prune(path)
      return []
    }
    attempt { try store.sweep(at: WallClock.seconds + 200 * day).diagnostics }
    attempt { try store.histories().flatMap(\.faults) }
    #expect(MonotonicClock.seconds - start < 20)
    // A record of the identity is written again.
    if part != "document.json" {
      #expect(reports.contains { $0.contains(Files.lastComponent(of: place)) }, "\(reports)")
    }
    // Nothing was lost meanwhile.
    try Files.removeAll(place)
    try Files.rename(kept, place)
    #expect(try store.verify(path).isEmpty)
    #expect(try store.versions(of: path).count >= 3)
    #expect(try store.contents(of: 1, of: path).regularFileContents() == Array("1".utf8))
  }

  @Test("nothing is removed while a list is damaged; a repair removes the damage")
  func damagedList() throws {
    let path = folder.path("a")
    try keep("a", "1", "2", "3", padding: 100_000)
    let list = "\(try shelf("a"))/versions.jsonl"
    let sound = try Files.read(list)
    let text = String(decoding: sound, as: UTF8.self)
    let damaged = text.replacing("\"number\":2", with: "\"number\":7")
    try SafeSave.file(list, replacing: true) { try $0.write(Array(damaged.utf8)) }
    #expect(try store.faults(of: path).map(\.rule) == [.fileStore])
    expectThrows(.fileStore) { try store.delete([1], of: path) }
    expectThrows(.fileStore) { try store.prune(path) }
    try Files.removeAll(folder.path("a"))
    for days in [200, 400] {
      let sweep = try store.sweep(at: WallClock.seconds + Double(days) * day)
      #expect(sweep.documents.isEmpty && sweep.diagnostics.count == (days > 200 ? 1 : 0))
    }
    try folder.write("3", to: "a")
    // Another version, and the damage is still there.
    try store.add(node("4"), of: path, as: .saved)
    #expect(try store.versions(of: path).map(\.number) == [1, 3, 4])
    let now = String(decoding: try Files.read(list), as: UTF8.self)
    let mended = now.replacing("\"number\":7", with: "\"number\":2")
    try SafeSave.file(list, replacing: true) { try $0.write(Array(mended.utf8)) }
    #expect(try store.verify(path).isEmpty)
    #expect(try store.versions(of: path).map(\.number) == [1, 2, 3, 4])
    #expect(try store.contents(of: 2, of: path).matchesContents(of: node("2", padding: 100_000)))

    try SafeSave.file(list, replacing: true) { try $0.write(Array(now.utf8)) }
    #expect(try store.repair(path).count == 1)
    #expect(try store.verify(path).isEmpty)
    #expect(try store.versions(of: path).map(\.number) == [1, 3, 4])
    #expect(try store.repair(path).isEmpty)
  }

  @Test("a list of edits that is damaged is reported, and not written over")
  func damagedTrail() throws {
    let path = folder.path("a")
    try keep("a", "1", "2")
    try store.addEdit("Edit", of: path, from: node("1"), to: node("2"))
    let trail = "\(try shelf("a"))/undo.json"
    let sound = try Files.read(trail)
    try SafeSave.file(trail, replacing: true) { try $0.write(Array(sound.dropLast(9))) }
    expectThrows(.fileStore) { try store.trail(of: path) }
    expectThrows(.fileStore) {
      try store.addEdit("More", of: path, from: node("2"), to: node("3"))
    }
    expectThrows(.fileStore) { try store.prune(path) }
    try SafeSave.file(trail, replacing: true) { try $0.write(sound) }
    #expect(try store.trail(of: path).undoNames == ["Edit"])
    try SafeSave.file(trail, replacing: true) { try $0.write([0x7B]) }
    #expect(try store.repair(path).map(\.rule) == [.fileStore])
    try store.addEdit("More", of: path, from: node("2"), to: node("3"))
    #expect(try store.trail(of: path).undoNames == ["More"])
  }

  @Test("a list of files that is damaged keeps everything, until it is repaired")
  func damagedListing() throws {
    let path = folder.path("a")
    try keep("a", "1", "2")
    let pack = "\(try shelf("a"))/objects.pack"
    let bytes = try Files.read(pack)
    // The second record is the list of files of the first version.
    let second = try #require(bytes.dropFirst(1).firstIndex(of: 0x89))
    var damaged = bytes
    damaged[second + 60] ^= 1
    try SafeSave.file(pack, replacing: true) { try $0.write(damaged) }
    #expect(try !store.verify(path).isEmpty)
    expectThrows(.fileStore) { try store.prune(path) }
    #expect(try Files.read(pack) == damaged)
    #expect(try store.repair(path).count == 1)
    #expect(try store.versions(of: path).map(\.number) == [2])
    #expect(try store.verify(path).isEmpty)
  }
}
