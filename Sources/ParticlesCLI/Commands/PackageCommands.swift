internal import ParticlesEffects
package import ParticlesContainer
internal import ParticlesPackages
package import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesImages
internal import ParticlesSystem

extension Command {
  static let pack = Command(
    name: "pack", group: .packages,
    summary: "Pack a folder into a flat package.",
    discussion: """
      Contents, executable bits, empty folders and symbolic links are kept. Equal trees always result in equal \
      bytes. A flat package is packed again.

      Files of operating systems (.DS_Store, ._*, Thumbs.db, desktop.ini, __MACOSX) and folders of \
      version control (.git, .hg, .svn) are left out of a folder unless --all is given.
      """,
    arguments: [Argument(.folder("dir"), "The folder.")],
    options: [.output, .level, .all, .force, .json],
    examples: [
      Example("particles pack fire -o fire.particles", "Pack a folder."),
      Example(
        "particles pack fire -o fire.particles --level best", "Spend more time for a smaller file."),
    ],
    run: { invocation in
      let output = try invocation.requiredOutput()
      try invocation.check(placeOfPackage: output, as: .flat)
      let folder = try invocation.argument("dir")
      var container = try invocation.container(at: folder, scope: .everyFrame)
      var removed: [String] = []
      if !invocation.flag(.all), try Files.status(folder)?.kind == .directory {
        removed = container.root.removeSystemFiles()
        if let first = removed.first {
          let others = removed.count > 1 ? " and \(removed.count - 1) more" : ""
          invocation.console.inform(
            "left out \(first)\(others), which belong to the operating system or version control")
        }
      }
      invocation.note(
        container.root.portabilityWarnings().map { $0.inside(Location(file: folder)) })
      let level = invocation.value(.level).flatMap(CompressionLevel.init) ?? .standard
      let size =
        try invocation.save(
          container, to: output, as: .flat, options: PackingOptions(level: level)) ?? 0
      var files = 0
      container.root.forEachDescendant { files += $2.isRegularFile ? 1 : 0 }
      try invocation.printWritten(
        [
          "source": .string(folder), "path": .string(output), "size": .int(size),
          "excluded": .array(removed.map { .string($0) }),
        ], files: files)
      invocation.console.inform("packed \(files.of("file")) into \(output) (\(size.bytesText))")
      return .done
    })
}

extension Option {
  fileprivate static let all = Option(
    "all", "Include files of operating systems and version control.")
  fileprivate static let level = Option(
    "level", value: .choice("level", CompressionLevel.allCases.map(\.rawValue)),
    default: "standard", "The effort spent on compression.")
}

extension Command {
  static let unpack = Command(
    name: "unpack", group: .packages,
    summary: "Unpack a package into a new folder.",
    discussion: """
      The folder is created completely or not at all. Nothing is written outside this folder, even if \
      the package is malicious. A package on standard input is unpacked while it arrives.

      With --recover, unpacks the intact parts of a damaged package and lists the missing parts. The status is then \
      1. Of a damaged block, images in PNG are kept whose own checksums are right.
      """,
    arguments: [Argument(.file("file"), "A package, or - for standard input.")],
    options: [.output, .recover, .force, .json],
    examples: [
      Example("particles unpack fire.particles -o fire", "Unpack into a new folder."),
      Example(
        "particles unpack --recover damaged.particles -o rest",
        "Unpack the intact parts of a damaged package."),
    ],
    run: { invocation in
      guard let output = invocation.value(.output), output != Invocation.standardStream else {
        throw UsageError("missing option '--output' with the name of a folder")
      }
      let file = try invocation.argument("file")
      var status = ExitStatus.done
      var files = 0
      let replacing = invocation.flag(.force)
      if invocation.flag(.recover) {
        let container = try recover(file, invocation, &status)
        try container.root.write(toDirectory: output, replacing: replacing, synchronizing: false)
        files = container.files.count
      } else if file == Invocation.standardStream {
        files = try Container.unpack(
          name: file, toDirectory: output, replacing: replacing, synchronizing: false,
          warn: { invocation.note([$0]) }, read: invocation.console.input.readPiece)
      } else if let reader = try invocation.flatPackage(at: file, scope: .everyFrame) {
        files = try reader.unpack(toDirectory: output, replacing: replacing, synchronizing: false)
      } else {
        let container = try invocation.container(at: file)
        try container.root.write(toDirectory: output, replacing: replacing, synchronizing: false)
        files = container.files.count
      }
      try invocation.printWritten(["source": .string(file), "path": .string(output)], files: files)
      invocation.console.inform("unpacked \(files.of("file")) into \(output)")
      return status
    })

