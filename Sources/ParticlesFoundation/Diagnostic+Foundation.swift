public import Foundation
public import ParticlesCore

extension Diagnostic: LocalizedError {
  /// The message with its location, as an alert shows it.
  public var errorDescription: String? {
    let place = location.description
    return place.isEmpty ? message : "\(place): \(message)"
  }

  /// The summary of the rule that was broken.
  public var failureReason: String? { rule.summary }

  /// The next step; nil if there is none.
  public var recoverySuggestion: String? { hint }
}

extension Diagnostic: CustomNSError {
  /// The domain of all errors of the library.
  public static var errorDomain: String { "org.particles-format.particles" }

  /// The code of the rule is in the user info as `rule`, because the numbers of `NSError` are not stable.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = ["rule": rule.code]
    info[NSLocalizedDescriptionKey] = errorDescription
    info[NSLocalizedFailureReasonErrorKey] = failureReason
    info[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
    return info
  }
}
