/// Rules that nothing breaks any more. They are not in ``Rule/all``.
extension Rule {
  /// A package of several generations, read from a pipe.
  @available(*, deprecated, message: "packages of several generations are unpacked from pipes, too")
  public static let generations = Rule(
    "container/generations", .error,
    "a package that was saved by appending cannot be unpacked from a pipe",
    spec: "container.md#order", hint: "save it to a file first, or compact it")

  /// A byte that the recovery of a damaged package has restored.
  @available(*, deprecated, message: "damaged frames are lost")
  public static let restored = Rule(
    "container/restored", .warning, "a damaged byte was restored from the checksum",
    spec: "container.md#recovery", hint: "compare the result with a copy, if there is one")
}