  private static func recover(
    _ file: String, _ invocation: Invocation, _ status: inout ExitStatus
  ) throws -> Container {
    guard file != Invocation.standardStream else {
      throw UsageError(
        "--recover needs a file, not standard input", hint: "save the input to a file")
    }
    // Images in PNG have checksums of their own.
    let recovery = try Recovery(.file(file)) { PNGChunks.areSound(in: $1) }
    for var diagnostic in recovery.diagnostics {
      if diagnostic.rule.family == "container" {
        diagnostic.hint = "everything that is not reported as lost was recovered"
      }
      invocation.note([diagnostic])
    }
    if !recovery.diagnostics.isEmpty { status = .answerNo }
    return Container(root: recovery.root)
  }
}

extension Option {
  fileprivate static let recover = Option(
    "recover", "Unpack the intact parts of a damaged package.")
}

extension Command {
  /// Lists the entries of a package.
  static let list = Command(
    name: "list", group: .packages,
    summary: "List the entries of a package.",
    discussion: """
      Prints one path on each line, in the order of the package. Directories end in a slash. With --long, each line \
      begins with the kind (d directory, - file, x executable file, l symbolic link) and the size in bytes.
      """,
    arguments: [Argument(.file("file"), "A package, or - for standard input.")],
    options: [.long, .json],
    examples: [
      Example("particles list fire.particles", "List the paths."),
      Example("particles list --long fire.particles", "List kinds and sizes, too."),
    ],
    run: { invocation in
      let path = try invocation.argument("file")
      if !invocation.flag(.json), !invocation.flag(.long),
        let reader = try invocation.flatPackage(at: path)
      {
        // Paths come from the index, so that listing a large package is fast.
        try reader.list { try invocation.console.write($0) }
        return .done
      }
      let container = try invocation.container(at: path, scope: .lastGeneration)
      if try invocation.answer(["entries": .array(container.entries.map(\.json))]) {
        return .done
      }
      if invocation.flag(.long) {
        var table = Table(.left, .right, .left)
        for entry in container.entries {
          let arrow = entry.node.symbolicLinkDestination.map { " -> \($0)" } ?? ""
          table.add(
            entry.node.kindLetter, entry.node.contents.map { "\($0.size)" } ?? "",
            entry.path + arrow)
        }
        try invocation.console.write(table.text)
      } else {
        let lines = container.entries.map {
          $0.path.escapingControls + ($0.node.isDirectory ? "/" : "") + "\n"
        }
        try invocation.console.write(lines.joined())
      }
      return .done
    })
}

extension ContainerReader {
  /// Passes on the paths, one on each line, in pieces that fit into a pipe. Paths in a valid index have
  /// no control characters. An error in the tree may be thrown after some paths were passed on.
  fileprivate func list(_ write: ([UInt8]) throws -> Void) throws {
    let piece = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 60 << 10)
    defer { piece.deallocate() }
    var count = 0
    try forEachEntry { entry in
      let path = entry.path
      if count + path.count + 2 > piece.count {
        try write(Array(piece[..<count]))
        count = 0
      }
      count = piece[count...].update(fromContentsOf: path)
      if entry.code == Entry.Kind.directory.code {
        piece[count] = UInt8(ascii: "/")
        count += 1
      }
      piece[count] = UInt8(ascii: "\n")
      count += 1
    }
    try write(Array(piece[..<count]))
  }
}

extension Option {
  fileprivate static let long = Option("long", short: "l", "Show kinds and sizes.")
}

