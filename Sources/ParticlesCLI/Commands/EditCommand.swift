internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats

extension Command {
  /// Changes properties of a document.
  static let edit = Command(
    name: "edit", group: .documents,
    summary: "Change properties and images of a document.",
    discussion: """
      A change is a key and its value, such as emitters[0].emission.rate=120. Quote it, so that \
      the shell does not expand the brackets. Elements of arrays are selected by index or, if \
      they have names, by name: emitters[Smoke]; [+] appends an element. A value is JSON or a \
      short form: a word without quotes, 0.5..2 for a random number from a range, #ff8800 for a \
      colour, null to remove the property. --list shows the keys that can be set; its arguments \
      are prefixes of keys, and it needs no document.

      Pictures are embedded first, then the changes are made in the order given, then --unset \
      removes properties, which resets them to their defaults, or elements of arrays; references \
      to later elements are adjusted. Everything is checked before the document is saved, and \
      either all changes are saved or none. Unchanged parts of the document keep their bytes.

      A picture embedded with --image replaces the image with the same file name, wherever it is \
      used. Otherwise it becomes a new image with a sprite, shown by the emitter that is named \
      before the picture, or by the only emitter of the document.
      """,
    arguments: [
      Argument(.file("file"), arity: .optional, "A document, or - for standard input."),
      Argument(.lookup("key=value", .keys), arity: .any, "A property and its new value."),
    ],
    options: [
      .unset, .image, .list, .from, .images, .output, .form, .force, .dryRun, .json,
    ],
    examples: [
      Example(
        "particles edit fire.particles 'emitters[0].emission.rate=120'",
        "Set the emission rate of the first emitter."),
      Example(
        "particles edit fire.particles 'emitters[Embers].lifetime=1..4' asset.author=Me",
        "Set two properties at once."),
      Example(
        "particles edit fire.particles --image Flames=tongue.png",
        "Replace the picture of an emitter."),
      Example(
        "particles edit fire.particles --unset 'emitters[2]' -o smokeless.particles",
        "Remove an emitter, and write the result to another file."),
      Example(
        "particles edit --list 'emitters[].emission'", "List the properties of the emission."),
    ],
    run: { invocation in
      guard !invocation.flag(.list) else { return try list(invocation) }
      guard let path = invocation.arguments("file").first else {
        throw UsageError("missing argument <file>")
      }
      let output = invocation.value(.output)
      guard output != nil || invocation.form == nil else {
        throw UsageError("'--form' needs an output", hint: "name a package with --output")
      }
      var opened = try document(at: path, invocation)
      let form = invocation.form ?? opened.form ?? .flat
      if let output { try invocation.check(placeOfPackage: output, as: form) }
      guard output != nil || opened.canBeSaved && path != Invocation.standardStream else {
        throw UsageError(
          "'\(path)' cannot be saved in place: it is not a package",
          hint: "write a package with --output")
      }
      if !opened.canBeSaved { invocation.report(opened.diagnostics) }
      if output == nil { opened.package.container = try Container(contentsOf: path) }
      var editor = try locating(Location(file: path)) { try EffectEditor(opened.package) }
      let pictures = try locating(Location(file: path)) { try apply(invocation, to: &editor) }
      let findings = try editor.findings().map { $0.inside(Location(file: path)) }
      invocation.report(findings)
      let isSound = !findings.contains { $0.severity == .error }
      if isSound {
        for change in editor.changes { invocation.console.inform(change.line) }
      } else {
        invocation.console.complain("\(path) was not changed")
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
      throw UsageError("no document '\(path)'", hint: "name the document before the changes")
    }
  }

  private static func apply(
    _ invocation: Invocation, to editor: inout EffectEditor
  ) throws -> [EffectEditor.EmbeddedImage] {
    let pictures = try invocation.values(.image).map { word in
      let (emitter, path) = try pictureAndEmitter(in: word)
      let picture = try editor.embed(Files.read(path), named: path, shownBy: emitter)
      invocation.console.inform(picture.line)
      return picture
    }
    for word in invocation.arguments("key=value") {
      guard let sign = word.firstIndex(of: "=") else {
        throw UsageError(
          "'\(word)' is not a change; expected key=value",
          hint: "'particles edit --list' shows the keys")
      }
      try editor.set(String(word[..<sign]), to: String(word[word.index(after: sign)...]))
    }
    for key in invocation.values(.unset) { try editor.unset(key) }
    return pictures
  }

  /// Splits `Flames=tongue.png`, unless a file has that name.
  private static func pictureAndEmitter(
    in word: String
  ) throws -> (emitter: String?, path: String) {
    guard try Files.status(word) == nil, let sign = word.firstIndex(of: "=") else {
      return (nil, word)
    }
    return (String(word[..<sign]), String(word[word.index(after: sign)...]))
  }

  /// Saves the document in place, or writes it to `output`.
  private static func save(
    _ editor: EffectEditor, of opened: OpenedEffect, at path: String, to output: String?,
    as form: Container.Form, _ invocation: Invocation
  ) throws -> Bool {
    guard !invocation.flag(.dryRun) else {
      invocation.console.inform("nothing was written (--dry-run)")
      return false
    }
    if let output {
      try invocation.save(editor.package.container, to: output, as: form)
      invocation.console.inform("wrote \(output)")
      return true
    }
    var container = editor.package.container
    // Users give saved files away, so no superseded data may be left in them.
    let isChanged = try !container.root.matchesContents(of: opened.package.container.root)
    if isChanged { try container.save(mode: .replace) }
    invocation.console.inform(isChanged ? "saved \(path)" : "nothing to change in \(path)")
    return isChanged
  }

  private static func list(_ invocation: Invocation) throws -> ExitStatus {
    let prefixes = invocation.arguments.isEmpty ? [""] : invocation.arguments
    let keys = try prefixes.flatMap { prefix in
      let keys = SettableKey.all(prefix)
      guard !keys.isEmpty else {
        throw UsageError(
          "no key begins with '\(prefix)'", hint: "'particles edit --list' shows all keys")
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
    "unset", value: .lookup("key", .keys), repeatable: true,
    "Remove a property, or an element of an array.")
  fileprivate static let image = Option(
    "image", value: .file("[emitter=]picture"), repeatable: true,
    "Embed a picture, and let an emitter show it.")
  fileprivate static let list = Option(
    "list", "Show the keys that can be set, with type, unit, range and default.")
}

extension OpenedEffect {
  /// The form of the package; nil if it is not a package.
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
  /// The key with its type, unit, range and default, followed by its meaning.
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
