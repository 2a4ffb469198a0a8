internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesFormats
internal import ParticlesModel

// The editor: pages show an effect and order changes; the document is here.

extension Browser {
  /// The document of an item as an effect that is edited.
  /// - Throws: ``ParticlesCore/Rule/fileClosed`` if it is not open as one.
  func editedEffect(_ id: BrowserItem.ID) throws -> any EditedEffect {
    guard let document = open[id]?.document as? any EditedEffect else {
      throw Diagnostic(
        .fileClosed, at: Location(file: table[id]?.path), "it is not open in an editor")
    }
    return document
  }

  /// Opens an effect in the editor of a window. A file of another format stays one.
  /// - Parameter page: the window, and the contents that it has.
  func openEffect(_ id: BrowserItem.ID, for page: PageBasis) async throws -> JSONObject {
    let window = page.window
    let isNew = open[id] == nil
    _ = try await open(id, in: window, as: .effect)
    // Changes that a program has left in the recovery journal are taken as an edit, which pages tell.
    var recovered: RecoveredContents?
    if isNew, !configuration.isReadOnly {
      // The effect is opened without them if they cannot be read; they stay in the journal.
      do { recovered = try await takeRecovered(id) } catch {
        hub.send(.failed(Self.diagnostic(error)))
      }
    }
    if !configuration.isReadOnly, !edits.isBegun(id) { await makeAgain(id) }
    var state = try await effectState(id, for: page)
    state["recovered"] = recovered.map { .object(Self.outline($0)) }
    state["obstacle"] = await obstacle(id).map(JSONValue.object)
    return state
  }

  // MARK: What pages show

  /// The effect of an open document as it is now.
  func effectPackage(_ id: BrowserItem.ID) async throws -> EffectPackage {
    try await editedEffect(id).effect
  }

  /// The names of the edits that can be undone, of those that a menu has room for.
  func editNames(of id: BrowserItem.ID) async throws -> JSONValue {
    .array(try await editedEffect(id).undoNames.suffix(200).map(JSONValue.string))
  }

  /// Contents and states of a document, with images, the list of edits, and the conflict.
  func effectState(_ id: BrowserItem.ID, for page: PageBasis) async throws -> JSONObject {
    var object = try await contents(of: id, for: page)
    object["undo"] = try await editNames(of: id)
    object.add(try await surroundings(of: id))
    return object
  }

  /// The images, the format and the conflict of a document.
  func surroundings(of id: BrowserItem.ID) async throws -> JSONObject {
    let edited = try editedEffect(id)
    let package = try await edited.effect
    var object: JSONObject = [
      "files": .array(Self.images(of: package)), "isViewing": .bool(configuration.isReadOnly),
    ]
    if let foreign = await edited.foreign, let format = foreign.format {
      object["format"] = [
        "name": .string(format.name), "title": .string(format.title),
        "isWritable": .bool(foreign.isWritable),
      ]
    }
    if let sides = await edited.sides {
      object["conflict"] = [
        "clashes": .array(sides.clashes.map(JSONValue.string)),
        "canMerge": .bool(sides.merged != nil),
      ]
    }
    return object
  }

  /// The images of an effect: those that its document names.
  private static func images(of package: EffectPackage) -> [JSONValue] {
    guard let system = try? package.system() else { return [] }
    return system.images.enumerated().map { index, image in
      let file = package.container.root[image.uri]?.contents
      let sprites = system.sprites.indices.filter { system.sprites[$0].image == index }
      var object: JSONObject = [
        "path": .string(image.uri), "uri": .string(image.uri), "index": .int(index),
        "isMissing": .bool(file == nil), "size": .int(file?.size ?? 0),
        "sprites": .array(sprites.map { .int($0) }),
      ]
      object["sprite"] = sprites.first.map { .int($0) }
      object["digest"] = image.sha256.map { .string(String($0.prefix(16))) }
      object["width"] = image.width.map { .int($0) }
      object["height"] = image.height.map { .int($0) }
      return .object(object)
    }
  }
}

extension Browser {
  /// A document has closed itself.
  func endedEffect(_ id: BrowserItem.ID) { ended(id) }
}
