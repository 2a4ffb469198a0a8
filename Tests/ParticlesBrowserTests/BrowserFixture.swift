import ParticlesBrowser
import ParticlesContainer
import ParticlesPackages
import ParticlesCore
import ParticlesDocuments
import ParticlesEffects
import ParticlesSystem
import ParticlesTestSupport
import Testing

/// A browser of a folder `docs`, whose user has only files in a temporary folder.
struct BrowserFixture {
  let scratch: Scratch
  let browser: Browser
  let docs: String
  let root: BrowserItem.ID

  /// - Parameters:
  ///   - files: names of files with their texts. A name that ends in a slash is a folder.
  ///   - more: further providers.
  init(
    _ files: [String: String] = [:], _ configuration: BrowserConfiguration = BrowserConfiguration(),
    actions: [BrowserAction] = [], hooks: BrowserHooks = BrowserHooks(),
    providers more: [any BrowserProvider] = [],
    in scratch: Scratch? = nil
  ) async throws {
    self.scratch = try scratch ?? Scratch()
    docs = "\(try Files.resolve(self.scratch.path))/docs"
    try Files.makeDirectories(docs)
    for (name, text) in files.sorted(by: { $0.key < $1.key }) {
      if name.hasSuffix("/") {
        try Files.makeDirectories("\(docs)/\(name.dropLast())")
      } else {
        try Files.makeDirectories(Files.folder(of: "\(docs)/\(name)"))
        try Files.create("\(docs)/\(name)", Array(text.utf8))
      }
    }
    let environment = BrowserEnvironment(
      variables: self.scratch.desktop(["XDG_STATE_HOME": self.scratch.file("state")]))
    browser = try Browser(
      providers: [FolderProvider([docs], environment: environment)] + more,
      configuration: configuration, actions: actions, hooks: hooks, environment: environment,
      registry: DocumentRegistry())
    let folder = await browser.locations().first { $0.kind == "folder" }
    root = try #require(folder).id
  }

  func path(_ name: String) -> String { "\(docs)/\(name)" }

  func text(_ name: String) throws -> String {
    String(decoding: try Files.read(path(name)), as: UTF8.self)
  }

  func exists(_ name: String) throws -> Bool {
    try Files.status(path(name), followingLinks: false) != nil
  }

  /// The names in the folder, in the order of the listing.
  func names(_ query: BrowserQuery? = nil) async throws -> [String] {
    try await browser.list(query ?? BrowserQuery(root)).items.map(\.name)
  }

  func item(_ name: String) async throws -> BrowserItem {
    try #require(try await browser.item(atPath: path(name)))
  }

  func id(_ name: String) async throws -> BrowserItem.ID { try await item(name).id }

  /// Writes a package made of a template.
  func effect(_ name: String, _ template: String = "blank") throws {
    var container = try #require(EffectTemplate.named(template)).package().container
    try container.save(to: path(name), as: .flat)
  }

  /// The events until `isLast` accepts an event, or until the seconds have passed.
  static func events(
    _ stream: AsyncStream<BrowserEvent>, for seconds: Double = 5,
    until isLast: @escaping @Sendable (BrowserEvent) -> Bool
  ) async -> [BrowserEvent] {
    let task = Task {
      var found: [BrowserEvent] = []
      for await event in stream {
        found.append(event)
        if isLast(event) { break }
      }
      return found
    }
    let end = Task {
      try await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
      task.cancel()
    }
    let found = await task.value
    end.cancel()
    return found
  }
}
