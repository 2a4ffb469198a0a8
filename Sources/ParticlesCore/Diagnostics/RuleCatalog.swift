// The table of rules. `Spec/rules.md` is generated from it. A test checks that every rule is in
// `all`, has a section in the specification, and has a fixture that breaks it.

extension Rule {
  // MARK: file: failures of the file system

  /// There is no file at a path.
  public static let fileNotFound = Rule(
    "file/not-found", .error, "no such file or folder", spec: "cli.md#files")
  /// A file or folder cannot be read.
  public static let fileUnreadable = Rule(
    "file/unreadable", .error, "cannot be read", spec: "cli.md#files")
  /// A file or folder cannot be written.
  public static let fileUnwritable = Rule(
    "file/unwritable", .error, "cannot be written", spec: "cli.md#files")
  /// The path is already in use.
  public static let fileExists = Rule(
    "file/exists", .error, "already exists", spec: "cli.md#files",
    hint: "choose another name, or allow it to be replaced")
  /// A file was changed after it was opened.
  public static let fileChanged = Rule(
    "file/changed", .error, "was changed by another program after it was opened",
    spec: "cli.md#files",
    hint: "open it again")

  /// Another program holds the lock of a file for longer than we wait.
  public static let fileBusy = Rule(
    "file/busy", .error, "another program is saving the file", spec: "cli.md#files",
    hint: "try again when it has finished")
  /// A document without write permission.
  public static let fileReadOnly = Rule(
    "file/read-only", .error, "is read-only", spec: "cli.md#files",
    hint: "make it writable, or allow it to be replaced")
  /// A replaced file that could not keep its owner or group.
  public static let fileOwner = Rule(
    "file/owner", .warning, "the owner or group of the file has changed", spec: "cli.md#files",
    hint: "restore it with 'chown'")
  /// A replaced file that had several names.
  public static let fileLinks = Rule(
    "file/links", .warning, "other hard links still have the old contents", spec: "cli.md#files",
    hint: "link them again with 'ln -f'")

  /// A file that was saved, and whose folder cannot be flushed to the disk.
  public static let fileUnflushed = Rule(
    "file/unflushed", .error,
    "was saved, but its folder cannot be flushed to the disk", spec: "cli.md#files",
    hint: "save it again when the disk works: a loss of power may bring back the old file")
  /// Temporary data that an interrupted save left beside a document.
  public static let fileLeftover = Rule(
    "file/leftover", .warning, "an interrupted save left temporary data",
    spec: "cli.md#files", hint: "the next save of the document removes it")

  /// An operation on a document that is not open.
  public static let fileClosed = Rule(
    "file/closed", .error, "the document is not open", spec: "documents.md#life-cycle",
    hint: "open it first")
  /// A gesture that has ended.
  public static let fileGesture = Rule(
    "file/gesture", .error, "the gesture has ended", spec: "documents.md#gestures",
    hint: "begin another one")
  /// Changes of a document that exclude changes by another program.
  public static let fileConflict = Rule(
    "file/conflict", .error, "another program has changed the same part of the document",
    spec: "documents.md#conflicts", hint: "keep one of both states, or both side by side")
  /// A version of a document that is missing or damaged.
  public static let fileVersion = Rule(
    "file/version", .error, "the version is missing or damaged", spec: "documents.md#versions",
    hint: "list the versions of the document")
  /// An edit that cannot be undone or redone.
  public static let fileUndo = Rule(
    "file/undo", .error, "the document is not as the edit has left it",
    spec: "documents.md#versions", hint: "list the versions of the document, and restore one")
  /// An edit that was saved, and of which the data folder has no record.
  public static let fileHistory = Rule(
    "file/history", .warning, "the history of the document is incomplete",
    spec: "documents.md#versions", hint: "make the data folder writable")
  /// A list in the store of versions that cannot be read, or something else in the place of a file.
  public static let fileStore = Rule(
    "file/store", .error, "the store of versions is damaged", spec: "documents.md#versions",
    hint: "repair the versions of the document, which removes the damaged parts")
  /// A text document that is not UTF-8.
  public static let fileText = Rule(
    "file/text", .error, "not a text file in UTF-8", spec: "documents.md#contents")
  /// A document that another program has open with unsaved changes, read by a command.
  public static let fileUnsaved = Rule(
    "file/unsaved", .warning, "it has unsaved changes in another program",
    spec: "cli.md#files", hint: "save it there first")

