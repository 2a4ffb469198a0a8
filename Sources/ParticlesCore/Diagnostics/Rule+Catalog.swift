// The table of rules. `Spec/rules.md` is generated from it; a test sees to it that every rule
// stands in `all`, has a section in the specification, and has a fixture that breaks it.

extension Rule {
  // MARK: file: the system said no

  /// A path leads nowhere.
  public static let fileNotFound = Rule(
    "file/not-found", .error, "no such file or folder", spec: "cli.md#files")
  /// The system refused to let us read.
  public static let fileUnreadable = Rule(
    "file/unreadable", .error, "cannot be read", spec: "cli.md#files")
  /// The system refused to let us write.
  public static let fileUnwritable = Rule(
    "file/unwritable", .error, "cannot be written", spec: "cli.md#files")
  /// Something is there already.
  public static let fileExists = Rule(
    "file/exists", .error, "exists already", spec: "cli.md#files",
    hint: "choose another name, or allow it to be replaced")
  /// A file is not what it was when it was opened.
  public static let fileChanged = Rule(
    "file/changed", .error, "was changed by somebody else since it was opened",
    spec: "cli.md#files",
    hint: "open it again")

  /// What a save that was killed left beside a document.
  public static let fileLeftover = Rule(
    "file/leftover", .warning, "a save that was killed left something behind",
    spec: "cli.md#files", hint: "the next save of the document removes it")

  // MARK: limit: the reader's patience

  /// A limit of the reader was reached; see ``Limits``.
  public static let limit = Rule(
    "limit/exceeded", .error, "a limit of the reader is exceeded", spec: "container.md#limits",
    hint: "if you trust the file, open it with higher limits")

  // MARK: container: the bytes of a flat package

  /// The first bytes are not ours.
  public static let signature = Rule(
    "container/signature", .error, "not a .particles package", spec: "container.md#header")
  /// Written by the future.
  public static let containerVersion = Rule(
    "container/version", .error, "the package needs a newer reader",
    spec: "container.md#versions", hint: "update particles")
  /// The file ends before a commit.
  public static let truncated = Rule(
    "container/truncated", .error, "the package is cut short", spec: "container.md#footer",
    hint: "fetch the file again, or restore it from a copy")
  /// Bytes are not those that were written.
  public static let checksum = Rule(
    "container/checksum", .error, "a checksum does not match", spec: "container.md#frames",
    hint: "the file is damaged; fetch it again, or restore it from a copy")
  /// A frame cannot be what it says it is.
  public static let frame = Rule(
    "container/frame", .error, "a frame is malformed", spec: "container.md#frames")
  /// A payload does not unpack.
  public static let payload = Rule(
    "container/payload", .error, "a compressed payload does not unpack to what is declared",
    spec: "container.md#payloads")
  /// Tree page, block table or root are malformed.
  public static let index = Rule(
    "container/index", .error, "the index is malformed", spec: "container.md#index")
  /// Bytes that nothing accounts for.
  public static let coverage = Rule(
    "container/coverage", .error, "the frames do not account for every byte",
    spec: "container.md#order")
  /// An unfinished save behind the last finished one.
  public static let torn = Rule(
    "container/torn", .warning, "an unfinished save follows the last finished one; it is ignored",
    spec: "container.md#footer", hint: "pack the document again to get rid of it")
  /// A package that cannot be taken as it comes.
  public static let generations = Rule(
    "container/generations", .error,
    "a package that was saved by appending cannot be unpacked from a pipe",
    spec: "container.md#order", hint: "save it to a file first, or compact it")

  // MARK: tree: names and nodes, in any form

