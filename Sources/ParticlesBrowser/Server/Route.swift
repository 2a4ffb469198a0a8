internal import ParticlesCore

/// A request to a route.
struct RouteRequest: Sendable {
  var number: UInt64
  /// The path behind the name of the route, for routes of files.
  var rest: String
  var query: [String: String]
  var body: [UInt8]

  func value(_ name: String) throws -> String {
    guard let value = query[name] else {
      throw Diagnostic(.usage, "the request has no '\(name)'")
    }
    return value
  }

  func number(_ name: String, in range: ClosedRange<Int>, or standard: Int) throws -> Int {
    guard let text = query[name] else { return standard }
    guard let number = Int(text), range.contains(number) else {
      throw Diagnostic(
        .usage, "'\(name)'", expected: "\(range.lowerBound) to \(range.upperBound)", found: text)
    }
    return number
  }

  func object() throws -> JSONObject {
    guard let object = try JSONValue(parsing: body).object else {
      throw Diagnostic(.usage, "the body", expected: "an object")
    }
    return object
  }
}

/// A row of the table of routes: the requests that pages can make.
struct Route: Sendable {
  /// The kinds of requests.
  enum Method: String, Sendable {
    /// It changes nothing.
    case get = "GET"
    /// It orders something.
    case post = "POST"
  }

  /// The kind of request.
  var method: Method
  /// The path below the secret. After a final slash, the name of a file follows.
  var path: String
  /// The values that it takes, in words. `body` precedes the values in a JSON object.
  var values: String
  /// Its answer or effect, in one line.
  var summary: String
  /// Whether it changes documents, so that `--read-only` refuses it.
  var isChanging = false
  /// Who may ask.
  var access = RequestGuard.Access.page
  /// The bytes that a body may have.
  var mostBytes: Int
  /// Answers.
  var answer: @Sendable (BrowserServer, RouteRequest) async throws -> HTTPAnswer

  private init(
    _ method: Method, _ path: String, _ values: String = "", _ summary: String,
    changes isChanging: Bool = false, for access: RequestGuard.Access = .page,
    most mostBytes: Int? = nil,
    _ answer: @escaping @Sendable (BrowserServer, RouteRequest) async throws -> HTTPAnswer
  ) {
    (self.method, self.path, self.values, self.summary) = (method, path, values, summary)
    (self.isChanging, self.answer) = (isChanging, answer)
    self.access = access
    // A selection may be all of a large folder.
    self.mostBytes = mostBytes ?? (values.contains("`items`") ? 8 << 20 : 1 << 20)
  }

  /// The bytes that files and the texts of documents may have.
  private static let large = 64 << 20