  // MARK: limit: limits of the readers

  /// A limit of the reader was reached, see ``Limits``.
  public static let limit = Rule(
    "limit/exceeded", .error, "a limit of the reader is exceeded", spec: "container.md#limits",
    hint: "if you trust the file, open it with higher limits")

  // MARK: container: the bytes of a flat package

  /// The first bytes are not the signature.
  public static let signature = Rule(
    "container/signature", .error, "not a .particles package", spec: "container.md#header")
  /// A newer version of the format.
  public static let containerVersion = Rule(
    "container/version", .error, "the package needs a newer reader",
    spec: "container.md#versions", hint: "update particles")
  /// The file ends before the footer of its first generation.
  public static let truncated = Rule(
    "container/truncated", .error, "the package is cut short", spec: "container.md#footer",
    hint: "fetch the file again, or restore it from a copy")
  /// The bytes of a frame differ from the written bytes.
  public static let checksum = Rule(
    "container/checksum", .error, "a checksum does not match", spec: "container.md#frames",
    hint: "the file is damaged; fetch it again, or restore it from a copy")
  /// The head of a frame, or a footer, contradicts the format.
  public static let frame = Rule(
    "container/frame", .error, "a frame is malformed", spec: "container.md#frames")
  /// A payload is not a valid zlib stream of the declared length.
  public static let payload = Rule(
    "container/payload", .error, "a compressed payload is not a zlib stream of the declared length",
    spec: "container.md#payloads")
  /// A tree page, block table or root is malformed.
  public static let index = Rule(
    "container/index", .error, "the index is malformed", spec: "container.md#index")
  /// Bytes outside frames, or frames out of order.
  public static let coverage = Rule(
    "container/coverage", .error, "the frames do not cover the file, or are out of order",
    spec: "container.md#order")
  /// An unfinished save after the last finished one.
  public static let torn = Rule(
    "container/torn", .warning, "an unfinished save follows the last finished one; it is ignored",
    spec: "container.md#footer", hint: "pack the document again to remove it")

  // MARK: tree: names and nodes, in any form

  /// A name that is not allowed in a package.
  public static let name = Rule(
    "tree/name", .error, "not a valid name in a package", spec: "container.md#names",
    hint: "rename it")
  /// Entries that are not in ascending order, or duplicate entries.
  public static let order = Rule(
    "tree/order", .error, "entries are not in ascending order", spec: "container.md#tree")
  /// Two entries of an archive with equal paths.
  public static let duplicate = Rule(
    "tree/duplicate", .error, "two entries have the same path",
    spec: "conversion/archives.md#entries")
  /// Two names that some file systems treat as one.
  public static let twins = Rule(
    "tree/twins", .error, "two names differ in case only", spec: "container.md#names",
    hint: "rename one of them")
  /// An entry whose parent is missing or not a directory.
  public static let parent = Rule(
    "tree/parent", .error, "the parent of an entry is not a directory", spec: "container.md#tree")
  /// A symbolic link that leads out of the package.
  public static let link = Rule(
    "tree/link", .error, "a symbolic link leads out of the package", spec: "container.md#links",
    hint: "make it relative, or replace it by its target")
  /// Contents that lie outside the stream or overlap contents of another file.
  public static let extent = Rule(
    "tree/extent", .error, "contents overlap or lie outside the stream", spec: "container.md#tree")
  /// A device, socket or pipe.
  public static let special = Rule(
    "tree/special", .error, "neither a file, a directory nor a symbolic link",
    spec: "container.md#names", hint: "move it out of the folder")
  /// An entry that could not be recovered from a damaged package.
  public static let unrecovered = Rule(
    "tree/lost", .warning, "the entry could not be recovered", spec: "container.md#order",
    hint: "its contents are damaged or missing; restore it from a copy")
  /// A name that Apple's file wrappers give to the second of two files with equal names.
  public static let collision = Rule(
    "tree/collision", .warning, "a name that Apple's file wrappers give to the second of two files",
    spec: "document.md#package", hint: "keep the right one under the plain name, remove the other")
  /// No such entry.
  public static let noEntry = Rule(
    "tree/no-entry", .error, "the package has no such entry", spec: "cli.md#files",
    hint: "list the entries; case matters")

