internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesFormats

/// Laws for the recovery of a damaged package.
enum RecoveryLaws {
  static func check(_ bytes: [UInt8]) throws {
    let recovery = try Recovery(.bytes(bytes), limits: FuzzTarget.limits)
    Law.succeeds("recovered files can be read") {
      try recovery.root.forEachDescendant { _, node in _ = try node.regularFileContents() }
    }
    try PackageLaws.checkRewriting(recovery.root)
    if recovery.diagnostics.isEmpty {
      let reader = Law.succeeds("a package with nothing lost opens") {
        try ContainerReader(.bytes(bytes), limits: FuzzTarget.limits)
      }
      let findings = Law.succeeds("verifying never throws") {
        try reader.verify(.quick, earlier: nil)
      }
      Law.holds("a package with nothing lost is sound: \(findings)", findings.isEmpty)
    }
  }
}

/// Laws for ZIP and tar archives.
enum FileLaws {
  static func check(_ bytes: [UInt8], as format: ParticleFormat) throws {
    guard case .files(let unpack, let pack) = format.content else { return }
    _ = format.recognise(bytes, "input")
    let container = try unpack(.bytes(bytes), FuzzTarget.limits)
    let digest = try container.root.treeDigest()
    try PackageLaws.checkRewriting(container.root)
    var packed: [UInt8] = []
    _ = Law.succeeds("an archive that was read can be packed") {
      try pack(container.root) { packed += $0 }
    }
    let again = Law.succeeds("the packed archive can be read") {
      try unpack(.bytes(packed), .standard)
    }
    let copied = Law.succeeds("the packed archive has a digest") { try again.root.treeDigest() }
    Law.holds("the packed archive has the same digest", copied == digest)
  }

  /// Corrects the checksums of tar headers, which a fuzzer does not guess.
  static func repairedTar(_ input: [UInt8]) -> [UInt8] {
    var bytes = input
    for start in stride(from: 0, to: bytes.count - 511, by: 512)
    where bytes[(start + 257)...].starts(with: Array("ustar".utf8)) {
      for index in start + 148..<start + 156 { bytes[index] = 0x20 }
      var rest = bytes[start..<start + 512].reduce(0) { $0 + Int($1) }
      for index in (start + 148..<start + 154).reversed() {
        bytes[index] = UInt8(ascii: "0") + UInt8(rest % 8)
        rest /= 8
      }
    }
    return bytes
  }
}
