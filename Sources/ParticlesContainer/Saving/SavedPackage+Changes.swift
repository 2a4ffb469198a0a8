internal import ParticlesCore

extension SavedPackage {
  /// Throws unless the file or directory at the path is the one that was opened, in the same state,
  /// and its version may be changed. Metadata of operating systems in a directory does not count, nor
  /// does another time of a file whose contents are remembered and the same.
  /// - Returns: the directory as it is now; nil for a file.
  func checkUnchanged() throws -> FileNode? {
    let state = state
    guard let reader = state.reader else {
      let now = try FileNode(readingDirectory: path, limits: .none)
      try state.root.checkUnchanged(now, in: path, at: "")
      return now
    }
    let now = try ByteSource.file(path)
    let status = try now.file?.status().state
    // Time stamps may be too coarse to tell two saves apart, so the footer is compared, too.
    guard now.size >= reader.footer.end,
      try now.bytes(at: reader.footer.position, count: Layout.footerSize) == reader.footer.encode(),
      try status == state.file || isTouched(now, status, since: state)
    else { throw Diagnostic(.fileChanged, at: Location(file: path)) }
    let version = try now.bytes(at: 0, count: Layout.headerSize)[Layout.signature.count + 1]
    guard version <= Layout.versionToWrite else {
      throw Diagnostic(
        .containerVersion, at: Location(file: path, position: .offset(Layout.signature.count + 1)),
        "the package can be read, but not changed",
        expected: "version \(Layout.versionToWrite) or less",
        found: "version \(version)")
    }
    return nil
  }

  /// Whether a file that has another time has the remembered contents.
  private func isTouched(_ now: ByteSource, _ status: FileState?, since old: State) throws -> Bool {
    guard let remembered, let status, let file = old.file, status.isSameFile(as: file),
      now.size == remembered.end, try FrameSum(now, to: now.size) == remembered
    else { return false }
    self.state.file = status
    return true
  }

  /// Remembers the contents of the package: another time of a file is no change then.
  func remember() throws {
    let state = state
    if let reader = state.reader {
      // Read from the open file, which may have been written in place since it was opened.
      let sum = try FrameSum(reader.source, to: reader.footer.end)
      guard try reader.source.file?.status().state == state.file else { return }
      remembered = sum
    } else {
      remembersFiles = true
      try state.root.rememberFiles()
    }
  }

  /// Remembers the contents after a save, if they were remembered before it.
  func rememberAgain() {
    let state = state
    do {
      if remembersFiles { try state.root.rememberFiles() }
      guard let old = remembered, let reader = state.reader else { return }
      let isAppended = old.source === reader.source.file && old.end <= reader.footer.end
      remembered = nil
      remembered = try FrameSum(reader.source, to: reader.footer.end, from: isAppended ? old : nil)
    } catch {
      // Another program may be writing to it, which the next save reports.
      remembered = nil
    }
  }
}

/// The checksums of all frames of a flat package, made into one. Two files with the same sum have the same
/// contents.
struct FrameSum: Sendable, Equatable {
  /// The size of the part that it covers.
  private(set) var end = Layout.headerSize
  private var sum: UInt32 = 0
  /// The file that it was made of.
  fileprivate private(set) var source: OpenFile?

  static func == (a: FrameSum, b: FrameSum) -> Bool { a.end == b.end && a.sum == b.sum }

  /// - Parameter start: the sum of the beginning of the same file; nil if there is none.
  init(_ source: ByteSource, to size: Int, from start: FrameSum? = nil) throws {
    if let start { self = start }
    self.source = source.file
    while end < size {
      let bytes = try source.bytes(at: end, count: Layout.frameHeaderSize)
      sum = CRC32.checksum(bytes, seed: sum)
      end += try FrameHeader(bytes, at: end).frameLength
    }
  }
}

extension FileNode {
  /// Throws unless `now`, which was just read from a folder, has the state that this was read in.
  fileprivate func checkUnchanged(_ now: FileNode, in folder: String, at path: String) throws {
    func fault(_ detail: String? = nil, at path: String) -> Diagnostic {
      Diagnostic(.fileChanged, at: Location(file: folder, entry: path), detail)
    }
    switch (storage, now.storage) {
    case (.directory(let old), .directory(let new)):
      for child in old.children {
        let childPath = Files.joined(path, child.name)
        guard let now = new[child.name] else {
          if SystemFiles.isMetadata(child.name) { continue }
          throw fault("it is gone", at: childPath)
        }
        try child.node.checkUnchanged(now, in: folder, at: childPath)
      }
      for child in new.children
      where old[child.name] == nil && !SystemFiles.isMetadata(child.name) {
        throw fault("it is new", at: Files.joined(path, child.name))
      }
    case (.link(let old), .link(let new)):
      guard old == new else { throw fault(at: path) }
    case (.file(let old, let wasExecutable), .file(let new, let isExecutable)):
      guard wasExecutable == isExecutable else { throw fault(at: path) }
      guard old.foundFile?.state != new.foundFile?.state else { return }
      if SystemFiles.isMetadata(EntryPath.name(of: path)) { return }
      guard let old = old.foundFile, let new = new.foundFile, try old.adoptIfEqual(new) else {
        throw fault(at: path)
      }
    default: throw fault(at: path)
    }
  }

  /// Remembers the contents of all files of the file system below this node.
  fileprivate func rememberFiles() throws {
    try forEachDescendant { _, _, node in try node.contents?.foundFile?.remember() }
  }

  /// This tree with the metadata of operating systems that is in another one.
  fileprivate func addingMetadata(below other: FileNode, _ result: inout FileNode, at path: String)
    throws
  {
    for child in other.children ?? [] {
      let childPath = Files.joined(path, child.name)
      if SystemFiles.isMetadata(child.name) {
        if result[childPath] == nil { try result.setFileNode(child.node, at: childPath) }
      } else if child.node.isDirectory, result[childPath]?.isDirectory == true {
        try addingMetadata(below: child.node, &result, at: childPath)
      }
    }
  }

  func addingMetadata(of other: FileNode) throws -> FileNode {
    var result = self
    try addingMetadata(below: other, &result, at: "")
    return result
  }
}

extension Container {
  /// Remembers the contents of the package at its path, so that a later save does not take another time of
  /// a file, as `touch` leaves it, for a change by another program. Reads the heads of all frames, or all
  /// files of a directory.
  package func rememberContents() throws { try saved?.remember() }
}