  /// A valid name or link target that other systems change or reject.
  public static let portable = Rule(
    "tree/portable", .warning, "not portable to other systems", spec: "container.md#portable-names",
    hint: "rename it")
  /// Metadata of operating systems and version control.
  public static let systemFiles = Rule(
    "tree/system-files", .note, "files of the operating system or version control are left out",
    spec: "container.md#portable-names")
  /// An archive with one top folder around the document.
  public static let wrapper = Rule(
    "tree/wrapper", .note, "the only folder of the archive was taken as the package",
    spec: "conversion/archives.md#entries")

  // MARK: zip, tar: archives that packages are exchanged in

  /// Bytes that are not a valid ZIP archive.
  public static let zip = Rule(
    "zip/malformed", .error, "not a valid ZIP archive", spec: "conversion/archives.md#zip")
  /// Two headers of one entry with different values.
  public static let zipDisagreement = Rule(
    "zip/disagreement", .error,
    "the archive contradicts itself; programs would see different files",
    spec: "conversion/archives.md#zip", hint: "unpack it with the program that made it")
  /// Contents whose checksum or length is not the stored one.
  public static let zipContents = Rule(
    "zip/contents", .error, "the contents do not match the checksum or length in the archive",
    spec: "conversion/archives.md#zip",
    hint: "the file is damaged; fetch it again, or restore it from a copy")
  /// A ZIP feature that is not supported.
  public static let zipUnsupported = Rule(
    "zip/unsupported", .error, "the archive uses a feature that is not supported",
    spec: "conversion/archives.md#zip",
    hint: "make the archive again without encryption, and with the method deflate")
  /// Bytes or comments that do not become part of the tree.
  public static let zipIgnored = Rule(
    "zip/ignored", .warning, "part of the archive is left out", spec: "conversion/archives.md#zip")
  /// Bytes that are not a valid tar archive.
  public static let tar = Rule(
    "tar/malformed", .error, "not a valid tar archive", spec: "conversion/archives.md#tar")
  /// A tar feature that is not supported.
  public static let tarUnsupported = Rule(
    "tar/unsupported", .error, "the archive uses a feature that is not supported",
    spec: "conversion/archives.md#tar", hint: "make the archive again in the format pax or ustar")

  // MARK: document: the effect in a package