  /// A name that a package may not hold.
  public static let name = Rule(
    "tree/name", .error, "a name that cannot stand in a package", spec: "container.md#names",
    hint: "rename it")
  /// Entries out of order, or twice.
  public static let order = Rule(
    "tree/order", .error, "entries are not in ascending order", spec: "container.md#tree")
  /// One path for two entries of an archive.
  public static let duplicate = Rule(
    "tree/duplicate", .error, "two entries have the same path",
    spec: "conversion/archives.md#entries")
  /// Two names that some file systems cannot tell apart.
  public static let twins = Rule(
    "tree/twins", .error, "two names differ in case only", spec: "container.md#names",
    hint: "rename one of them")
  /// An entry whose folder is missing or no folder.
  public static let parent = Rule(
    "tree/parent", .error, "an entry stands in no directory", spec: "container.md#tree")
  /// A symbolic link that leads out of the package.
  public static let link = Rule(
    "tree/link", .error, "a symbolic link leads out of the package", spec: "container.md#links",
    hint: "make it relative, or replace it by what it points to")
  /// Contents that lie outside the stream or in those of another file.
  public static let extent = Rule(
    "tree/extent", .error, "contents overlap or lie outside the stream", spec: "container.md#tree")
  /// A device, socket or pipe.
  public static let special = Rule(
    "tree/special", .error, "neither a file, a directory nor a symbolic link",
    spec: "container.md#names", hint: "move it out of the folder")
  /// An entry that could not be saved from a damaged package.
  public static let lost = Rule(
    "tree/lost", .warning, "the entry could not be recovered", spec: "container.md#order",
    hint: "its contents are damaged or missing; restore it from a copy")
  /// No such entry.
  public static let noEntry = Rule(
    "tree/no-entry", .error, "the package has no such entry", spec: "cli.md#files",
    hint: "look at what there is; case matters")

  // MARK: zip, tar: archives that packages are exchanged in

  /// Bytes that are no ZIP archive, or a damaged one.
  public static let zip = Rule(
    "zip/malformed", .error, "not a valid ZIP archive", spec: "conversion/archives.md#zip")
  /// Two headers of one entry that say different things.
  public static let zipDisagreement = Rule(
    "zip/disagreement", .error,
    "the archive contradicts itself; programs would see different files",
    spec: "conversion/archives.md#zip", hint: "unpack it with the program that made it")
  /// Contents with another checksum or length.
  public static let zipContents = Rule(
    "zip/contents", .error, "the contents are not those that the archive promises",
    spec: "conversion/archives.md#zip",
    hint: "the file is damaged; fetch it again, or restore it from a copy")
  /// A feature that we do not read.
  public static let zipUnsupported = Rule(
    "zip/unsupported", .error, "the archive uses a feature that is not read",
    spec: "conversion/archives.md#zip",
    hint: "make the archive again without encryption, and with the method deflate")
  /// Bytes or text that do not become part of the tree.
  public static let zipIgnored = Rule(
    "zip/ignored", .warning, "part of the archive is left out", spec: "conversion/archives.md#zip")
  /// Bytes that are no tar archive, or a damaged one.
  public static let tar = Rule(
    "tar/malformed", .error, "not a valid tar archive", spec: "conversion/archives.md#tar")
  /// A feature that we do not read.
  public static let tarUnsupported = Rule(
    "tar/unsupported", .error, "the archive uses a feature that is not read",
    spec: "conversion/archives.md#tar", hint: "make the archive again in the format pax or ustar")

  // MARK: document: the effect in a package

  /// Text that is not JSON.
  public static let json = Rule(
    "document/json", .error, "not valid JSON", spec: "document.md#json")
  /// A package without document.
  public static let noDocument = Rule(
    "document/missing", .error, "the package has no document.json", spec: "document.md#package")
  /// Written by the future.
  public static let documentVersion = Rule(
    "document/version", .error, "the document needs a newer reader", spec: "document.md#versions",
    hint: "update particles")
  /// A value of another type.
  public static let type = Rule(
    "document/type", .error, "a value has the wrong type", spec: "document.md#json")
  /// A value outside of what the property allows.
  public static let range = Rule(
    "document/range", .error, "a value is out of range", spec: "document.md#properties")
  /// A reference to something that is not there.
  public static let reference = Rule(
    "document/reference", .error, "a reference leads nowhere", spec: "document.md#references")
  /// Keys of a curve or gradient out of order, or none.
  public static let keys = Rule(
    "document/keys", .error, "the keys of a curve are missing or not in ascending order",
    spec: "document.md#curves")
  /// A property that we do not know.
  public static let unknownKey = Rule(
    "document/unknown-key", .note, "an unknown property; it is kept", spec: "document.md#json")

