public import ParticlesModel

/// The engine that a file was made for, where several engines read its format by laws of their own: the
/// choice, its reasons, and the engines that fit as well.
///
/// `Spec/conversion/README.md`, section Engines, states how it is made.
public struct EngineChoice: Sendable, Hashable {
  /// The ground of a choice.
  public enum Ground: String, Sendable, Hashable, CaseIterable {
    /// The caller has named the engine.
    case named
    /// The file has something that no other engine reads, or writes.
    case file
    /// Nothing in the file tells: it is the engine that most people use.
    case usual
  }

  /// Another engine that reads the file.
  public struct Other: Sendable, Hashable {
    /// Its profile.
    public var profile: ParticleSystem.Profile
    /// Whether it draws particles in the same way, as far as the blend mode decides.
    public var drawsEqually: Bool

    /// Creates an engine.
    public init(profile: ParticleSystem.Profile, drawsEqually: Bool) {
      (self.profile, self.drawsEqually) = (profile, drawsEqually)
    }
  }

  /// The profile of the chosen engine.
  public var profile: ParticleSystem.Profile

  /// The ground of the choice.
  public var ground: Ground

  /// The reasons, as clauses for people.
  public var reasons: [String]

  /// The other engines that fit.
  public var others: [Other]

  /// Creates a choice.
  public init(
    profile: ParticleSystem.Profile, ground: Ground, reasons: [String], others: [Other]
  ) {
    (self.profile, self.ground, self.reasons, self.others) = (profile, ground, reasons, others)
  }
}
