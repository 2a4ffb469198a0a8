/// The types that are built into the library: types of the system and of this project.
///
/// `BundledTypesTable.swift` describes the layout of the table.
enum BundledTypes {
  /// All declarations, read from the table.
  static func declarations() -> [TypeDeclaration] {
    parse(table, source: .system) + parse(others, source: .system) + particles
  }

  /// The types of this project for both forms of a package, and the type of Apple's sample, which used
  /// the extension first.
  static let particles: [TypeDeclaration] = [
    TypeDeclaration(
      "org.particles-format.particles", source: .particles,
      conformingTo: ["public.data", "public.content"],
      tags: [.filenameExtension: ["particles"], .mimeType: ["application/vnd.particles"]],
      title: "Particles document",
      patterns: [
        ContentPattern([0x89] + Array("PTCL".utf8) + [0x0D, 0x0A, 0x1A, 0x0A], priority: 80)
      ]),
    TypeDeclaration(
      "org.particles-format.particles-package", source: .particles,
      conformingTo: ["com.apple.package", "public.content"],
      tags: [.filenameExtension: ["particles"]], title: "Particles package"),
    TypeDeclaration(
      "com.example.apple-samplecode.particles.particles", .imported, source: .particles,
      conformingTo: ["public.data", "public.content"],
      tags: [.filenameExtension: ["particles"]], title: "Particles document of Apple's sample",
      patterns: [.keyedArchive()]),
  ]

  /// Reads a table in one pass over its bytes.
  static func parse(_ table: StaticString, source: DeclarationSource) -> [TypeDeclaration] {
    table.withUTF8Buffer { bytes in
      var declarations: [TypeDeclaration] = []
      declarations.reserveCapacity(512)
      var position = 0
      while position < bytes.count {
        let beginsLine = position == 0 || bytes[position - 1] == UInt8(ascii: "\n")
        let isBlank = bytes[position] == UInt8(ascii: " ") || bytes[position] == UInt8(ascii: "\n")
        guard !isBlank else {
          position += 1
          continue
        }
        let end = bytes[position...].firstIndex { $0 <= UInt8(ascii: " ") } ?? bytes.endIndex
        let word = bytes[position..<end]
        if beginsLine {
          declarations.append(TypeDeclaration(text(word), .system, source: source))
        } else if let last = declarations.indices.last {
          add(word, to: &declarations[last])
        }
        position = end
      }
      return declarations
    }
  }

  private typealias Word = Slice<UnsafeBufferPointer<UInt8>>

  private static func add(_ word: Word, to declaration: inout TypeDeclaration) {
    switch word.first {
    case UInt8(ascii: "*"): declaration.isWildcard = true
    case UInt8(ascii: "@"):
      declaration.source.path = sources[text(word.dropFirst())]
      let isSystems = ["public.", "com.apple."].contains { declaration.identifier.hasPrefix($0) }
      if !isSystems { declaration.kind = .imported }
    case UInt8(ascii: "<"): declaration.supertypes.append(text(word.dropFirst()))
    case UInt8(ascii: "~"): declaration.tags.append(text(word.dropFirst()), to: .sharedMIMEType)
    case UInt8(ascii: "="): declaration.patterns.append(pattern(word.dropFirst()))
    case UInt8(ascii: "."):
      let rest = word.dropFirst()
      if rest.first == UInt8(ascii: ".") {
        declaration.tags.append(text(rest.dropFirst()), to: .compoundExtension)
      } else {
        declaration.tags.append(text(rest), to: .filenameExtension)
      }
    default: declaration.tags.append(text(word), to: .mimeType)
    }
  }

  private static func text(_ word: Word) -> String { String(decoding: word, as: UTF8.self) }

