/// A browser of documents without a screen: locations, listings, selection, operations that can be undone, actions, open
/// documents and the session. Front ends show it and call it; all of them see the same.
///
///     let browser = Browser(providers: [provider])
///     let folder = try await browser.locations()[0]
///     let listing = try await browser.list(BrowserQuery(folder.id))
///     for item in listing.items { print(item.displayName) }
public actor Browser {
  /// What it offers.
  public nonisolated let configuration: BrowserConfiguration
  /// The folders of its own files, and the environment.
  public nonisolated let environment: BrowserEnvironment

  /// Creates a browser.
  /// - Parameters:
  ///   - providers: where the documents are.
  ///   - configuration: what it offers.
  ///   - actions: more actions than the built-in ones. One with the identifier of a built-in one replaces it.
  ///   - environment: the folders of its own files.
  /// - Throws: ``ParticlesCore/Rule/range`` if two own actions have one identifier, or an action has no title or
  ///   names a type that is not declared.
  public init(
    providers: [any BrowserProvider], configuration: BrowserConfiguration = BrowserConfiguration(),
    actions: [BrowserAction] = [], environment: BrowserEnvironment = BrowserEnvironment()
  ) throws {
    self.configuration = configuration
    self.environment = environment
  }
}
