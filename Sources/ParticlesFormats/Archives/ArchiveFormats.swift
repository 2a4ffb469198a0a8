internal import ParticlesArchives

extension ParticleFormat {
  /// ZIP archives (PKWARE's APPNOTE 6.3, with ZIP64 and Unix modes).
  public static let zip = ParticleFormat(
    name: "zip", title: "ZIP archive", extensions: ["zip"],
    recognise: { bytes, _ in ZIP.isArchive(bytes) && !LookAlike.isUSDPackage(bytes) },
    unpack: ZIP.unpack, pack: ZIP.pack)

  /// Tar archives (POSIX ustar and pax, and GNU's variant); read from gzip too.
  public static let tar = ParticleFormat(
    name: "tar", title: "tar archive", extensions: ["tar", "tgz", "gz"],
    recognise: { bytes, _ in Tar.isArchive(bytes) }, unpack: Tar.unpack, pack: Tar.pack)
}