  /// A pattern for the first bytes of a file, from hexadecimal digits.
  private static func pattern(_ word: Word) -> ContentPattern {
    let digits = word.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    let pairs = stride(from: 0, to: digits.count - 1, by: 2)
    return ContentPattern(pairs.map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }
}

extension BundledTypes {
  /// The sources of ``others``, by the letter after `@`. Extensions and MIME types are from this
  /// source or from shared-mime-info 2.2. If the source has no supertypes, they follow from the kind
  /// of the format.
  static let sources: [String: String] = [
    "c": "Launch Services of macOS 26.6.2, Short Circuit catalog (inxilpro/short-circuit)",
    "i": "property lists of applications that import it",
    "k": "standard formats of super_clipboard (superlistapp/super_native_extensions)",
    "m": "mdls output in drduh/macOS-Security-and-Privacy-Guide",
    "u": "Info.plist of The Unarchiver 3.10",
  ]

  /// Types that are missing in ``table``, each with its source, in the layout of ``table``.
  /// Identifiers of other vendors than Apple are imported, so that a declaration by their owner takes
  /// precedence.
  static let others: StaticString = """
    com.alcohol-soft.mdf-image @u <public.iso-image .mdf
    com.altools.alz-archive @u <public.data <public.archive .alz
    com.amiga.adf-archive @u <public.data <public.archive .adf
    com.amiga.adz-archive @u <public.data <public.archive .adz
    com.android.package-archive @k <public.data <public.archive .apk
      application/vnd.android.package-archive
    com.apple.disk-image @m <public.disk-image <public.data
    com.apple.disk-image-udif @m <com.apple.disk-image .dmg .udif application/x-apple-diskimage
    com.apple.ibooks.epub @c <com.apple.package <public.composite-content .epub
    com.apple.itunes.ipa @i <public.data <public.archive .ipa
    com.apple.mail.email @c <public.data <public.email-message .eml message/rfc822
    com.apple.music.m3u-playlist @c <public.m3u-playlist .m3u .m3u8
    com.apple.self-extracting-archive @u <public.data <public.archive .sea
    com.canon.cr2-raw-image @c <public.camera-raw-image .cr2
    com.canon.cr3-raw-image @c <public.camera-raw-image .cr3
    com.canon.crw-raw-image @c <public.camera-raw-image .crw
    com.canon.tif-raw-image @c <public.camera-raw-image .tif
    com.cyclos.cpt-archive @u <public.data <public.archive .cpt
    com.fuji.raw-image @c <public.camera-raw-image .raf
    com.hasselblad.3fr-raw-image @c <public.camera-raw-image .3fr
    com.hasselblad.fff-raw-image @c <public.camera-raw-image .fff
    com.leica.raw-image @c <public.camera-raw-image .raw
    com.leica.rwl-raw-image @c <public.camera-raw-image .rwl
    com.microsoft.cab-archive @u <public.data <public.archive .cab
      application/vnd.ms-cab-compressed
    com.microsoft.excel.openxmlformats.spreadsheetml.sheet @c
      <org.openxmlformats.spreadsheetml.sheet .xlsx
    com.microsoft.excel.openxmlformats.spreadsheetml.sheet.macroenabled @c
      <org.openxmlformats.spreadsheetml.sheet.macroenabled .xlsm
    com.microsoft.excel.openxmlformats.spreadsheetml.template @c
      <org.openxmlformats.spreadsheetml.template .xltx
    com.microsoft.excel.xml @c <public.xml <public.spreadsheet
    com.microsoft.msi-installer @u <public.data <public.archive .msi
    com.microsoft.typescript @c <public.source-code .ts .tsx
    com.microsoft.word.openxmlformats.wordprocessingml.document @c
      <org.openxmlformats.wordprocessingml.document .docx
    com.microsoft.word.openxmlformats.wordprocessingml.document.macroenabled @c
      <org.openxmlformats.wordprocessingml.document.macroenabled .docm
    com.microsoft.word.openxmlformats.wordprocessingml.template @c
      <org.openxmlformats.wordprocessingml.template .dotx
    com.microsoft.word.wordprocessingml @c <public.xml
    com.nero.nrg-image @u <public.iso-image .nrg
    com.network172.pit-archive @u <public.data <public.archive .pit
    com.nikon.nrw-raw-image @c <public.camera-raw-image .nrw
    com.nikon.raw-image @c <public.camera-raw-image .nef
    com.nowsoftware.now-archive @u <public.data <public.archive .now
    com.nscripter.nsa-archive @u <public.data <public.archive .nsa
    com.nscripter.sar-archive @u <public.data <public.archive .sar
    com.olympus.raw-image @c <public.camera-raw-image .orf .ori
    com.padus.cdi-image @u <public.iso-image .cdi
    com.panasonic.raw-image @c <public.camera-raw-image .raw
    com.panasonic.rw2-raw-image @c <public.camera-raw-image .rw2
    com.pentax.raw-image @c <public.camera-raw-image .pef
    com.phaseone.raw-image @c <public.camera-raw-image .iiq
    com.rarlab.rar-archive @c <public.data <public.archive .rar application/x-rar
      application/x-rar-compressed ~application/vnd.rar
    com.redhat.rpm-archive @u <public.data <public.archive .rpm application/x-rpm
    com.samsung.raw-image @c <public.camera-raw-image .srw
    com.sony.arw-raw-image @c <public.camera-raw-image .arw
    com.sony.raw-image @c <public.camera-raw-image .srf
    com.sony.sr2-raw-image @c <public.camera-raw-image .sr2
    com.symantec.dd-archive @u <public.data <public.archive .dd
    com.winace.ace-archive @u <public.data <public.archive .ace application/x-ace-compressed
    com.winzip.zipx-archive @u <public.data <public.archive .zipx
    cx.c3.arc-archive @u <public.data <public.archive .arc .pak .spk
    cx.c3.arj-archive @u <public.data <public.archive .arj
    cx.c3.dcs-archive @u <public.data <public.archive .dcs
    cx.c3.dms-archive @u <public.data <public.archive .dms
    cx.c3.ha-archive @u <public.data <public.archive .ha
    cx.c3.lbr-archive @u <public.data <public.archive .lbr .lqr .lzr
    cx.c3.lha-archive @u <public.data <public.archive .lha .lzh application/x-lzh-compressed
      application/lha application/x-lha application/lzh application/x-lzh
    cx.c3.lhf-archive @u <public.data <public.archive .f
    cx.c3.lzx-archive @u <public.data <public.archive .lzx application/x-lzx
    cx.c3.packdev-archive @u <public.data <public.archive .pkd
    cx.c3.pax-archive @u <public.data <public.archive .pax
    cx.c3.pma-archive @u <public.data <public.archive .pma
    cx.c3.pp-archive @u <public.data <public.archive .pp
    cx.c3.xmash-archive @u <public.data <public.archive .xms
    cx.c3.zoo-archive @u <public.data <public.archive .zoo
    cx.c3.zoom-archive @u <public.data <public.archive .zom
    net.daringfireball.markdown @c <public.plain-text .md .markdown .mdown .mkd text/markdown
    org.archive.warc-archive @u <public.data <public.archive .warc
    org.debian.deb-archive @u <public.data <public.archive .deb application/x-deb
    org.idpf.epub-folder @c <com.apple.package <public.composite-content .epub
    org.matroska.mkv @k <public.movie .mkv video/x-matroska
    org.sqlite.sqlite @c <public.data <public.database .sqlite .sqlite3 .db
      ~application/vnd.sqlite3
    org.strictopenxmlformats.wordprocessingml.document @c <public.data <public.composite-content
      .docx
    org.tukaani.lzma-archive @u <public.archive <public.data .lzma
    org.xiph.ogg-audio @c <public.audio .ogg .oga .opus audio/ogg
    org.xiph.opus @k <public.audio .opus audio/ogg ~audio/x-opus+ogg
    public.avif @c <public.image .avif image/avif
    public.iso-image @c <public.disk-image <public.data .iso application/x-iso9660-image
      ~application/x-cd-image
    public.mpeg-4-movie @c <public.movie .mp4 .mpg4
    public.radiance @c <public.image .hdr .pic image/vnd.radiance
    public.wav @c <public.audio .wav
    """
}
