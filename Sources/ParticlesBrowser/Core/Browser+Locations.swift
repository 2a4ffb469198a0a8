internal import ParticlesCore

extension Browser {
  /// The locations of the side bar: recent documents, the roots of the providers, favourite folders, the trash.
  public func locations() async -> [BrowserLocation] {
    var result: [BrowserLocation] = []
    if recents != nil { result.append(recentsLocation) }
    for (id, root, provider) in await roots() {
      result.append(
        BrowserLocation(
          id: id, name: root.name, kind: root.kind.rawValue, provider: provider.identifier,
          path: provider is FolderProvider ? root.path : nil,
          isWritable: isWritable(root.path, provider), problem: Self.words(provider.state)))
    }
    for favourite in favourites {
      // A root is shown once.
      guard let item = await item(of: favourite), item.isFolder,
        !result.contains(where: { $0.id == item.id })
      else { continue }
      result.append(location(item, kind: "favourite"))
    }
    if trashProvider != nil { result.append(trashLocation) }
    return result
  }

  var recentsLocation: BrowserLocation {
    BrowserLocation(
      id: BrowserLocation.recents, name: "Recents", kind: "recents", provider: "", isWritable: false
    )
  }

  var trashLocation: BrowserLocation {
    BrowserLocation(
      id: BrowserLocation.trash, name: "Trash", kind: "trash",
      provider: trashProvider?.identifier ?? "", isWritable: false)
  }

  /// The provider that the trash of this machine belongs to.
  nonisolated var trashProvider: FolderProvider? {
    providers.lazy.compactMap { $0 as? FolderProvider }.first
  }

  private func isWritable(_ path: String, _ provider: any BrowserProvider) -> Bool {
    guard !configuration.isReadOnly, provider.state == .available else { return false }
    return provider is FolderProvider ? Files.canCreate(in: path) : true
  }

  private static func words(_ state: ProviderState) -> String? {
    switch state {
    case .available, .replaced: nil
    case .unavailable(let reason): reason
    case .gone: "is gone"
    }
  }

  func location(_ item: BrowserItem, kind: String = "folder") -> BrowserLocation {
    BrowserLocation(
      id: item.id, name: item.displayName, kind: kind, provider: item.provider, path: item.path,
      isWritable: !configuration.isReadOnly && item.isWritable)
  }

  // MARK: Roots

  /// A root with its identity and its provider.
  typealias Root = (id: BrowserItem.ID, root: ProviderRoot, provider: any BrowserProvider)

  /// The roots with their identities. Providers that fail have none for now.
  func roots() async -> [Root] {
    if let rootItems { return rootItems }
    var found: [Root] = []
    for provider in providers {
      let state = provider.state
      states[provider.identifier] = state
      if state == .gone { continue }
      guard Self.words(state) == nil else {
        // They are shown, with the reason.
        found += knownRoots.filter { $0.provider.identifier == provider.identifier }
        continue
      }
      for root in (try? await provider.roots()) ?? [] {
        var entry = ProviderEntry(path: root.path, name: root.name, kind: .folder)
        entry.identity = (try? await provider.entry(at: root.path))??.identity
        let id = table.id(ofRoot: entry, from: provider.identifier)
        found.append((id, root, provider))
      }
    }
    if rootItems == nil, watches.isEmpty { await watchProviders() }
    (rootItems, knownRoots) = (found, found)
    return found
  }

  private func watchProviders() async {
    for provider in providers {
      let watch = try? await provider.watch(nil) { [weak self] change in
        Task { [weak self] in await self?.providerChanged(provider, change) }
      }
      if let watch { watches.append(watch) }
    }
  }