  /// Text that is not JSON.
  public static let json = Rule(
    "document/json", .error, "not valid JSON", spec: "document.md#json")
  /// A package without document.
  public static let noDocument = Rule(
    "document/missing", .error, "the package has no document.json", spec: "document.md#package")
  /// A newer version of the format.
  public static let documentVersion = Rule(
    "document/version", .error, "the document needs a newer reader", spec: "document.md#versions",
    hint: "update particles")
  /// A value of another type.
  public static let type = Rule(
    "document/type", .error, "a value has the wrong type", spec: "document.md#json")
  /// A value that the property does not allow.
  public static let range = Rule(
    "document/range", .error, "a value is out of range", spec: "document.md#properties")
  /// A reference whose target is missing.
  public static let reference = Rule(
    "document/reference", .error, "a reference leads nowhere", spec: "document.md#references")
  /// Keys of a curve or gradient that are missing or not in ascending order.
  public static let keys = Rule(
    "document/keys", .error, "the keys of a curve are missing or not in ascending order",
    spec: "document.md#curves")
  /// A document that is not written in canonical form.
  public static let canonical = Rule(
    "document/canonical", .note, "the document is not written in canonical form",
    spec: "document.md#json", hint: "save the document again")
  /// A file that nothing refers to.
  public static let unreferenced = Rule(
    "document/unreferenced", .warning, "nothing refers to the file", spec: "document.md#package",
    hint: "remove it, or refer to it")
  /// A property that is not in the format.
  public static let unknownKey = Rule(
    "document/unknown-key", .note, "unknown property; preserved on save", spec: "document.md#json")
  /// An emitter whose clock does not advance.
  public static let stopped = Rule(
    "document/stopped", .warning, "the clock of the emitter is stopped; it emits nothing",
    spec: "document.md#simulation", hint: "set timing.speed to a number above 0, such as 1")
  /// A property that another property makes ineffective.
  public static let inert = Rule(
    "document/inert", .note, "the property has no effect here", spec: "document.md#launch")

  // MARK: thumbnail: previews in a package

  /// A thumbnail in a package that shows an earlier state of the effect.
  public static let staleThumbnail = Rule(
    "thumbnail/stale", .warning,
    "the thumbnail in the package shows an earlier state of the effect",
    spec: "document.md#package", hint: "draw it again, or remove it")

  // MARK: image

  /// An image that does not decode.
  public static let image = Rule(
    "image/undecodable", .error, "the image cannot be decoded", spec: "document.md#images",
    hint: "replace it by a valid PNG")
  /// An image that the document names but does not contain.
  public static let absentImage = Rule(
    "image/missing", .warning, "the image is not in the package", spec: "document.md#images",
    hint: "embed a picture of this name")
  /// An image whose format or size differs from the document.
  public static let imageMismatch = Rule(
    "image/mismatch", .warning, "the image does not match its description in the document",
    spec: "document.md#images")
  /// A file in the place of an image that is no picture, or one of a format that cannot be decoded.
  public static let imageUnchecked = Rule(
    "image/unchecked", .warning, "no picture can be read from this file",
    spec: "document.md#images", hint: "export it as PNG")

  /// An embedded image in a file of another program that cannot be decoded.
  public static let embeddedImage = Rule(
    "image/embedded", .warning, "the embedded image is damaged",
    spec: "conversion/cocos2d.md#images", hint: "put the image beside the file")

  /// Pictures that an output format cannot store.
  public static let imageOutput = Rule(
    "image/output", .error, "the pictures cannot be written in this format",
    spec: "output.md#limits")

  /// Pictures in which nothing, or next to nothing, is visible.
  public static let emptyPicture = Rule(
    "image/empty", .warning, "next to nothing is visible in the picture",
    spec: "output.md#empty-pictures")

  // MARK: xml: documents of other programs
  /// Text that is not XML.
  public static let xml = Rule(
    "xml/malformed", .error, "not well-formed XML", spec: "conversion/cocos2d.md#xml")
  /// XML with its own declarations of entities or attributes.
  public static let xmlDeclarations = Rule(
    "xml/declarations", .error, "the XML declares or needs entities or attributes of its own",
    spec: "conversion/cocos2d.md#xml", hint: "write them out where they are used")
  /// XML whose bytes are not of the encoding that it declares.
  public static let xmlEncoding = Rule(
    "xml/encoding", .warning, "the text is not in the encoding that the XML states",
    spec: "conversion/cocos2d.md#xml", hint: "save the file in UTF-8")

  // MARK: budget: the cost of showing an effect

  /// More live particles than the budget allows.
  public static let manyParticles = Rule(
    "budget/particles", .warning, "the number of live particles is very high",
    spec: "document.md#budget", hint: "lower rates or lifetimes, or limit emission.maxAlive")
  /// More memory for images than the budget allows.
  public static let largeTextures = Rule(
    "budget/textures", .warning, "the images need a lot of memory", spec: "document.md#budget",
    hint: "make them smaller; particles rarely cover more than 256 pixels")

