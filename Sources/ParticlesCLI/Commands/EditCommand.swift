internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesEffects
internal import ParticlesFormats
internal import ParticlesSystem

extension Command {
  /// Changes properties of a document.
  static let edit = Command(
    name: "edit", group: .documents,
    summary: "Change properties and images of a document.",
    discussion: """
      A change is a key and its value, such as emitters[0].emission.rate=120. Quote it, so that the shell does not \
      expand the brackets. Elements of arrays are selected by index or, if they have names, by name: \
      emitters[Smoke]. [*] selects all elements, and [+] appends an element. A value is JSON or a short form: a word \
      without quotes, 0.5..2 for a random number from a range, #ff8800 for a colour, null to remove the property. \
      key*=1.5, key+=10 and key-=10 change numbers, ranges and tracks relative to their current values. --list shows \
      the keys that can be set. Its arguments are beginnings of keys, or what other editors call a property: \
      gravity, 'start size'. It needs no document. With --json, it also has what an editor needs: section, other \
      names, usual range, scale and step.

      Pictures are embedded first, then the changes are made in the order given, then --unset removes properties, \
      which resets them to their defaults, or elements of arrays. References to later elements are adjusted. \
      Everything is checked before the document is saved, and either all changes are saved or none. A number out of \
      the range of its property is refused, unless --allow-out-of-range saves it with a warning. Unchanged parts of \
      the document keep their bytes.

      A picture embedded with --image replaces the image of equal file name, wherever it is used. Otherwise it \
      becomes a new image with a sprite, shown by the emitter that is named before the picture, or by the only \
      emitter of the document.

      A file of another format stays one: only the edited values differ in it, in a text file one line for each. \
      Engines of cocos2d, Particle Designer, Starling and Godot files derive the rate from the capacity, so that an \
      edited rate changes the capacity, too. The file is replaced as a whole or not at all. An edit that its format \
      cannot hold is an error. An edit that the format changes is reported. --output writes another file of the \
      format, or a package, which holds every edit. A value of a Godot scene may be in a resource that other scenes \
      share: --shared edit changes the file of the resource, and --shared copy gives the scene a copy of its own. \
      Formats that are only read, such as Effekseer, and archives need --output with the name of a package.

      Several documents before the changes get these changes, if all documents can be saved. A resource that scenes \
      among them share is then changed once, so that a relative change counts once.

      Several programs can edit a document concurrently. If another program saves it meanwhile, the changes are made \
      again on the new state. A property that both have changed gets the later value, and the report shows the value \
      that was overwritten. --if-unchanged refuses to save unless the document has the digest that 'particles \
      digest' printed.

      The states before and after are kept in your data folder: 'particles undo' takes the last \
      edit back, 'particles versions' lists earlier states.

      --window opens the effect editor in the web browser, and without a document the browser, in which one is \
      chosen: see 'particles browse'. --no-open prints the address only.

      A thumbnail that 'particles thumbnail --embed' put into the package is drawn again.

      A flat package below 1 MiB is rewritten without superseded data. To a larger one, to a file with several hard \
      links or of another owner, and to a file in a folder that cannot be written, the changes are appended. \
      --rewrite or 'particles compact' removes superseded data.
      """,
    arguments: [
      Argument(.file("file"), arity: .optional, "A document, or - for standard input."),
      Argument(
        .lookup("key=value", .keys), arity: .any,
        "A property and its new value; also key*=2, key+=2 and key-=2. Before the first one, more documents."
      ),
    ],
    options: [
      .unset, .image, .allowOutOfRange, .list, .from, .images, .project, .output, .form, .force,
      .shared, .ifUnchanged, .timeout, .rewrite, .dryRun, .json, .window, .keepUnopened,
    ],
    examples: [
      Example(
        "particles edit fire.particles 'emitters[0].emission.rate=120'",
        "Set the emission rate of the first emitter."),
      Example(
        "particles edit fire.particles 'emitters[Embers].lifetime=1..4' asset.author=Me",
        "Set two properties at once."),
      Example(
        "particles edit fire.pex 'emitters[0].lifetime*=2'",
        "Change a value of a file of another format. All other lines stay."),
      Example(
        "particles edit fire.particles 'emitters[*].size.width*=1.5'",
        "Enlarge all particles by half."),
      Example(
        "particles edit fire.particles 'emitters[Flames].color=#ff8800'",
        "Set the colour of an emitter."),
      Example(
        "particles edit fire.particles --image Flames=tongue.png",
        "Replace the picture of an emitter."),
      Example(
        "particles edit fire.particles --unset 'emitters[2]' -o smokeless.particles",
        "Remove an emitter, and write the result to another file."),
      Example(
        "particles edit --list 'emitters[].emission'", "List the properties of the emission."),
      Example("particles edit --window fire.particles", "Edit an effect in the web browser."),
    ],
    run: { invocation in
      if invocation.flag(.window) { return try inWindow(invocation) }
      if invocation.flag(.keepUnopened) { throw UsageError("'--no-open' is for '--window'") }
      return try invocation.flag(.list) ? list(invocation) : Edit.run(invocation)
    })

