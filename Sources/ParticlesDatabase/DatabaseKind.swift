package import ParticlesCore

/// The purpose of a database: the words and rules of its faults, and how long it waits for other
/// programs.
package struct DatabaseKind: Sendable {
  /// The database with its article, such as "an index".
  package var name: String
  /// The rule for a file that is no database.
  package var foreign: Rule
  package var damaged: Rule
  /// The next step where the file cannot be opened.
  package var openingHint: String
  /// The next step where another program holds the database.
  package var busyHint: String
  /// The next step where the volume is full.
  package var spaceHint: String
  /// For how many milliseconds a statement waits for another program.
  package var patience: Int

  package init(
    name: String, foreign: Rule, damaged: Rule, openingHint: String, busyHint: String,
    spaceHint: String, patience: Int
  ) {
    (self.name, self.foreign, self.damaged) = (name, foreign, damaged)
    (self.openingHint, self.busyHint, self.spaceHint) = (openingHint, busyHint, spaceHint)
    self.patience = patience
  }
}