  // MARK: archive: property lists and keyed archives

  /// Bytes that are not a valid property list.
  public static let plist = Rule(
    "archive/plist", .error, "not a valid property list", spec: "conversion/scenekit.md#file")
  /// A property list that is not a valid keyed archive.
  public static let keyedArchive = Rule(
    "archive/keyed", .error, "not a valid keyed archive", spec: "conversion/scenekit.md#file")
  /// A keyed archive without a particle system.
  public static let archiveRoot = Rule(
    "archive/root", .error, "the archive holds no particle system",
    spec: "conversion/scenekit.md#file")
  /// A value in a keyed archive that has an unexpected type.
  public static let archiveValue = Rule(
    "archive/value", .warning, "a value in the archive is not of the expected type",
    spec: "conversion/scenekit.md#properties")

  // MARK: emitter: files of Particle Designer and its relatives
  /// A file without an emitter.
  public static let emitterRoot = Rule(
    "emitter/root", .error, "the file holds no emitter", spec: "conversion/cocos2d.md#file")
  /// A text that is not of the syntax of its format.
  public static let emitterSyntax = Rule(
    "emitter/syntax", .error, "the text of the file cannot be read",
    spec: "conversion/README.md#text-files")
  /// A part that a file lacks, and that the engine needs.
  public static let emitterMissing = Rule(
    "emitter/missing", .warning, "a part that the engine needs is missing",
    spec: "conversion/README.md#text-files",
    hint: "the file may be cut off: fetch it again, or add the part")
  /// Numbers with a comma in place of the decimal point.
  public static let decimalCommas = Rule(
    "emitter/decimal-comma", .error, "numbers in the file have decimal commas",
    spec: "conversion/README.md#text-files", hint: "write points in their place")
  /// A key of JSON that occurs again in its object.
  public static let emitterRepeatedKey = Rule(
    "emitter/repeated-key", .warning,
    "a key occurs again in the same object; only its last value counts",
    spec: "conversion/README.md#text-files", hint: "remove the earlier ones")
  /// A value whose type does not fit its key.
  public static let emitterValue = Rule(
    "emitter/value", .warning, "a value in the file is not of the expected type",
    spec: "conversion/cocos2d.md#properties")

  // MARK: convert: results of a conversion

  /// Contents whose format is not recognised.
  public static let unknownFormat = Rule(
    "convert/unknown-format", .error, "the format is not recognised", spec: "cli.md#formats",
    hint: "name the format")
  /// A file of a kind that is known and not read, such as a picture or a file of another engine.
  public static let foreign = Rule(
    "convert/foreign", .error, "not an effect that can be read",
    spec: "cli.md#files-that-are-not-read")
  /// A file of a supported program that holds something other than an effect.
  public static let lookAlike = Rule(
    "convert/look-alike", .error, "the file holds something other than an effect",
    spec: "conversion/spritekit.md#file")
  /// A value that the format does not support.
  public static let lost = Rule(
    "convert/lost", .warning, "not supported by the format; dropped",
    spec: "conversion/README.md#losses")
  /// A value that the format supports only approximately.
  public static let approximated = Rule(
    "convert/approximated", .warning, "could only be approximated",
    spec: "conversion/README.md#losses")
  /// A value outside the range of the format.
  public static let clamped = Rule(
    "convert/clamped", .warning, "out of range for the format; clamped",
    spec: "conversion/README.md#losses")
  /// A difference that no other line of the report explains.
  public static let changed = Rule(
    "convert/changed", .warning, "changed by the conversion", spec: "conversion/README.md#law")
  /// A value without a visible effect.
  public static let dead = Rule(
    "convert/dead", .note, "has no effect here; dropped",
    spec: "conversion/README.md#losses")
  /// A value that is expressed in another way.
  public static let restated = Rule(
    "convert/restated", .note, "expressed in another way", spec: "conversion/README.md#losses")
  /// A value that the source does not specify.
  public static let assumed = Rule(
    "convert/assumed", .note, "not specified by the source; a value was assumed",
    spec: "conversion/README.md#losses")
  /// A value that the model does not support.
  public static let uninterpreted = Rule(
    "convert/uninterpreted", .warning, "not supported here; original value kept for re-export",
    spec: "document.md#source")
  /// A key that the engine of a file does not read, although it is set.
  public static let ignoredKey = Rule(
    "convert/ignored", .warning, "the engine does not read this key",
    spec: "conversion/README.md#engines")
  /// An image that the source names and that was not found.
  public static let missingImage = Rule(
    "convert/missing-image", .warning, "the image was not found",
    spec: "conversion/cocos2d.md#images",
    hint: "put it beside the file, or name the folder that it is in")

