// A text editor for the terminal: one document, one command for each line of standard input. An example to
// copy and begin with. It needs only the product Particles.
//
//     ExampleTextEditor notes.txt
//     > type Dear reader,
//     > undo
//     > quit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import Particles

/// The commands, and their work on the document.
struct TextEditor {
  let document: Document<PlainText>

  /// Runs a line.
  /// - Returns: whether the session goes on.
  func run(_ line: String) async throws -> Bool {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = words.count > 1 ? words[1] : ""
    switch words.first {
    case "type":
      // Lines that are typed in a row are undone together.
      try await document.edit("Typing", coalescing: "typing") { $0.text += rest + "\n" }
    case "replace":
      let parts = rest.split(separator: "/", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { return explain("replace OLD/NEW") }
      try await document.edit("Replace") {
        $0.text = $0.text.split(separator: parts[0], omittingEmptySubsequences: false)
          .joined(separator: parts[1])
      }
    case "show": print(try await document.content.text, terminator: "")
    case "undo":
      let name = await document.undoName
      print(try await document.undo() > 0 ? "undid \(name ?? "")" : "nothing to undo")
    case "redo":
      let name = await document.redoName
      print(try await document.redo() > 0 ? "redid \(name ?? "")" : "nothing to redo")
    case "save": try await document.save()
    case "revert": try await document.revert()
    case "rename": try await document.rename(to: rest)
    case "duplicate": print(try await document.duplicate())
    case "versions":
      for version in try await document.versions() {
        print("\(version.number) \(version.kind.rawValue) \(version.size) bytes")
      }
    case "restore":
      let version = try await document.versions().first { "\($0.number)" == rest }
      guard let version else { return explain("restore NUMBER") }
      try await document.restore(version)
    case "keep":
      // The answer to a conflict with another program.
      switch rest {
      case "ours": try await document.resolve(.ours)
      case "theirs": try await document.resolve(.theirs)
      case "both": print(try await document.resolve(.both) ?? "there is no conflict")
      default: return explain("keep ours, theirs or both")
      }
    case "status": print("\(document.path ?? "") \(await document.states)")
    case "quit": return false
    case nil: break
    default: return explain("type, replace, show, undo, redo, save, revert, rename, …")
    }
    return true
  }

  private func explain(_ usage: String) -> Bool {
    print("expected: \(usage)")
    return true
  }
}

guard CommandLine.arguments.count == 2 else {
  print("usage: ExampleTextEditor <text file>")
  exit(64)
}
do {
  let document = Document<PlainText>(path: CommandLine.arguments[1])
  do {
    try await document.open()
  } catch Rule.fileNotFound {
    try await document.create(PlainText())
  }
  if let left = try await document.recoverable().first {
    print("recovered unsaved changes of \(left.program)")
    try await document.recover(left)
  }
  // Changes by other programs are reported at once.
  let reports = Task {
    for await event in await document.events() {
      switch event {
      case .reloaded: print("another program has changed the text")
      case .merged: print("merged with the changes of another program")
      case .conflict:
        print("another program has changed the same lines; keep ours, theirs or both?")
      case .moved(_, let path): print("the text is at \(path) now")
      default: break
      }
    }
  }
  let editor = TextEditor(document: document)
  while let line = readLine() {
    do {
      guard try await editor.run(line) else { break }
    } catch {
      print(error)
    }
  }
  try await document.close()
  reports.cancel()
} catch {
  print(error)
  exit(2)
}