  /// All routes, in the order of `Spec/browser.md`.
  static let all: [Route] = [
    Route(.get, "", "`show`", "The page.") { server, _ in try server.file("index.html") },
    Route(.get, "assets/", "", "A file of the pages.", for: .anyone) { try $0.file($1.rest) },
    Route(
      .get, "texts", "`language`, `part`",
      "The texts of a page: `pages`, `editor` or `messages`, tables by their names."
    ) { _, request in
      let part = Texts.Part(rawValue: try request.value("part"))
      return HTTPAnswer(try Texts.json(part ?? .pages, in: request.value("language")))
    },
    Route(
      .get, "player/", "", "A file of the player. `particles.wasm` is the module.", for: .anyone
    ) { try $0.playerFile($1.rest) },
    Route(.get, "again", "`nonce`", "Proves the program to a page.", for: .anyone) {
      try $0.askAgain($1)
    },
    Route(
      .post, "again", "body `nonce`, `proof`",
      "Takes up a page of an earlier start, which proves itself.", for: .anyone
    ) { try $0.openAgain($1) },
    Route(.get, "events", "", "The stream of events: JSON with a member `event`.") {
      $0.beginStream($1.number)
    },
    Route(
      .get, "state", "`window`, `path`, `show`, `list`",
      "What the program offers, the places, and what the window shows first. With `list`, so many of its rows."
    ) { try await $0.state($1) },
    Route(
      .get, "list", "`location`, `kind`, `most`, `search`, `index`",
      "The items of a place, a row for each. With `search`, the matching items, also of its subfolders. See [Rows](#rows)."
    ) { try await $0.list($1) },
    Route(.get, "thumbnail", "`item`, `size`", "The thumbnail of a document as PNG.") {
      try await $0.thumbnail($1)
    },
    Route(.get, "effect", "`item`", "An effect with its images, as a package for the player.") {
      try await $0.effect($1)
    },
    Route(.get, "file", "`item`", "A document as it is, to be stored.") { try await $0.stored($1) },
    Route(
      .get, "export", "`item`, `format`, `size`, `fps`, `duration`, `loop`, `background`, `job`",
      "An animation: gif, apng, webp, sheet or html, with the defaults of `particles render`."
    ) {
      try await $0.export($1)
    },
    Route(.get, "templates", "", "The templates for new documents.") { server, _ in
      HTTPAnswer(["templates": .array(await server.browser.templates().map(\.json))])
    },
    Route(.get, "template-thumbnail", "`name`", "The thumbnail of a template as PNG.") {
      try await $0.templateThumbnail($1)
    },
    Route(.get, "template-effect", "`name`", "The effect of a template, for the player.") {
      try await $0.templateEffect($1)
    },
    Route(.get, "targets", "", "The formats that an effect can be converted to.") { server, _ in
      server.targets()
    },
    Route(
      .get, "conversion", "`item`, `target`",
      "What a conversion loses, and how similar its result is. Nothing is written."
    ) { try await $0.conversion($1) },
    Route(.get, "converted", "`item`, `target`", "The result of a conversion, for the player.") {
      try await $0.converted($1)
    },
    Route(.post, "information", "body `item`", "Facts about an item, with its problems.") {
      try await $0.information($1)
    },
    Route(
      .post, "find", "body `path`, `identity`",
      "The item at a path in one of the places, or of this identity if it was renamed."
    ) {
      try await $0.find($1)
    },
    Route(.post, "open", "body `item`, `window`", "Opens a document in a window.") {
      try await $0.open($1)
    },
    Route(.post, "close", "body `window`", "Saves and closes the document of a window.") {
      try await $0.close($1)
    },
    Route(
      .post, "text", "body `item`, `text`, `revision`",
      "Replaces the text of an open document, and saves it. Other changes are merged.",
      changes: true, most: large
    ) { try await $0.setText($1) },
    Route(.get, "edit-schema", "", "The properties that can be edited, a row for each.") { _, _ in
      HTTPAnswer(["rows": EditorSchema.json])
    },
    Route(
      .post, "edit-open", "body `item`, `window`, `opening`, `revision`",
      "Opens an effect in an editor. A repeated call gives its state: patch or text, revision, images and edits."
    ) { try await $0.openEffect($1) },
    Route(
      .post, "edit",
      "body `item`, `window`, `opening`, `revision`, `id`, `kind`, `name`, `gesture`, and values of the kind",
      "Makes an edit once, see [Edits](editing.md#edits).", changes: true, most: large
    ) { try await $0.edit($1) },
    Route(.get, "edit-findings", "`item`", "The findings of `validate`.") {
      try await $0.findings($1)
    },
    Route(.get, "edit-file", "`item`, `path`", "An image of an open effect.") {
      try await $0.image($1)
    },
    Route(
      .post, "edit-file",
      "`item`, `window`, `opening`, `revision`, `id`, `path`, `emitter`, the bytes",
      "Adds or replaces an image, and saves it.", changes: true, most: large
    ) { try await $0.putImage($1) },
    Route(
      .get, "edit-soft", "`kind`, `size`, `softness`, `width`, `rays`, `roughness`, `seed`",
      "An image that is made of numbers: dot, ring, spark or smoke."
    ) { try await $0.softImage($1) },
    Route(.get, "edit-presets", "`kind`", "Presets: emitter, curve, gradient or image.") {
      try $0.presets($1)
    },
    Route(
      .post, "edit-preset", "body `kind`, `name`, `value`",
      "Stores a preset, or removes it for null.", changes: true, most: EffectPresets.mostBytes
    ) { try $0.setPreset($1) },
    Route(
      .post, "edit-save", "body `item`, `window`, `opening`, `revision`, `way`, `accepted`",
      "Saves: `save`, `automatic`, `lossy`, `package`, `anyway`, `recreate` or `discard`.",
      changes: true
    ) { try await $0.saveEffect($1) },
    Route(
      .get, "edit-losses", "`item`",
      "The format and version in which a file of another format is saved, and its losses."
    ) { try await $0.losses($1) },
    Route(
      .post, "edit-resolve", "body `item`, `window`, `opening`, `revision`, `choice`",
      "Ends a conflict: `ours`, `theirs`, `merged` or `both`.", changes: true
    ) { try await $0.resolveEffect($1) },
    Route(
      .get, "edit-effect", "`item`, `version`, `side`",
      "An open effect, one of its versions, or a side of its conflict, for the player."
    ) { try await $0.editedEffect($1) },
    Route(
      .get, "edit-animation", "`item`, `size`", "An open effect as animated WebP."
    ) { try await $0.editedAnimation($1) },
    Route(.get, "edit-versions", "`item`", "The versions of an open effect, the newest first.") {
      try await $0.versions($1)
    },
    Route(
      .get, "edit-thumbnail", "`item`, `version`, `side`, `size`",
      "A picture of such an effect as PNG."
    ) { try await $0.versionThumbnail($1) },
    Route(
      .get, "edit-target", "`item`, `target`, `measures`",
      "What a format does not hold of an open effect. With `measures=true`, also its similarity."
    ) { try await $0.target($1) },
    Route(
      .get, "edit-target-effect", "`item`, `target`",
      "An open effect as the program of the format reads it, for the player."
    ) { try await $0.targetEffect($1) },
    Route(
      .post, "create", "body `location`, `template`, `name`", "Creates a document.", changes: true
    ) { try await $0.create($1) },
    Route(.post, "folder", "body `location`, `name`", "Creates a folder.", changes: true) {
      try await $0.makeFolder($1)
    },
    Route(
      .post, "import", "`location`, `name`, the bytes", "Adds a file to a place.", changes: true,
      most: large
    ) { try await $0.importBytes($1) },
    Route(
      .post, "paste", "`location`, the text", "Adds the text of an effect to a place.",
      changes: true, most: large
    ) { try await $0.paste($1) },
    Route(
      .post, "rename", "body `item`, `name`, or `items`, `names`",
      "Renames an item, or several, which may take each other's names.", changes: true
    ) {
      try await $0.rename($1)
    },
    Route(.post, "duplicate", "body `items`", "Copies items beside themselves.", changes: true) {
      try await $0.perform($1) { items, _ in .duplicate(items) }
    },
    Route(.post, "move", "body `items`, `location`", "Moves items to a folder.", changes: true) {
      try await $0.perform($1) { items, object in
        .move(items, to: object["location"]?.string ?? "")
      }
    },
    Route(.post, "copy", "body `items`, `location`", "Copies items to a folder.", changes: true) {
      try await $0.perform($1) { items, object in
        .copy(items, to: object["location"]?.string ?? "")
      }
    },
    Route(.post, "trash", "body `items`", "Moves items to the trash.", changes: true) {
      try await $0.perform($1) { items, _ in .trash(items) }
    },
    Route(
      .post, "restore", "body `items`", "Moves items from the trash to where they were.",
      changes: true
    ) { try await $0.perform($1) { items, _ in .restore(items, to: nil) } },
    Route(
      .post, "delete", "body `items`", "Deletes items for good.", changes: true
    ) { try await $0.perform($1) { items, _ in .delete(items) } },
    Route(.post, "undo", "", "Takes the last operation back.", changes: true) { server, _ in
      await server.undo(isRedo: false)
    },
    Route(.post, "redo", "", "Does the last operation again that was taken back.", changes: true) {
      server, _ in await server.undo(isRedo: true)
    },
    Route(
      .post, "convert", "body `items`, `target`, `location`, `job`",
      "Converts effects. The results are beside the effects, or in a folder. A row for each has its losses.",
      changes: true
    ) { try await $0.convert($1) },
    Route(
      .post, "compare", "body `items`, `target`, `job`",
      "Simulates effects before and after a conversion. A row for each. Nothing is written."
    ) { try await $0.compare($1) },
    Route(
      .post, "inspect", "body `items`",
      "Opens documents that are shown, to find their problems. Rows."
    ) { try await $0.inspect($1) },
    Route(.post, "tags", "body `items`, `tags`", "Sets the tags of items.", changes: true) {
      try await $0.setTags($1)
    },
    Route(.post, "favourite", "body `items`, `favourite`", "Makes items favourites, or ends that.")
    {
      try await $0.setFavourite($1)
    },
    Route(
      .post, "window", "body `window`, `location`, `selection`, `view`, `closed`",
      "Notes what a window shows, for the next session."
    ) { try await $0.note($1) },
    Route(.post, "offers", "body `items`", "The actions for items, and the ways to share them.") {
      try await $0.offers($1)
    },
    Route(
      .post, "action", "body `action`, `items`, `options`, `job`",
      "Runs an action, unless it changes files and the browser is read-only."
    ) { try await $0.act($1) },
    Route(
      .post, "share", "body `service`, `items`, `job`",
      "Shares items by a service of the application."
    ) { try await $0.share($1) },
    Route(.post, "cancel", "body `job`", "Cancels an export, a conversion or an action.") {
      try await $0.cancelJob($1)
    },
    Route(.post, "reveal", "body `item`", "Shows an item in the file manager of the desktop.") {
      try await $0.revealOutside($1)
    },
    Route(
      .post, "resolve", "body `item`, `keep`",
      "Ends a conflict of an open document: `ours`, `theirs`, `both` or `merged` stays.",
      changes: true
    ) { try await $0.resolve($1) },
    Route(.post, "answer", "body `question`, `value`", "Answers a question that is asked once.") {
      try await $0.answerQuestion($1)
    },
    Route(
      .get, "background", "", "The open documents that no window shows: they could not be closed."
    ) { server, _ in await server.background() },
    Route(
      .post, "rescue", "body `item`, `way`, `window`, `location`, `name`",
      "Ends a state in which a document is not saved: `restore`, `recreate`, `discard`, `copy` or `outside`.",
      changes: true
    ) { try await $0.rescue($1) },
    Route(
      .get, "recovery", "", "The unsaved contents that programs have left, the newest first."
    ) { server, _ in try await server.recovered() },
    Route(
      .post, "recovery", "body `entry`, `way`, `item`, `location`, `name`",
      "Takes unsaved contents into a document, writes or removes them: `take`, `copy` or `discard`.",
      changes: true
    ) { try await $0.recover($1) },
    Route(
      .get, "recovery-contents", "`entry`, `as`, `size`",
      "Unsaved contents as `effect` for the player, `thumbnail` or `text`."
    ) { try await $0.recoveredContents($1) },
    Route(.post, "setting", "body `name`, `value`", "Sets a setting of the user.") {
      try await $0.set($1)
    },
    Route(
      .post, "pick", "body `items`, or `location`, `name`, `replaces`",
      "Ends `particles pick` with these items or this name, or with none for null."
    ) { try await $0.pick($1) },
    Route(
      .post, "show", "body `paths`, `reveals`",
      "Shows files and folders that a later call of the tool names.", for: .tool
    ) { try await $0.show($1) },
    Route(.get, "windows", "", "The number of pages that are connected.", for: .tool) {
      server, _ in
      HTTPAnswer(["pages": .int(server.pageCount), "seen": .bool(server.wasSeen)])
    },
  ]