  /// A part of the file that other programs may ignore.
  public static let fragile = Rule(
    "convert/fragile", .note, "stored in a way that some programs ignore",
    spec: "conversion/archives.md#zip")

  // MARK: types: declarations of types and claims of programs

  /// An entry of the wrong kind.
  public static let typesStructure = Rule(
    "types/structure", .error, "an entry is of the wrong kind", spec: "types.md#files")
  /// An identifier that breaks the syntax.
  public static let typesIdentifier = Rule(
    "types/identifier", .error, "not a valid type identifier", spec: "types.md#identifiers",
    hint: "use ASCII letters, digits, hyphens and full stops, as in com.example.drawing")
  /// A claim on a type that most types conform to.
  public static let typesHighLevel = Rule(
    "types/high-level", .warning, "a claim on a type that nearly everything conforms to",
    spec: "types.md#claims",
    hint: "list the types that the application opens, or set LSHandlerRank to Alternate")
  /// An exported type with an identifier of another owner.
  public static let typesForeign = Rule(
    "types/foreign", .error, "the identifier of an exported type belongs to another owner",
    spec: "types.md#declarations",
    hint: "import the type, or give it an identifier that begins like the bundle identifier")
  /// A type that is neither a file nor a package.
  public static let typesPhysical = Rule(
    "types/physical", .error, "the type conforms neither to public.data nor to com.apple.package",
    spec: "types.md#declarations",
    hint: "add public.data to UTTypeConformsTo for files, or com.apple.package for packages")
  /// A document type that does not conform to `public.content`.
  public static let typesContent = Rule(
    "types/content", .warning, "the type of a document does not conform to public.content",
    spec: "types.md#declarations", hint: "add public.content to UTTypeConformsTo")
  /// A type that is both a file and a package.
  public static let typesTwoForms = Rule(
    "types/two-forms", .error, "the type conforms both to public.data and to com.apple.package",
    spec: "types.md#declarations", hint: "declare two types, one for each form")
  /// A type without declaration.
  public static let typesUndeclared = Rule(
    "types/undeclared", .error, "the type is not declared", spec: "types.md#claims",
    hint: "export or import the type, or correct the identifier")
  /// A rank that does not fit the declaration.
  public static let typesOwner = Rule(
    "types/owner", .warning, "rank and declaration disagree about the owner of the type",
    spec: "types.md#ranks")
  /// A duplicate entry.
  public static let typesDuplicate = Rule(
    "types/duplicate", .warning, "duplicate entry", spec: "types.md#claims",
    hint: "remove one of the two")
  /// A claim without a role.
  public static let typesRole = Rule(
    "types/role", .warning, "the role is missing or unknown", spec: "types.md#roles",
    hint: "use Editor if the application writes such files, and Viewer otherwise")
  /// An extension that does not match file names.
  public static let typesExtension = Rule(
    "types/extension", .warning, "the extension does not match file names as written",
    spec: "types.md#tags",
    hint: "write it in lower case, without full stops")
  /// A declaration of a system type.
  public static let typesRedeclared = Rule(
    "types/redeclared", .warning, "the system already declares the type",
    spec: "types.md#declarations", hint: "remove the declaration")
  /// An import that differs from the owner's declaration.
  public static let typesDiffers = Rule(
    "types/differs", .warning, "an imported declaration differs from the declaration of the owner",
    spec: "types.md#declarations", hint: "copy the owner's declaration")
  /// A circular conformance.
  public static let typesCircle = Rule(
    "types/circle", .error, "a type conforms to itself through other types",
    spec: "types.md#conformance")
  /// A supertype without declaration.
  public static let typesUnknownSupertype = Rule(
    "types/unknown-supertype", .warning, "a supertype is not declared",
    spec: "types.md#conformance", hint: "import the supertype, or correct the identifier")
  /// `LSTypeIsPackage` for files, or its absence for packages.
  public static let typesPackage = Rule(
    "types/package", .warning, "the key LSTypeIsPackage does not fit the type",
    spec: "types.md#claims")
  /// Old keys that the system ignores.
  public static let typesIgnored = Rule(
    "types/ignored", .warning, "old keys are ignored beside LSItemContentTypes",
    spec: "types.md#claims", hint: "declare extensions and MIME types with the type")
  /// A preview of a type that no file has directly.
  public static let typesExact = Rule(
    "types/exact", .error, "previews need the exact type of a file, and no file has this one",
    spec: "types.md#previews", hint: "list its subtypes one by one")
  /// An editor that cannot save, or only a copy.
  public static let typesEditor = Rule(
    "types/editor", .note, "an editor that may not be able to save", spec: "types.md#roles")
  /// A MIME type or OSType that is not valid.
  public static let typesTag = Rule(
    "types/tag", .warning, "the tag is not valid for its class", spec: "types.md#tags")
  /// An extension of another type.
  public static let typesTaken = Rule(
    "types/taken", .warning, "the extension belongs to a system type", spec: "types.md#tags",
    hint: "conform to that type, or use another extension")
  /// A type that no file has.
  public static let typesUntagged = Rule(
    "types/untagged", .warning, "a claimed type without tags and subtypes", spec: "types.md#claims",
    hint: "add an extension to UTTypeTagSpecification")
  /// A claim without a key that the system expects.
  public static let typesIncomplete = Rule(
    "types/incomplete", .warning, "a key that the system expects is missing",
    spec: "types.md#claims")
  /// A MIME type that many kinds of files share.
  public static let typesGenericMIME = Rule(
    "types/generic-mime", .warning, "the MIME type is shared by many kinds of files",
    spec: "types.md#tags", hint: "use one of its own, such as application/vnd.example.drawing")
  /// A program that may open all folders.
  public static let typesFolder = Rule(
    "types/folder", .warning, "the program may become the default for folders",
    spec: "types.md#desktops", hint: "remove inode/directory from MimeType")
  /// A pattern that overrides other types.
  public static let typesGlob = Rule(
    "types/glob", .warning, "a file name pattern takes files from other types",
    spec: "types.md#desktops")
  /// A pattern beyond the bytes that desktops read.
  public static let typesMagic = Rule(
    "types/magic", .error, "the pattern needs bytes beyond the first 4096",
    spec: "types.md#desktops", hint: "use a pattern at the beginning of the file")
  /// A template without contents.
  public static let typesTemplate = Rule(
    "types/template", .warning, "the template is empty, and desktops recognise empty files as text",
    spec: "types.md#desktops", hint: "use an empty document as template instead of an empty file")

