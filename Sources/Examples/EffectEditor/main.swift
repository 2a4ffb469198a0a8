// Runs a script of edits on an effect, as an effect editor would: each line is an edit, and the document is
// saved automatically. An example to copy and begin with.
//
//     ExampleEffectEditor fire.particles script.txt
//
// The script:
//
//     emitters[0].emission.rate=120
//     group Warmer
//     emitters[*].size.width*=1.2
//     emitters[Flames].color=#ff8800
//     end
//     undo

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import Particles

/// An effect that is edited by lines of a script.
struct ScriptedEditor {
  let document: Document<EffectPackage>
  var group: (name: String, lines: [String])?

  mutating func run(_ line: String) async throws {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    switch (words.first, group != nil) {
    case ("end", true):
      guard let (name, lines) = group else { return }
      group = nil
      // All edits of a group are undone together, and none is made if one fails.
      try await document.group(name) { document in
        for line in lines { try document.edit(line) { try $0.apply(line) } }
      }
    case (_, true): group?.lines.append(line)
    case ("group", false): group = (words.count > 1 ? words[1] : "Edits", [])
    case ("undo", false): try await document.undo()
    case ("redo", false): try await document.redo()
    case ("save", false): try await document.save()
    case ("revert", false): try await document.revert()
    case (nil, false): break
    default:
      // Edits of one property that follow each other are one edit, as a slider makes them.
      let key = String(line.prefix { $0 != "=" })
      try await document.edit(line, coalescing: key) { try $0.apply(line) }
    }
  }
}

extension EffectPackage {
  /// Makes a change, `key=value`, and checks the effect.
  mutating func apply(_ change: String) throws {
    var editor = try EffectEditor(self)
    try editor.apply(change)
    if let fault = try editor.findings().first(where: { $0.severity == .error }) { throw fault }
    self = editor.package
  }
}

guard CommandLine.arguments.count == 3 else {
  print("usage: ExampleEffectEditor <effect> <script>")
  exit(64)
}
do {
  // A script is a document, too.
  let script = Document<PlainText>(path: CommandLine.arguments[2])
  try await script.open()
  let lines = try await script.content.text.split(separator: "\n").map(String.init)
  try await script.close()
  var configuration = DocumentConfiguration()
  configuration.keepsEdits = true
  let document = Document<EffectPackage>(
    path: CommandLine.arguments[1], configuration: configuration)
  do {
    try await document.open()
  } catch Rule.fileNotFound {
    guard let template = EffectTemplate.named("blank") else { exit(2) }
    try await document.create(template.package())
  }
  var editor = ScriptedEditor(document: document)
  var status: Int32 = 0
  for line in lines where !line.hasPrefix("#") {
    do {
      try await editor.run(line)
    } catch {
      print("\(line): \(error)")
      status = 1
    }
  }
  print("\(await document.undoNames.count) edits can be undone")
  try await document.close()
  exit(status)
} catch {
  print(error)
  exit(2)
}
