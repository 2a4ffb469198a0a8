internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats

extension Command {
  /// Changes properties of a document.
  static let edit = Command(
    name: "edit", group: .documents,
    summary: "Change properties and pictures of a document.",
    discussion: """
      A change is a key and its value, as in emitters[0].emission.rate=120; quotes keep shells from \
      taking brackets for a pattern. Elements of arrays are \
      named by their index or, if they have names, by name, as in emitters[Smoke]; [+] appends one. A \
      value is JSON, or shorter: a word without quotes, 0.5..2 for any number between two, #ff8800 for \
      a colour, null for none. --list shows what can be set; with it, the arguments are the beginnings \
      of keys, and no document is needed.

      Pictures come first, then changes in the order given, then what --unset removes: a property, \
      which has its default then, or an element of an array; what refers to elements behind it is \
      adjusted. All of it is checked before anything is saved, and saved whole or not at all. What was \
      not changed stays as it was written, byte for byte.

      A picture that --image embeds takes the place of an image with its file name, and whatever \
      shows that shows the new one. Otherwise it becomes a new image with a sprite, which the emitter \
      shows that is named before the picture, or the only one of the document.
      """,
    arguments: [
      Argument(.file("file"), arity: .optional, "A document, or - for standard input."),
      Argument(.text("key=value"), arity: .any, "A property and its new value."),
    ],
    options: [
      .unset, .image, .list, .from, .images, .output, .form, .force, .dryRun, .json,
    ],
    examples: [
      Example(
        "particles edit fire.particles 'emitters[0].emission.rate=120'", "Let a fire burn higher."),
      Example(
        "particles edit fire.particles 'emitters[Embers].lifetime=1..4' asset.author=Me",
        "Change two properties at once."),
      Example(
        "particles edit fire.particles --image Flames=tongue.png",
        "Let an emitter show another picture."),
      Example(
        "particles edit fire.particles --unset 'emitters[2]' -o smokeless.particles",
        "Write a document without one of the emitters."),
      Example(
        "particles edit --list 'emitters[].emission'", "Show what can be set of the emission."),
    ],
    run: { invocation in
      guard !invocation.flag(.list) else { return try list(invocation) }
      guard let path = invocation.arguments("file").first else {
        throw UsageError("missing argument <file>")
      }
      let output = invocation.value(.output)
      guard output != nil || invocation.form == nil else {
        throw UsageError("'--form' is for another package", hint: "name it with --output")
      }
      var opened = try document(at: path, invocation)
      let form = invocation.form ?? opened.form ?? .flat
      if let output { try invocation.check(placeOfPackage: output, as: form) }
      guard output != nil || opened.canBeSaved && path != Invocation.standardStream else {
        throw UsageError(
          "'\(path)' is no package that could be changed in its place",
          hint: "name the package to write with --output")
      }
      if !opened.canBeSaved { invocation.report(opened.diagnostics) }
      if output == nil { opened.package.container = try Container(contentsOf: path) }
      var editor = try locating(Location(file: path)) { try EffectEditor(opened.package) }
      let pictures = try locating(Location(file: path)) { try apply(invocation, to: &editor) }
      let findings = try editor.findings().map { $0.inside(Location(file: path)) }
      invocation.report(findings)
      let isSound = !findings.contains { $0.severity == .error }
      if isSound {
        for change in editor.changes { invocation.console.say(change.line) }
      } else {
        invocation.console.complain("\(path) is not changed")
      }
      let isSaved =
        try isSound && save(editor, of: opened, at: path, to: output, as: form, invocation)
      if invocation.flag(.json) {
        try invocation.print([
          "version": .int(1), "path": .string(output ?? path), "saved": .bool(isSaved),
          "changes": .array(editor.changes.map(\.json)), "images": .array(pictures.map(\.json)),
          "diagnostics": .array(findings.map(\.json)),
        ])
      }
      return isSound ? .done : .failed
    })

  private static func document(at path: String, _ invocation: Invocation) throws -> OpenedEffect {
    do {
      return try invocation.effect(at: path)
    } catch Rule.fileNotFound where path.contains("=") {
      throw UsageError("there is no document '\(path)'", hint: "the document comes before changes")
    }
  }

  private static func apply(
    _ invocation: Invocation, to editor: inout EffectEditor
  ) throws -> [EffectEditor.EmbeddedImage] {
    let pictures = try invocation.values(.image).map { word in
      let (emitter, path) = try pictureAndEmitter(in: word)
      let picture = try editor.embed(Files.read(path), named: path, shownBy: emitter)
      invocation.console.say(picture.line)
      return picture
    }
    for word in invocation.arguments("key=value") {
      guard let sign = word.firstIndex(of: "=") else {
        throw UsageError("'\(word)' is no change", hint: "changes look like key=value")
      }
      try editor.set(String(word[..<sign]), to: String(word[word.index(after: sign)...]))
    }
    for key in invocation.values(.unset) { try editor.unset(key) }
    return pictures
  }