  // MARK: desktop: files for a desktop, installed

  /// A damaged record of installed files.
  public static let desktopRecord = Rule(
    "desktop/record", .error, "the record of installed files is damaged",
    spec: "types.md#installation", hint: "remove it, and install again")
  /// A database of the desktop that is out of date.
  public static let desktopDatabase = Rule(
    "desktop/database", .warning, "a database of the desktop was not updated",
    spec: "types.md#installation",
    hint: "install shared-mime-info and desktop-file-utils, and install again")

  /// A program that thumbnailers in a sandbox cannot start.
  public static let desktopProgram = Rule(
    "desktop/program", .warning, "a program outside of /usr makes no thumbnails in GNOME",
    spec: "types.md#installation",
    hint: "install the program below /usr, for example in /usr/local/bin")

  // MARK: index: the database of a tree of effects

  /// There is no index, or it does not have a folder.
  public static let indexMissing = Rule(
    "index/missing", .error, "there is no index", spec: "finding.md#database",
    hint: "index the folder first")
  /// A file that is no index.
  public static let indexForeign = Rule(
    "index/foreign", .error, "not an index; it was not changed", spec: "finding.md#database",
    hint: "name another file as the database")
  /// An index of another version.
  public static let indexVersion = Rule(
    "index/version", .error, "the index is of another version; it was not changed",
    spec: "finding.md#database", hint: "name a new file as the database, or remove this one")
  /// An index whose contents contradict the format.
  public static let indexDamaged = Rule(
    "index/damaged", .error, "the index is damaged; it was not changed",
    spec: "finding.md#database", hint: "remove it, and index the folders again")
  /// A query that cannot be understood.
  public static let indexQuery = Rule(
    "index/query", .error, "the query cannot be understood", spec: "finding.md#queries",
    hint: "the specification lists the fields; quote texts with special characters")

