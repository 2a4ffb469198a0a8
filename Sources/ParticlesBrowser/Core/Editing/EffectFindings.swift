internal import ParticlesContainer
internal import ParticlesCore
internal import ParticlesDocuments
internal import ParticlesModel

/// The findings of `validate` about an effect that is edited, with what an editor can do about them.
struct EffectFindings {
  private let package: EffectPackage
  private let findings: [Diagnostic]

  init(_ package: EffectPackage) throws {
    self.package = package
    do {
      findings = try WorkBudget.run(.standard) { try Validator().check(package) }
    } catch let fault as Diagnostic {
      findings = [fault]
    }
  }

  /// Each finding with `code`, `severity`, `message`, `hint`, `key`, and `fix`, in words, if it can be mended.
  var json: JSONValue {
    var repaired = (try? package.system()) ?? ParticleSystem()
    let repairs = repaired.mend()
    return .array(
      findings.map { finding in
        let key = Self.key(finding.location)
        var object: JSONObject = [
          "code": .string(finding.rule.code), "severity": .string("\(finding.severity)"),
          "message": .string(finding.message),
        ]
        object["hint"] = finding.hint.map(JSONValue.string)
        object["key"] = key.map(JSONValue.string)
        if repairs.contains(where: { Self.isRepair($0, of: finding.rule.code, at: key) }) {
          object["fix"] = "Mend"
        } else if let key, finding.rule == .range || finding.rule == .type, !key.isEmpty {
          object["fix"] = "Reset"
        }
        return .object(object)
      })
  }

  /// Whether a repair mends a finding: it is of the same rule, and the finding is at its place or inside.
  private static func isRepair(_ repair: Diagnostic.Repair, of code: String, at place: String?)
    -> Bool
  {
    repair.rule.code == code && place?.isPath(at: key(repair.location) ?? "") ?? true
  }

  private static func key(_ location: Location) -> String? {
    if case .key(let key)? = location.position { key } else { nil }
  }

  /// Mends a finding: by the repair that needs no guess, or else with the default of the property.
  static func mend(_ package: inout EffectPackage, code: String, key: String?) throws {
    var system = try package.system()
    let repairs = system.mend()
    if repairs.contains(where: { isRepair($0, of: code, at: key) }) {
      return try package.setSystem(system)
    }
    guard let key else {
      throw Diagnostic(.usage, "'\(code)' cannot be mended by itself", hint: "change the property")
    }
    try package.editValid { try $0.unset(key) }
  }
}