  /// Opens the editor, or without a document, the browser to choose a document.
  private static func inWindow(_ invocation: Invocation) throws -> ExitStatus {
    let files = invocation.arguments("file")
    let others: [Option] = [
      .unset, .image, .allowOutOfRange, .list, .from, .images, .project, .output, .form, .force,
      .shared, .ifUnchanged, .timeout, .rewrite, .dryRun, .json,
    ]
    if !invocation.arguments("key=value").isEmpty
      || others.contains(where: { invocation.flag($0) || invocation.value($0) != nil })
    {
      throw UsageError(
        "'--window' takes a document and '--no-open', nothing else",
        hint: "particles edit --window \(files.first ?? "fire.particles")")
    }
    if files.first == Invocation.standardStream {
      throw UsageError("'--window' needs a file, not standard input")
    }
    return try invocation.browse(files)
  }

  private static func list(_ invocation: Invocation) throws -> ExitStatus {
    let prefixes = invocation.arguments.isEmpty ? [""] : invocation.arguments
    let keys = try prefixes.flatMap { prefix in
      let own = SettableKey.all(prefix)
      let keys = own.isEmpty ? SettableKey.called(prefix) : own
      guard !keys.isEmpty else {
        throw UsageError(
          "no key begins with '\(prefix)', and no engine that is known calls one so",
          hint: "'particles edit --list' shows all keys")
      }
      return keys
    }
    if try !invocation.answer(["keys": .array(keys.map(\.json))]) {
      let console = invocation.console
      for key in keys { try console.write(key.text(width: console.width, console.wording)) }
    }
    return .done
  }
}

extension Option {
  static let shared = Option(
    "shared", value: .choice("how", EncodingContext.SharedValues.allCases.map(\.rawValue)),
    default: "refuse the edit",
    "Change a value in a file that other scenes may share there, or copy it into the edited scene.")
  static let unset = Option(
    "unset", value: .lookup("key", .keys), repeatable: true,
    "Remove a property, or an element of an array.")
  static let image = Option(
    "image", value: .file("[emitter=]picture"), repeatable: true,
    "Embed a picture, and let an emitter show it.")
  static let allowOutOfRange = Option(
    "allow-out-of-range", "Save numbers out of the range of their property, with a warning.")
  static let ifUnchanged = Option(
    "if-unchanged", value: .text("digest"),
    "Save only if the document has this digest, of which the first 8 digits are enough.")
  static let timeout = Option(
    "timeout", value: .text("seconds"), default: "5",
    "How long to wait for other programs that save the document.")
  static let rewrite = Option(
    "rewrite", "Write all of the document, without superseded data, at any size.")
  fileprivate static let list = Option(
    "list", "Show the keys that can be set, with type, unit, range and default.")
}

extension SettableKey {
  /// The key with its type, unit, range and default, followed by its meaning.
  fileprivate func text(width: Int, _ wording: Wording) -> String {
    let facts = [
      type, unit, range, standard.map { "default \($0)" } ?? "required",
    ].compactMap(\.self).joined(separator: "; ")
    let width = max(width - 4, 40)
    let lines = facts.wrapped(to: width) + wording.description(of: key, summary).wrapped(to: width)
    return "\(key)\n" + lines.map { "    \($0)\n" }.joined()
  }

