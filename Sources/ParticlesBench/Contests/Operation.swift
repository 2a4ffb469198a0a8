/// A measured operation.
enum Operation: String, CaseIterable {
  /// Packs a folder.
  case pack
  /// Packs a folder at the fast level.
  case packFast = "pack-fast"
  /// Unpacks a package.
  case unpack
  /// Lists the names in a package.
  case list
  /// Extracts one small file.
  case extract
  /// Verifies a package by unpacking everything.
  case verify
  /// Verifies a package by the checksums of the stored bytes only.
  case verifyQuick = "verify-quick"
  /// Saves a document, of which 4 KB have changed, by appending to its file.
  case append
  /// The same, synchronised to disk: in the folder for temporary files, whereas all other operations
  /// run in memory if there is room.
  case appendSynced = "append-synced"
  /// Saves the same document by rewriting its file.
  case replace
  /// Opens a package in this process and reads one small file.
  case read
  /// Decodes a typical document from its JSON, in this process.
  case decode
  /// Encodes it as JSON.
  case encode
  /// Prints the version of the tool.
  case start
  /// Prints information about a small document.
  case info
  /// Converts a SpriteKit file to cocos2d without writing it (`--dry-run`).
  case convert
  /// Converts thousands of small effects with their images to packages, in one run.
  case batch

  /// Exports an effect of many plain emitters to cocos2d in this process, beside effects of fewer.
  case exportCocos2d = "export-cocos2d"
  /// The same to SpriteKit.
  case exportSpriteKit = "export-spritekit"
  /// The same to SceneKit.
  case exportSceneKit = "export-scenekit"
  /// The same to Starling.
  case exportStarling = "export-starling"

  /// Advances and evaluates 10,000 particles on one core.
  case simulate10k = "simulate-10k"
  /// The same on two cores.
  case simulate10kTwo = "simulate-10k-two"
  /// 100,000 particles.
  case simulate100k = "simulate-100k"
  /// The same on two cores.
  case simulate100kTwo = "simulate-100k-two"
  /// A million particles, beside fewer.
  case simulateMillion = "simulate-million"

  /// Draws 60 frames of 512 × 512 pixels of the template Fire as a GIF.
  case renderGIF = "render-gif"
  /// Draws a thumbnail of 256 pixels of each template in a new process; the slowest one counts.
  case thumbnailTemplates = "thumbnail-templates"
  /// Draws a thumbnail of each effect of the corpus, each in a new process.
  case thumbnailCorpus = "thumbnail-corpus"
  /// Opens a typical document, in this process.
  case documentOpen = "document-open"
  /// Changes a property and saves it automatically.
  case documentAutosave = "document-autosave"
  /// The same, synchronised to disk, beside one flush of as many bytes.
  case documentAutosaveSynced = "document-autosave-synced"
  /// Undoes 10,000 edits.
  case documentUndo = "document-undo"
  /// Makes and undoes 10,000 edits of a document of 100 MiB; the memory is what they need at most.
  case documentUndoMemory = "document-undo-memory"
  /// Makes 100,000 edits; the memory is what the last 80,000 add.
  case documentEdits = "document-edits"
  /// The longest time for reading and editing while a document of 100 MiB is saved.
  case documentBlocked = "document-blocked"

  /// Reads the system's types from their table.
  case typesLoad = "types-load"
  /// Looks up the type of a file name extension.
  case typeOfExtension = "type-of-extension"
  /// Tests whether one type conforms to another.
  case conforms

  /// Whether it runs inside this process.
  var isInProcess: Bool {
    switch self {
    case .pack, .packFast, .unpack, .list, .extract, .verify, .verifyQuick: false
    case .start, .info, .convert, .batch: false
    default: !isPicture
    }
  }

  /// Whether it depends on the shape; otherwise it is measured once, with the smallest shape.
  var isAboutPackages: Bool {
    switch self {
    case .pack, .packFast, .unpack, .list, .extract, .verify, .verifyQuick: true
    case .append, .appendSynced, .replace, .read: true
    default: false
    }
  }

  /// The number of particles that are simulated; nil for anything else.
  var particleCount: Int? {
    switch self {
    case .simulate10k, .simulate10kTwo: 10_000
    case .simulate100k, .simulate100kTwo: 100_000
    case .simulateMillion: 1_000_000
    default: nil
    }
  }

  /// Whether it draws pictures.
  var isPicture: Bool {
    switch self {
    case .renderGIF, .thumbnailTemplates, .thumbnailCorpus: true
    default: false
    }
  }

  /// Whether two cores are measured beside one.
  var isOnTwoCores: Bool { self == .simulate10kTwo || self == .simulate100kTwo }

  /// The name of the format that many emitters are exported to; nil for anything else.
  var exportFormat: String? {
    rawValue.hasPrefix("export-") ? String(rawValue.dropFirst("export-".count)) : nil
  }

  /// The number of counted rounds.
  func rounds(on shape: Shape, quick: Bool) -> Int {
    if particleCount != nil { return quick ? 3 : 7 }
    if self == .thumbnailCorpus { return 1 }
    if isPicture { return quick ? 1 : 5 }
    if [.documentUndoMemory, .documentEdits, .documentBlocked].contains(self) {
      return quick ? 1 : 3
    }
    return exportFormat == nil && self != .batch ? shape.rounds(quick: quick) : quick ? 1 : 3
  }
}
