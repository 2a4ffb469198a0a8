extension Container {
  /// How a flat package is saved at its path. After a crash at any time, the file opens as the old
  /// or as the new package.
  public enum SaveMode: String, Sendable, CaseIterable {
    /// Appends the changes, or replaces the file in two cases: more than a third of its contents would be unused, or it
    /// has as many generations as its size allows. If nothing changed, removes an unfinished save or
    /// does nothing.
    case automatic
    /// Appends the changes to the file. The cost depends on the changes, not on the size of the file.
    /// Replaced and removed contents stay in the file: use `replace` before sharing it. An unfinished
    /// save at the end of the file is removed, also if nothing changed.
    case append
    /// Writes a new file beside the old one and renames it. Blocks that did not change are copied
    /// without compressing them again, or shared where the file system supports it. Writes the file
    /// even if nothing changed.
    case replace
  }
}
