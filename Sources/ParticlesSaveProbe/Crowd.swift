import ParticlesContainer
import ParticlesCore
import ParticlesDocuments
internal import ParticlesPlatform

/// Many documents in a process that may have few descriptors.
///
///     ParticlesSaveProbe many <folder> <data folder> <documents> <descriptors>
///
/// Prints how many descriptors and threads there are when all of them are open, and `done` when all have been
/// edited, moved and saved.
enum Crowd {
  static func run(_ folder: String, data: String, count: Int, limit: Int) async throws {
    try Files.makeDirectories("\(folder)/sub")
    let image = FileNode(
      regularFileWithContents: (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) })
    let kinds = ["txt", "flat", "folder"]
    for number in 0..<count {
      let root = try FileNode(directoryWithFileNodes: [
        "state": FileNode(regularFileWithContents: Array("0".utf8)), "image": image,
      ])
      let path = "\(folder)/\(number).\(kinds[number % 3])"
      switch number % 3 {
      case 0: try Files.create(path, Array("0".utf8))
      case 1: try Container(root: root).write(to: path, as: .flat)
      default: try Container(root: root).write(to: path, as: .directory)
      }
    }
    var few = rlimit()
    getrlimit(.init(RLIMIT_NOFILE.rawValue), &few)
    few.rlim_cur = rlim_t(limit)
    setrlimit(.init(RLIMIT_NOFILE.rawValue), &few)
    var configuration = DocumentConfiguration(dataFolder: data)
    configuration.keepsVersions = false
    let documents = (0..<count).map {
      Document<FileTree>(path: "\(folder)/\($0).\(kinds[$0 % 3])", configuration: configuration)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for document in documents { group.addTask { try await document.open() } }
      try await group.waitForAll()
    }
    let descriptors = try Files.list("/proc/self/fd").count
    let threads = try Files.list("/proc/self/task").count
    print("\(descriptors) \(threads)")
    // Another program deletes one and moves others; contents that were not read yet are still there.
    for number in stride(from: 1, to: count, by: 10) {
      let name = "\(number).\(kinds[number % 3])"
      if number % 20 == 1 {
        try Files.removeAll("\(folder)/\(name)")
      } else {
        try Files.rename("\(folder)/\(name)", "\(folder)/sub/\(name)")
      }
    }
    for (number, document) in documents.enumerated() {
      if number % 10 == 1 {
        try await document.lookOutside()
        if number % 20 == 1 {
          guard await document.states.contains(.deleted) else { exit(3) }
        } else {
          guard document.path?.contains("/sub/") ?? false else { exit(4) }
        }
      }
      try await document.edit("Edit") { tree in
        let new = FileNode(regularFileWithContents: Array("1".utf8))
        if number % 3 == 0 { tree.root = new } else { try tree.root.setFileNode(new, at: "state") }
      }
      try await document.saveAnyway()
      guard let path = document.path else { exit(5) }
      let stored = number % 3 == 0 ? nil : try Container(contentsOf: path).root
      let state = try stored?["state"]?.regularFileContents() ?? Files.read(path)
      guard state == [UInt8(ascii: "1")] else { exit(6) }
      if let stored, stored["image"] != image { exit(7) }
    }
    print("done")
  }

  /// Uses up all descriptors, and opens documents then.
  ///
  ///     ParticlesSaveProbe exhaust <folder> <data folder> <documents> <descriptors>
  static func exhaust(_ folder: String, data: String, count: Int, limit: Int) async throws {
    try Files.makeDirectories(folder)
    for number in 0..<count { try Files.create("\(folder)/\(number)", Array("0".utf8)) }
    var few = rlimit()
    getrlimit(.init(RLIMIT_NOFILE.rawValue), &few)
    few.rlim_cur = rlim_t(limit)
    setrlimit(.init(RLIMIT_NOFILE.rawValue), &few)
    var open: [OpenFile] = []
    do {
      while open.count < 2 * limit { open.append(try OpenFile(reading: folder)) }
    } catch {
      print("\(error)")
    }
    var failed = 0
    for number in 0..<count {
      let document = Document<PlainText>(
        path: "\(folder)/\(number)", configuration: DocumentConfiguration(dataFolder: data))
      do {
        try await document.open()
        try await document.close()
      } catch {
        failed += 1
      }
    }
    print("\(failed) of \(count) failed")
    open = []
    let document = Document<PlainText>(
      path: "\(folder)/0", configuration: DocumentConfiguration(dataFolder: data))
    try await document.open()
    try await document.edit("Edit") { $0.text += "1" }
    try await document.close()
    print("done")
  }
}
