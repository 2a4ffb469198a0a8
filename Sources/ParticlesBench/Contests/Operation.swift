/// What is measured.
enum Operation: String, CaseIterable {
  /// A folder becomes a package.
  case pack
  /// The same in a hurry.
  case packFast = "pack-fast"
  /// A package becomes a folder.
  case unpack
  /// The names in a package.
  case list
  /// One small file out of a package.
  case extract
  /// Is every byte as it was written? Unpacks everything.
  case verify
  /// The same by the checksums of what is stored.
  case verifyQuick = "verify-quick"
  /// A document of which 4 KB changed is saved behind what its file holds.
  case append
  /// The same until it is on the disk: in the folder for temporary files, whereas all else takes
  /// place in memory if there is room.
  case appendSynced = "append-synced"
  /// The same by writing the file anew.
  case replace
  /// A package is opened in this process and one small file read.
  case read
  /// A typical document is read from its JSON, in this process.
  case decode
  /// It is written as JSON.
  case encode
  /// The tool says its version.
  case start
  /// The tool says what a small document is.
  case info
  /// The tool converts a file of SpriteKit's to cocos2d and writes nothing.
  case convert

  /// An effect of many plain emitters is exported in this process, beside effects of fewer.
  case exportCocos2d = "export-cocos2d"
  /// The same to SpriteKit.
  case exportSpriteKit = "export-spritekit"
  /// The same to SceneKit.
  case exportSceneKit = "export-scenekit"
  /// The same to Starling.
  case exportStarling = "export-starling"

  /// The types of the system are read from their table.
  case typesLoad = "types-load"
  /// The type of an extension is looked up.
  case typeOfExtension = "type-of-extension"
  /// One type is asked whether it conforms to another.
  case conforms

  /// Whether we do it inside of this process.
  var isInProcess: Bool {
    switch self {
    case .append, .appendSynced, .replace, .read, .decode, .encode: true
    case .typesLoad, .typeOfExtension, .conforms: true
    case .exportCocos2d, .exportSpriteKit, .exportSceneKit, .exportStarling: true
    default: false
    }
  }

  /// Whether it has to do with packages; otherwise it is measured once, beside the smallest shape.
  var isAboutPackages: Bool {
    switch self {
    case .start, .info, .decode, .encode, .convert: false
    case .typesLoad, .typeOfExtension, .conforms: false
    case .exportCocos2d, .exportSpriteKit, .exportSceneKit, .exportStarling: false
    default: true
    }
  }

  /// The name of the format that many emitters are exported to; nil for anything else.
  var exportFormat: String? {
    rawValue.hasPrefix("export-") ? String(rawValue.dropFirst("export-".count)) : nil
  }

  /// How many rounds count.
  func rounds(on shape: Shape, quick: Bool) -> Int {
    exportFormat == nil ? shape.rounds(quick: quick) : quick ? 1 : 3
  }
}
