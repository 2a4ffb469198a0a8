public import ParticlesCore
package import ParticlesDocuments
internal import ParticlesModel
internal import ParticlesSystem

/// The features and the looks of a browser: a value, with a JSON form.
///
///     var configuration = BrowserConfiguration()
///     configuration.allowedTypes = ["org.particles-format.particles"]
///     configuration.allowsMultiple = false
public struct BrowserConfiguration: Sendable, Hashable {
  /// The colours of the pages.
  public enum Style: String, Sendable, CaseIterable {
    /// As the system.
    case automatic
    /// Dark text on a light background.
    case light
    /// Light text on a dark background.
    case dark
    /// Dark text on white.
    case white
  }

  /// The display of items that cannot be opened.
  public enum Others: String, Sendable, CaseIterable {
    /// They are shown, and cannot be selected.
    case dimmed
    /// They are left out.
    case hidden
  }

  /// The identifiers of the types that can be opened, which include their subtypes. Default: an empty list, which
  /// allows effects of all formats and plain texts.
  public var allowedTypes: [String] = []

  /// The filename extensions that can be opened, besides ``allowedTypes``. If there are no types, only these.
  public var allowedExtensions: [String] = []

  /// Whether documents can be created. Default: true.
  public var allowsCreation = true

  /// Whether several items can be selected. Default: true. If false, the last selected item stays.
  public var allowsMultiple = true

  /// Whether documents are only viewed, and operations are refused. Default: false.
  public var isReadOnly = false

  /// The display of items that cannot be opened. Default: dimmed.
  public var others = Others.dimmed

  /// Whether names are shown with their extensions. Default: true.
  public var showsExtensions = true

  /// Whether hidden files and folders are listed. Default: false.
  public var showsHidden = false

  /// Whether opened documents are noted as recent. Default: true.
  public var keepsRecents = true

  /// When documents are saved automatically. Measurements of costs turn it off, because it depends on the clock.
  package var autosave = DocumentConfiguration().autosave

  /// The colours.
  public var style = Style.automatic

  /// The colour of controls: a name of CSS such as `orange`, or `#RRGGBB`. Nil selects the system's colour.
  public var tint: String?

  /// The title of the command that creates a document. Nil selects the front end's title.
  public var creationTitle: String?

  /// Creates the default configuration.
  public init() {}
}

extension BrowserConfiguration {
  /// Throws unless a tint is a colour.
  static func check(tint: String) throws(Diagnostic) {
    guard ParticleSystem.Color(text: tint) == nil else { return }
    throw Diagnostic(
      .range, at: .key("tint"), expected: "a colour: a name of CSS, or #RRGGBB",
      found: "'\(tint)'")
  }

  /// Whether listings have an item.
  func shows(_ item: BrowserItem) -> Bool {
    (showsHidden || !item.name.hasPrefix(".")) && (others == .dimmed || item.isSelectable)
  }
}

/// Where a browser keeps its own files, and the environment variables of the machine.
public struct BrowserEnvironment: Sendable {
  /// The variables. Used are `HOME`, `PATH`, `XDG_CURRENT_DESKTOP` and those in the XDG Base Directory Specification.
  public var variables: [String: String]

  /// Creates the environment of these variables.
  public init(variables: [String: String]) { self.variables = variables }

  /// Creates the environment of this process.
  public init() {
    var variables: [String: String] = [:]
    for name in BaseDirectories.variables + ["XDG_CURRENT_DESKTOP", "PATH"] {
      variables[name] = RunningProcess.variable(name)
    }
    self.init(variables: variables)
  }

  var directories: BaseDirectories { BaseDirectories(environment: variables) }

  /// The folders for files of programs, which may be links that lead elsewhere.
  var ownFolders: [String] {
    let folders = directories
    return [
      folders.dataHome, folders.configHome, folders.cacheHome, folders.stateHome, folders.runtime,
    ].compactMap(\.self)
  }

  /// Settings, the session, or the journal of operations, in the user's store, or nil without a home folder.
  func state(_ name: String) -> StoredState? {
    directories.dataHome.map { folder in
      StoredState(
        name, in: UserStore.of(dataFolder: folder),
        insteadOf: directories.stateHome.map { Files.joined($0, "particles/\(name).json") })
    }
  }
}

/// Functions that an application adds to a browser, or replaces in it. Each has a default, so that a browser needs none.
///
///     var hooks = BrowserHooks()
///     hooks.sharing = { items in items.count == 1 ? [publish] : [] }
///     hooks.willOpen = { item in if item.tags.contains("locked") { throw Locked() } }
///     let browser = try Browser(providers: [provider], hooks: hooks)
public struct BrowserHooks: Sendable {
  /// More ways to share documents, as actions, besides the front end's own. The parameter has the selected items in the
  /// order of selection. Default: none.
  public var sharing: @Sendable ([BrowserItem]) -> [BrowserAction] = { _ in [] }

  /// Called before a document is opened. An error that it throws is the reason why it stays closed. Does nothing by default.
  public var willOpen: @Sendable (BrowserItem) async throws -> Void = { _ in }

  /// Chooses and sorts the templates that are offered. Default: all.
  public var templates: @Sendable ([BrowserTemplate]) -> [BrowserTemplate] = { $0 }

  /// The questions that are asked once, in this order. Default: none.
  public var questions: [BrowserQuestion] = []

  /// Creates the defaults.
  public init() {}
}