  /// The routes of a path with a kind of access.
  static func find(
    _ path: String, for access: RequestGuard.Access
  ) -> (routes: [Route], rest: String) {
    let open = all.filter { $0.access == access }
    let exact = open.filter { $0.path == path }
    if !exact.isEmpty { return (exact, "") }
    for route in open where route.path.hasSuffix("/") && path.hasPrefix(route.path) {
      return ([route], String(path.dropFirst(route.path.count)))
    }
    return ([], "")
  }
}

/// The values of a query.
enum QueryText {
  /// - Returns: nil for text that is no query in UTF-8, or names a value twice.
  static func values(_ query: String) -> [String: String]? {
    var values: [String: String] = [:]
    for part in query.split(separator: "&") {
      let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, let name = decoded(halves[0]), let value = decoded(halves[1]),
        values.updateValue(value, forKey: name) == nil
      else { return nil }
    }
    return values
  }

  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard rest.count >= 2,
          let number = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
        else { return nil }
        bytes.append(number)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// A text in percent-encoding, for headers and addresses.
  static func encoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { result, byte in
      let isPlain =
        byte < 0x80
        && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
        || "-._~".utf8.contains(byte)
      result += isPlain ? String(Unicode.Scalar(byte)) : "%" + [byte].hexDigits.uppercased()
    }
  }
}