/// An entry in a list of a package.
package struct ListedEntry: Sendable {
  package var path: String
  package var node: FileNode

  package var json: JSONValue {
    var object: JSONObject = ["path": .string(path), "kind": .string(node.kind.rawValue)]
    object["size"] = (node.contents?.size).map(JSONValue.int)
    object["executable"] = node.isExecutable ? .bool(true) : nil
    object["target"] = node.symbolicLinkDestination.map(JSONValue.string)
    return .object(object)
  }
}

extension Container {
  /// All entries in the order of the package.
  package var entries: [ListedEntry] {
    var entries: [ListedEntry] = []
    root.forEachDescendant { entries.append(ListedEntry(path: $0, node: $1)) }
    return entries
  }

  package var files: [ListedEntry] { entries.filter(\.node.isRegularFile) }
}

extension FileNode {
  fileprivate var kindLetter: String {
    if isDirectory { return "d" }
    if isSymbolicLink { return "l" }
    return isExecutable ? "x" : "-"
  }
}

extension Command {
  /// Extracts entries of a package.
  static let extract = Command(
    name: "extract", group: .packages,
    summary: "Extract files from a package.",
    discussion: """
      Without --output, writes the contents of one file to standard output. With it, writes the entries below a \
      folder, which may exist, each at its path in the package. A directory includes its contents. Without entries, \
      extracts all entries.
      """,
    arguments: [
      Argument(.file("file"), "A package, or - for standard input."),
      Argument(.lookup("entry", .entries), arity: .any, "The path of an entry."),
    ],
    options: [.output, .force, .json],
    examples: [
      Example("particles extract fire.particles document.json", "Print the document."),
      Example("particles extract fire.particles Images -o pictures", "Extract all images."),
    ],
    run: { invocation in
      let file = try invocation.argument("file")
      let paths = invocation.arguments("entry").map { path in
        path.split(separator: "/").joined(separator: "/")
      }
      let output = invocation.value(.output).flatMap { $0 == Invocation.standardStream ? nil : $0 }
      if output == nil { try invocation.checkStandardOutput() }
      if paths.count == 1, output == nil,
        let reader = try invocation.flatPackage(at: file)
      {
        // One file is found in the index without reading the rest of the package.
        guard let entry = try reader.entry(paths[0]) else { throw noEntry(paths[0], in: file) }
        guard entry.isFile else { throw oneFile }
        try invocation.console.write(reader.contents(of: entry))
        return .done
      }
      // All entries are what 'unpack' writes.
      let container = try invocation.container(
        at: file, scope: paths.isEmpty ? .everyFrame : .allGenerations)
      let chosen = try paths.map { path in
        guard let node = container.root[path], !path.isEmpty else {
          throw noEntry(path, in: file)
        }
        return (path, node)
      }
      if let folder = output {
        var tree = paths.isEmpty ? container.root : .emptyDirectory
        for (path, node) in chosen { try tree.setFileNode(node, at: path) }
        try tree.extract(into: folder, replacing: invocation.flag(.force))
        let files = Container(root: tree).files.count
        try invocation.printWritten(
          ["source": .string(file), "path": .string(folder)], files: files)
        invocation.console.inform("extracted \(files.of("file")) to \(folder)")
        return .done
      }
      guard chosen.count == 1, let contents = chosen[0].1.contents else { throw oneFile }
      try invocation.console.write(contents)
      return .done
    })

  private static func noEntry(_ path: String, in file: String) -> Diagnostic {
    Diagnostic(.noEntry, at: Location(file: file, entry: path))
  }

  private static var oneFile: UsageError {
    UsageError(
      "only one file can be written to standard output", hint: "name a folder with --output")
  }