  // MARK: image

  /// An image that does not decode.
  public static let image = Rule(
    "image/undecodable", .error, "the image cannot be decoded", spec: "document.md#images",
    hint: "replace it by a valid PNG")
  /// An image that is not what the document says.
  public static let imageMismatch = Rule(
    "image/mismatch", .warning, "the image is not what the document says of it",
    spec: "document.md#images")
  /// An image of a format that we cannot look into.
  public static let imageUnchecked = Rule(
    "image/unchecked", .note, "an image of a format that is not looked into",
    spec: "document.md#images")

  // MARK: archive: property lists and keyed archives

  /// Bytes that are no binary property list, or a damaged one.
  public static let plist = Rule(
    "archive/plist", .error, "not a valid binary property list", spec: "conversion/scenekit.md#file"
  )
  /// A property list that is no keyed archive, or a damaged one.
  public static let keyedArchive = Rule(
    "archive/keyed", .error, "not a valid keyed archive", spec: "conversion/scenekit.md#file")
  /// An archive of something else.
  public static let archiveRoot = Rule(
    "archive/root", .error, "the archive holds no particle system",
    spec: "conversion/scenekit.md#file")
  /// A value in an archive of another type than expected.
  public static let archiveValue = Rule(
    "archive/value", .warning, "a value in the archive is not of the expected type",
    spec: "conversion/scenekit.md#properties")

  // MARK: convert: what became of a property

  /// Contents of no known format.
  public static let unknownFormat = Rule(
    "convert/unknown-format", .error, "the format is not recognised", spec: "cli.md#formats",
    hint: "say what format it is")
  /// A value that had to be changed a little.
  public static let approximated = Rule(
    "convert/approximated", .warning, "could only be approximated", spec: "cli.md#formats")
  /// A value that the source leaves open.
  public static let assumed = Rule(
    "convert/assumed", .note, "is not stated by the source; a value was assumed",
    spec: "cli.md#formats")
  /// Something without a home in the model.
  public static let uninterpreted = Rule(
    "convert/uninterpreted", .warning, "has no home in the document; it is kept in the source bag",
    spec: "document.md#source")
  /// An image that the source names and nobody has.
  public static let missingImage = Rule(
    "convert/missing-image", .warning, "the image was not found", spec: "cli.md#formats",
    hint: "put it beside the file, or name the folder that it is in")

  /// Something that is in the file, and that other programs may not see.
  public static let fragile = Rule(
    "convert/fragile", .note, "is kept in a way that not every program heeds",
    spec: "conversion/archives.md#zip")

  // MARK: usage

  /// The command line asks for something that there is not.
  public static let usage = Rule("usage/invalid", .error, "wrong usage", spec: "cli.md#usage")

  /// Every rule, by family.
  public static let all: [Rule] = [
    fileNotFound, fileUnreadable, fileUnwritable, fileExists, fileChanged, fileLeftover,
    limit,
    signature, containerVersion, truncated, checksum, frame, payload, index, coverage, torn,
    generations,
    name, order, duplicate, twins, parent, link, extent, special, lost, noEntry,
    zip, zipDisagreement, zipContents, zipUnsupported, zipIgnored, tar, tarUnsupported,
    json, noDocument, documentVersion, type, range, reference, keys, unknownKey,
    image, imageMismatch, imageUnchecked,
    plist, keyedArchive, archiveRoot, archiveValue,
    unknownFormat, approximated, assumed, uninterpreted, missingImage, fragile,
    usage,
  ]
}