  fileprivate var json: JSONValue {
    var object: JSONObject = ["key": .string(key), "type": .string(type)]
    object["unit"] = unit.map(JSONValue.string)
    object["range"] = range.map(JSONValue.string)
    object["default"] = standard.flatMap { try? JSONParser.parse(Array($0.utf8)) }
    object["summary"] = .string(summary)
    object["minimum"] = minimum.map(JSONValue.double)
    object["maximum"] = maximum.map(JSONValue.double)
    object["section"] = .string(hint.section)
    object["applies"] = hint.applies.map {
      ["key": .string($0.key), "is": .array($0.values)]
    }
    if !names.isEmpty { object["names"] = .array(names.map(JSONValue.string)) }
    guard let numbers = hint.numbers else { return .object(object) }
    func pair(_ range: ClosedRange<Double>) -> JSONValue {
      .array([.double(range.lowerBound), .double(range.upperBound)])
    }
    object["usual"] = pair(numbers.usual)
    object["usualInSpace"] = numbers.usualInSpace.map(pair)
    object["scale"] = .string(numbers.scale.rawValue)
    object["step"] = .double(numbers.step)
    return .object(object)
  }
}

/// A run of `edit` that makes one change in several documents. If a document cannot be changed, nothing is written. A
/// file that several scenes share is changed once.
struct EditBatch {
  private let invocation: Invocation
  private let edits: [Edit]
  private let results = EditResults()

  init(_ invocation: Invocation, _ paths: [String], _ words: [String]) throws {
    for option in [Option.output, .form, .ifUnchanged]
    where invocation.value(option) != nil {
      throw UsageError("'\(option.spelling)' is for one document")
    }
    guard !paths.contains(Invocation.standardStream) else {
      throw UsageError("standard input is one document, which is edited alone")
    }
    self.invocation = invocation
    var known: Set<String> = []
    edits = try paths.filter { known.insert($0).inserted }.map { [results] path in
      try Edit(invocation, path, words, into: results)
    }
  }

  func run() throws -> ExitStatus {
    let opened = try edits.map { try $0.document() }
    // Scenes that other scenes instance are edited separately.
    let own = Set(edits.compactMap { try? Files.resolve($0.path) })
    var shared: [String: (bytes: [UInt8], users: [String])] = [:]
    for (edit, document) in zip(edits, opened) {
      guard let others = try edit.others(of: document) else {
        // It reports why, and writes nothing.
        let status = try edit.run(document, writingOthers: false)
        return try finish(max(status, .failed))
      }
      for (path, bytes) in others where (try? Files.resolve(path)).map(own.contains) != true {
        if let known = shared[path], known.bytes != bytes {
          throw Diagnostic(
            .fileUnwritable, at: Location(file: path),
            "'\(known.users[0])' and '\(edit.path)' share it, and the edit gives it different values",
            hint: "edit one of them, or write --shared copy")
        }
        shared[path, default: (bytes, [])].users.append(edit.path)
      }
    }
    var options = UpdateOptions()
    options.isForced = invocation.flag(.force)
    if !invocation.flag(.dryRun) {
      for (path, file) in shared.sorted(by: { $0.key < $1.key }) {
        let remark: Phrase =
          file.users.count == 1
          ? ", which other scenes may share"
          : ", which \(file.users.count) of these documents share"
        try edits[0].write(file.bytes, toOther: path, options, remark)
      }
    }
    var status = ExitStatus.done
    for (edit, document) in zip(edits, opened) {
      status = max(status, try edit.run(document, writingOthers: false))
    }
    return try finish(status)
  }

  private func finish(_ status: ExitStatus) throws -> ExitStatus {
    if invocation.flag(.json) {
      try invocation.print(["version": .int(1), "documents": .array(results.documents)])
    }
    return status
  }
}

/// The JSON of several edited documents.
final class EditResults: Sendable {
  private let all = Lock([JSONValue]())

  var documents: [JSONValue] { all.withLock { $0 } }

  func add(_ document: JSONValue) { all.withLock { $0.append(document) } }
}