/// A question that a front end asks the user once. The answer is a setting, which can be changed later.
///
///     let question = BrowserQuestion(
///       "place", "Where are new documents kept?", choices: [("cloud", "In the cloud"), ("here", "On this machine")])
public struct BrowserQuestion: Sendable {
  /// The identifier, unique in a browser.
  public var identifier: String
  /// The question, for users.
  public var text: String
  /// The answers: a value that is stored, and its title, for users.
  public var choices: [(value: String, title: String)]

  /// Creates a question.
  public init(_ identifier: String, _ text: String, choices: [(value: String, title: String)]) {
    (self.identifier, self.text, self.choices) = (identifier, text, choices)
  }

  /// The name of the setting with the answer.
  var setting: String { "answer.\(identifier)" }

  /// The question as JSON.
  public var json: JSONValue {
    [
      "id": .string(identifier), "text": .string(text),
      "choices": .array(
        choices.map { ["value": .string($0.value), "title": .string($0.title)] }),
    ]
  }
}

extension Browser {
  /// The answer to a question, or nil before it was answered.
  public func answer(to question: String) -> String? {
    guard let question = hooks.questions.first(where: { $0.identifier == question }) else {
      return nil
    }
    let value = settingValues[question.setting]?.string
    // Answers that are not offered any more are ignored.
    return question.choices.contains { $0.value == value } ? value : nil
  }

  /// The questions that were not answered yet, in the order in which they are asked.
  public var openQuestions: [BrowserQuestion] {
    hooks.questions.filter { answer(to: $0.identifier) == nil }
  }

  /// Stores the answer to a question among the settings. It replaces an earlier answer.
  /// - Throws: ``ParticlesCore/Rule/range`` for an unknown question or answer, and errors of writing.
  public func answer(_ question: String, with value: String) async throws {
    guard let known = hooks.questions.first(where: { $0.identifier == question }) else {
      throw Diagnostic(
        .range, "the question", expected: "the identifier of a question",
        found: "'\(question.excerpt)'")
    }
    guard known.choices.contains(where: { $0.value == value }) else {
      let values = known.choices.map { "'\($0.value)'" }.joined(separator: ", ")
      throw Diagnostic(
        .range, "the answer", expected: "one of \(values)", found: "'\(value.excerpt)'")
    }
    try await set(known.setting, to: .string(value))
  }

  /// The ways of ``BrowserHooks/sharing`` to share some items, as they are offered.
  public func sharingOffers(for ids: [BrowserItem.ID]) async -> [BrowserOffer] {
    await services(for: ids).map { offer($0, for: ids) }
  }

  /// Shares items by a service of ``BrowserHooks/sharing``.
  /// - Throws: ``ParticlesCore/Rule/range`` for a service that is not offered, and errors of the service.
  public func share(
    _ service: String, _ ids: [BrowserItem.ID], job: String = ""
  ) async throws -> BrowserActionOutcome {
    let services = await services(for: ids)
    guard let action = services.first(where: { $0.identifier == service }) else {
      let names = services.map(\.identifier).joined(separator: ", ")
      throw Diagnostic(
        .range, "the service", expected: services.isEmpty ? "none: no service is offered" : names,
        found: "'\(service.excerpt)'")
    }
    return try await run(action, on: ids, options: [:], job: job)
  }

  private func services(for ids: [BrowserItem.ID]) async -> [BrowserAction] {
    var items: [BrowserItem] = []
    for id in ids { if let item = try? await item(id) { items.append(item) } }
    return items.count == ids.count ? hooks.sharing(items) : []
  }
}

/// The well-known folders of the user (`user-dirs.dirs`, xdg-user-dirs).
struct UserFolders {
  let roots: [ProviderRoot]

  private static let names: [(key: String, kind: ProviderRoot.Kind)] = [
    ("XDG_DESKTOP_DIR", .desktop), ("XDG_DOCUMENTS_DIR", .documents),
    ("XDG_DOWNLOAD_DIR", .downloads), ("XDG_PICTURES_DIR", .pictures),
    ("XDG_TEMPLATES_DIR", .templates), ("XDG_PUBLICSHARE_DIR", .publicShare),
  ]

  init(_ environment: BrowserEnvironment) {
    guard let home = environment.variables["HOME"], home.hasPrefix("/") else {
      roots = []
      return
    }
    var folders: [String: String] = [:]
    if let config = environment.directories.configHome,
      let bytes = try? Files.read(Files.joined(config, "user-dirs.dirs"))
    {
      folders = Self.read(String(decoding: bytes, as: UTF8.self), home: home)
    }
    var found = [ProviderRoot(path: home, name: Files.lastComponent(of: home), kind: .home)]
    for (key, kind) in Self.names {
      guard let path = folders[key], (try? Files.status(path))??.kind == .directory else {
        continue
      }
      found.append(ProviderRoot(path: path, name: Files.lastComponent(of: path), kind: kind))
    }
    roots = found
  }

  /// Lines such as `XDG_DESKTOP_DIR="$HOME/Desktop"`. Relative paths do not count.
  static func read(_ text: String, home: String) -> [String: String] {
    var folders: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[1].hasPrefix("\""), parts[1].hasSuffix("\"") else { continue }
      var value = ""
      var isEscaped = false
      for character in parts[1].dropFirst().dropLast() {
        if character == "\\", !isEscaped {
          isEscaped = true
        } else {
          value.append(character)
          isEscaped = false
        }
      }
      var path = value
      if value == "$HOME" || value.hasPrefix("$HOME/") {
        path = home + value.dropFirst(5)
      }
      while path.count > 1, path.hasSuffix("/") { path.removeLast() }
      if path.hasPrefix("/") { folders[String(parts[0])] = path }
    }
    return folders
  }
}