  /// `Flames=tongue.png`; a file may have such a name, too.
  private static func pictureAndEmitter(
    in word: String
  ) throws -> (emitter: String?, path: String) {
    guard try Files.status(word) == nil, let sign = word.firstIndex(of: "=") else {
      return (nil, word)
    }
    return (String(word[..<sign]), String(word[word.index(after: sign)...]))
  }

  /// Saves where the document was opened, or writes another one.
  private static func save(
    _ editor: EffectEditor, of opened: OpenedEffect, at path: String, to output: String?,
    as form: Container.Form, _ invocation: Invocation
  ) throws -> Bool {
    guard !invocation.flag(.dryRun) else {
      invocation.console.say("nothing is written (--dry-run)")
      return false
    }
    if let output {
      try invocation.save(editor.package.container, to: output, as: form)
      invocation.console.say("wrote \(output)")
      return true
    }
    var container = editor.package.container
    // Nothing of the old state is to be left in a file that people give away.
    let isChanged = try !container.root.matchesContents(of: opened.package.container.root)
    if isChanged { try container.save(mode: .replace) }
    invocation.console.say(isChanged ? "saved \(path)" : "\(path) is so already")
    return isChanged
  }

  private static func list(_ invocation: Invocation) throws -> ExitStatus {
    let prefixes = invocation.arguments.isEmpty ? [""] : invocation.arguments
    let keys = try prefixes.flatMap { prefix in
      let keys = SettableKey.all(prefix)
      guard !keys.isEmpty else {
        throw UsageError(
          "no key begins with '\(prefix)'", hint: "'particles edit --list' shows all of them")
      }
      return keys
    }
    if invocation.flag(.json) {
      try invocation.print(["version": .int(1), "keys": .array(keys.map(\.json))])
    } else {
      for key in keys { try invocation.console.write(key.text(width: invocation.console.width)) }
    }
    return .done
  }
}

extension Option {
  fileprivate static let unset = Option(
    "unset", value: .text("key"), repeatable: true,
    "Remove a property, or an element of an array.")
  fileprivate static let image = Option(
    "image", value: .file("[emitter=]picture"), repeatable: true, "Embed a picture.")
  fileprivate static let list = Option(
    "list", "Show the keys that can be set, with type, unit, range and default.")
}

extension OpenedEffect {
  /// The form that it has as a package; nil if it is none.
  fileprivate var form: Container.Form? {
    if case .package(let form) = kind { form } else { nil }
  }

  fileprivate var canBeSaved: Bool { form != nil }
}

extension EffectEditor.Change {
  /// `emitters[0].emission.rate: 95 -> 120`
  fileprivate var line: String {
    "\(key): \(Self.text(old)) -> \(Self.text(new))"
  }

  private static func text(_ value: JSONValue?) -> String {
    guard let line = value?.line else { return "not set" }
    return line.count > 60 ? "\(line.prefix(57))..." : line
  }

  fileprivate var json: JSONValue {
    var object: JSONObject = ["key": .string(key)]
    object["old"] = old
    object["new"] = new
    return .object(object)
  }
}

extension EffectEditor.EmbeddedImage {
  fileprivate var line: String {
    let what = isReplacement ? "replaced" : "embedded"
    let shown = emitter.map { ", shown by emitters[\($0)]" } ?? ""
    return "\(what) \(uri)" + (sprite.map { " (sprites[\($0)]\(shown))" } ?? "")
  }

  fileprivate var json: JSONValue {
    var object: JSONObject = ["uri": .string(uri), "replaced": .bool(isReplacement)]
    object["sprite"] = sprite.map(JSONValue.int)
    object["emitter"] = emitter.map(JSONValue.int)
    return .object(object)
  }
}

extension SettableKey {
  /// The key with what may stand there, and below it what it means.
  fileprivate func text(width: Int) -> String {
    let facts = [
      type, unit, range, standard.map { "default \($0)" } ?? "required",
    ].compactMap(\.self).joined(separator: "; ")
    let lines = facts.wrapped(to: max(width - 4, 40)) + summary.wrapped(to: max(width - 4, 40))
    return "\(key)\n" + lines.map { "    \($0)\n" }.joined()
  }

  fileprivate var json: JSONValue {
    var object: JSONObject = ["key": .string(key), "type": .string(type)]
    object["unit"] = unit.map(JSONValue.string)
    object["range"] = range.map(JSONValue.string)
    object["default"] = standard.flatMap { try? JSONParser.parse(Array($0.utf8)) }
    object["summary"] = .string(summary)
    return .object(object)
  }
}