  /// Prints tree digests.
  static let digest = Command(
    name: "digest", group: .packages,
    summary: "Print the tree digest of packages.",
    discussion: """
      Two packages have equal digests if and only if they contain equal trees of files. Form, compression and \
      program that wrote them do not matter.
      """,
    arguments: [
      Argument(.file("file"), arity: .oneOrMore, "A package, or - for standard input.")
    ],
    options: [.json],
    examples: [
      Example("particles digest fire.particles fire", "Compare a package with a folder.")
    ],
    run: { invocation in
      var rows: [JSONValue] = []
      let status = try invocation.forEach(invocation.arguments("file")) { path in
        let digest = try locating(Location(file: path)) {
          try invocation.container(at: path, scope: .everyFrame).root.treeDigest()
        }
        rows.append(["path": .string(path), "digest": .string(digest.description)])
        if !invocation.flag(.json) { try invocation.console.print("\(digest)  \(path)") }
        return .done
      }
      try invocation.answer(["files": .array(rows)])
      return status
    })

  /// Checks the bytes of packages.
  static let verify = Command(
    name: "verify", group: .packages,
    summary: "Check every byte of flat packages.",
    discussion: """
      Checks only the package, not its contents: checksums, lengths, order, names, and that \
      every block can be decompressed. Checks what the file still has of earlier saves, too, \
      which other commands ignore. 'validate' also checks the effect.
      """,
    arguments: [
      Argument(.file("file"), arity: .oneOrMore, "A flat package, or - for standard input.")
    ],
    options: [.quick, .json],
    examples: [
      Example("particles verify fire.particles", "Check a package."),
      Example("particles verify --quick fire.particles", "Check without decompressing."),
    ],
    run: { invocation in
      var report = Report()
      var status = try invocation.forEach(invocation.arguments("file")) { path in
        var file = Report.File(path: path, kind: "flat package")
        do {
          let source =
            try path == Invocation.standardStream
            ? ByteSource.bytes(invocation.console.input.read(.standard), name: path) : .file(path)
          file.diagnostics = try invocation.namingOtherFiles(path) {
            try ContainerReader(source).verify(invocation.flag(.quick) ? .quick : .full)
          }
        } catch let fault as Diagnostic where !["file", "limit"].contains(fault.rule.family) {
          file.diagnostics = [fault.inside(Location(file: path))]
        }
        report.files.append(file)
        if !invocation.flag(.json) { try file.diagnostics.forEach(invocation.console.print) }
        if let hint = file.diagnostics.first(where: { $0.rule == .signature })?.toolHint {
          invocation.console.inform("  hint: \(hint)")
        }
        return .done
      }
      if report.count(.error) > 0 { status = max(status, .answerNo) }
      if invocation.flag(.json) { try invocation.print(report.json) }
      invocation.console.inform(
        "\(report.files.count.of("package")): \(report.count(.error).of("error"))")
      return status
    })

  /// Rewrites packages without superseded data.
  static let compact = Command(
    name: "compact", group: .packages,
    summary: "Remove superseded data left by in-place saves.",
    discussion: """
      Writes each package again without superseded data and replaces the old file when the new \
      one is complete. Compact a package before you give it away: until then it contains the \
      data that was replaced or removed.
      """,
    arguments: [Argument(.file("file"), arity: .oneOrMore, "A flat package.")],
    options: [.json],
    examples: [Example("particles compact fire.particles", "Compact a package.")],
    run: { invocation in
      var files: [JSONValue] = []
      let status = try invocation.forEach(invocation.arguments("file")) { path in
        // A damaged package must not become an apparently sound package.
        var container = try invocation.namingOtherFiles(path) {
          try Container(contentsOf: path, scope: .everyFrame)
        }
        guard container.form == .flat else { throw UsageError("'\(path)' is not a flat package") }
        let before = try Files.status(path)?.size ?? 0
        try container.save(mode: .replace)
        let after = try Files.status(path)?.size ?? 0
        files.append(["path": .string(path), "before": .int(before), "after": .int(after)])
        invocation.console.inform(
          "compacted \(path) (\(before.bytesText), now \(after.bytesText))")
        return .done
      }
      if invocation.flag(.json) { try invocation.print(["files": .array(files)]) }
      return status
    })
}

extension Option {
  fileprivate static let quick = Option("quick", "Check the checksums without decompressing.")
}