  // MARK: interface

  /// An unknown name, for example of a property. A rule of the interfaces for programs and pages, not of files.
  package static let absentName = Rule(
    "interface/unknown-name", .error, "unknown name", spec: "interface.md#errors")

  // MARK: usage

  /// An invalid command line.
  public static let usage = Rule("usage/invalid", .error, "wrong usage", spec: "cli.md#usage")

  /// Every rule, by family.
  public static let all: [Rule] = [
    fileNotFound, fileUnreadable, fileUnwritable, fileExists, fileChanged, fileBusy,
    fileReadOnly, fileOwner, fileLinks, fileUnflushed, fileLeftover, fileClosed, fileGesture,
    fileConflict,
    fileVersion, fileUndo, fileHistory, fileStore, fileText, fileUnsaved,
    limit,
    signature, containerVersion, truncated, checksum, frame, payload, index, coverage, torn,
    name, order, duplicate, twins, parent, link, extent, special, unrecovered, collision, noEntry,
    portable, systemFiles, wrapper,
    zip, zipDisagreement, zipContents, zipUnsupported, zipIgnored,
    tar, tarUnsupported,
    json, noDocument, documentVersion, type, range, reference, keys, canonical, unreferenced,
    unknownKey, stopped, inert,
    staleThumbnail,
    image, absentImage, imageMismatch, imageUnchecked, embeddedImage,
    imageOutput, emptyPicture,
    xml, xmlDeclarations, xmlEncoding,
    manyParticles, largeTextures,
    plist, keyedArchive, archiveRoot, archiveValue,
    emitterRoot, emitterSyntax, emitterMissing, decimalCommas, emitterRepeatedKey, emitterValue,
    unknownFormat, foreign, lookAlike, lost, approximated, clamped, changed, dead, restated,
    assumed, uninterpreted, ignoredKey, missingImage, fragile,
    typesStructure, typesIdentifier, typesHighLevel, typesForeign, typesPhysical, typesContent,
    typesTwoForms, typesUndeclared, typesOwner, typesDuplicate, typesRole, typesExtension,
    typesRedeclared, typesDiffers, typesCircle, typesUnknownSupertype, typesPackage, typesIgnored,
    typesExact, typesEditor, typesTag, typesTaken, typesUntagged, typesIncomplete,
    typesGenericMIME, typesFolder, typesGlob, typesMagic, typesTemplate,
    desktopRecord, desktopDatabase, desktopProgram,
    indexMissing, indexForeign, indexVersion, indexDamaged, indexQuery,
    usage,
  ]
}
