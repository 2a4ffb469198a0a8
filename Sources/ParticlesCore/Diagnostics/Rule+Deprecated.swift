/// Rules that nothing breaks any more. They are not in ``Rule/all``.
extension Rule {
  /// A package of several generations, read from a pipe.
  @available(*, deprecated, message: "packages of several generations are unpacked from pipes, too")
  public static let generations = Rule(
    "container/generations", .error,
    "a package that was saved by appending cannot be unpacked from a pipe",
    spec: "container.md#order", hint: "save it to a file first, or compact it")
}
