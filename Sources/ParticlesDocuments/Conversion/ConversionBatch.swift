internal import ParticlesCore

/// The folders that a conversion creates, and the results that wait for a flush of the disk.
///
/// Flushing each file takes longer than converting it. So results are written under temporary names,
/// flushed in groups and renamed after that: after a crash, a name refers to the old file or to all of
/// the new one.
final class ConversionBatch: Sendable {
  /// The number of outcomes that may wait for an earlier one.
  static let window = 64

  private struct State {
    var group = SaveGroup()
    var waiting: [ConversionOutcome] = []
    var files = 0
    var begin = MonotonicClock.seconds
    /// The digests of the images that documents of the batch have written, by path.
    var images: [String: ContentDigest] = [:]
  }

  private let isStaging: Bool
  private let groupSeconds: Double
  /// Used by one thread at a time, the one that reports.
  nonisolated(unsafe) private var state = State()
  private let folders = Lock<(known: Set<String>, created: [String])>(([], []))

  /// - Parameters:
  ///   - isStaging: whether results are renamed in groups; otherwise, one at a time.
  ///   - groupSeconds: the time after which a group is flushed, in seconds.
  init(isStaging: Bool, groupSeconds: Double) {
    self.isStaging = isStaging
    self.groupSeconds = groupSeconds
  }

  /// Creates the folder for a result in a batch, and returns the stage for its files; nil if they get
  /// their names at once.
  func stage(for item: ConversionPlan.Item) throws -> SaveStage? {
    guard isStaging else { return nil }
    if item.output.contains("/") {
      try folders.withLock { try Self.make(Files.folder(of: item.output), &$0) }
    }
    return SaveStage()
  }

  private static func make(
    _ path: String, _ folders: inout (known: Set<String>, created: [String])
  ) throws {
    guard folders.known.insert(path).inserted, try Files.status(path) == nil else { return }
    let parent = Files.folder(of: path)
    if parent != path { try make(parent, &folders) }
    try Files.makeDirectory(path)
    folders.created.append(path)
  }

  /// Removes the created folders that are empty.
  func removeEmptyFolders() {
    let created = folders.withLock(\.created)
    for path in created.reversed() { try? Files.removeEmptyDirectory(path) }
  }

  /// Writes the files of an effect, without the images that other documents have written.
  func write(_ outcome: inout ConversionOutcome, for conversion: Conversion) {
    outcome.write(for: conversion, beside: &state.images)
  }

  // MARK: Groups

  /// Adds the next outcome, and reports all that are complete.
  func add(
    _ outcome: ConversionOutcome, _ report: (ConversionOutcome) throws -> Void
  ) throws {
    guard isStaging else {
      var outcome = outcome
      outcome.release()
      return try report(outcome)
    }
    state.waiting.append(outcome)
    state.files += outcome.stage?.count ?? 0
    let isDue =
      state.files >= SafeSave.groupSize || MonotonicClock.seconds - state.begin >= groupSeconds
    if isDue { try commit(report) }
  }

  /// Completes the last group.
  /// - Returns: the time spent in flushes, in seconds.
  func finish(_ report: (ConversionOutcome) throws -> Void) throws -> Double {
    try commit(report)
    if isStaging { try state.group.finish() }
    return state.group.seconds
  }

  private func commit(_ report: (ConversionOutcome) throws -> Void) throws {
    var outcomes = state.waiting
    (state.waiting, state.files, state.begin) = ([], 0, MonotonicClock.seconds)
    let staged = outcomes.indices.filter { (outcomes[$0].stage?.count ?? 0) > 0 }
    if !staged.isEmpty {
      let stages = staged.compactMap { outcomes[$0].stage }
      var images = state.images
      func forgetImages(_ errors: [(any Error)?]) {
        for (index, error) in zip(staged, errors) where error != nil {
          outcomes[index].forgetImages(in: &images)
        }
      }
      let errors = state.group.commit(stages) { index, errors in
        forgetImages(errors)
        try outcomes[staged[index]].writeMissingImages(beside: &images)
      }
      forgetImages(errors)
      state.images = images
      for (index, error) in zip(staged, errors) {
        if let error { outcomes[index].fail(error) }
      }
    }
    for index in outcomes.indices {
      outcomes[index].release()
      try report(outcomes[index])
    }
  }
}