  /// Takes what has happened to a provider.
  func providerChanged(_ provider: any BrowserProvider, _ change: ProviderChange) async {
    switch change {
    case .entries: return
    case .roots: rootItems = nil
    case .state(let state):
      let old = states[provider.identifier]
      guard old != state else { return }
      states[provider.identifier] = state
      rootItems = nil
      switch state {
      case .available, .unavailable: break
      case .gone: await closeDocuments(of: provider)
      case .replaced:
        // Nothing that was known of it counts.
        await closeDocuments(of: provider)
        for (id, folder) in folders where folder.provider.identifier == provider.identifier {
          folders[id] = nil
          hub.send(.reload(location: id))
        }
      }
    }
    hub.send(.locations)
  }

  // MARK: Paths and references

  /// The item at a path of this machine; nil if it is in no location.
  public func item(atPath path: String) async throws -> BrowserItem? {
    guard let provider = trashProvider, await provider.isInside(path, followingLinks: false) else {
      return nil
    }
    let place = Files.joined(
      try Files.resolve(Files.folder(of: path)), Files.lastComponent(of: path))
    return try await item(at: place, of: provider)
  }

  /// The item at a path of a provider; the folders that it is in become known, too.
  func item(at path: String, of provider: any BrowserProvider) async throws -> BrowserItem? {
    let roots = await roots().filter { $0.provider.identifier == provider.identifier }
    let around = roots.filter { path == $0.root.path || Self.isInside(path, $0.root.path) }
    guard let root = around.max(by: { $0.root.path.utf8.count < $1.root.path.utf8.count }) else {
      return nil
    }
    guard let id = try await descend(from: root, to: path) else { return nil }
    return try await item(id)
  }

  /// The identity of the item at a path below a root; the folders between them become known.
  private func descend(from root: Root, to path: String) async throws -> BrowserItem.ID? {
    var (parent, place) = (root.id, root.root.path)
    let names = path.dropFirst(place == "/" ? 1 : place.count + 1).split(separator: "/")
    for (index, name) in names.map(String.init).enumerated() {
      place = Files.joined(place, name)
      guard let entry = try await root.provider.entry(at: place) else { return nil }
      guard index == names.count - 1 || entry.kind == .folder else { return nil }
      parent = table.id(of: entry, from: root.provider.identifier, in: parent)
    }
    return parent
  }

  /// Makes a root known in the folders of another root that it is in, such as the documents in the home folder: they are its ancestors, also
  /// before they are listed. A volume is where its own paths begin.
  func connect(_ id: BrowserItem.ID) async {
    let roots = await roots()
    guard let inner = roots.first(where: { $0.id == id }), inner.provider is FolderProvider,
      inner.root.kind != .volume
    else { return }
    let around = roots.filter {
      $0.provider.identifier == inner.provider.identifier && $0.root.kind != .volume
        && Self.isInside(inner.root.path, $0.root.path)
    }
    guard let outer = around.max(by: { $0.root.path.utf8.count < $1.root.path.utf8.count })
    else { return }
    _ = try? await descend(from: outer, to: inner.root.path)
  }

  private static func isInside(_ path: String, _ folder: String) -> Bool {
    path.hasPrefix(folder == "/" || folder.isEmpty ? folder : "\(folder)/")
  }

  /// The item of a reference; nil if it is gone. One that was renamed in its folder is found by its identity.
  func item(of reference: Reference) async -> BrowserItem? {
    guard let provider = provider(reference.provider) else { return nil }
    let entry = (try? await provider.entry(at: reference.path)) ?? nil
    let isOther = entry.map { Self.stamp($0, provider) != reference.identity } ?? true
    if isOther, let identity = reference.identity?.split(separator: "@").first,
      let folder = try? await provider.entries(in: Files.folder(of: reference.path)),
      let found = folder.entries.first(where: { $0.identity.map { $0 == identity } ?? false }),
      Self.stamp(found, provider) == reference.identity
    {
      return (try? await item(at: found.path, of: provider)) ?? nil
    }
    // A save replaces the file under its name.
    return entry == nil ? nil : (try? await item(at: reference.path, of: provider)) ?? nil
  }
}
