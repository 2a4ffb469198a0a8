// The listings of the articles of the library. `ArticleTests` runs them, and `ReadmeTests` holds
// the articles to these very lines. So this file imports the modules of an application.

import Foundation
import Particles

func brighten(_ path: String, image: [UInt8]) throws -> [Diagnostic] {
  var editor = try EffectEditor(EffectPackage(try Container(contentsOf: path)))
  try editor.set("emitters[0].emission.rate", to: "120..180")
  try editor.embed(image, named: "flame.png")
  for change in editor.changes { print(change.key) }
  let findings = try editor.findings()
  if findings.contains(where: { $0.severity == .error }) { return findings }
  var package = editor.package
  try package.container.save()
  return findings
}

func importEffect(_ path: String, to result: String) throws -> [Diagnostic] {
  var opened = try OpenedEffect(path: path)
  try opened.package.container.save(to: result, as: .flat)
  return opened.diagnostics
}

func create(_ path: String, template name: String) throws {
  let library = EffectTemplateLibrary(environment: ProcessInfo.processInfo.environment)
  guard let package = try library.package(named: name) else { return }
  try package.container.write(to: path, as: .flat)
}

func sceneKit(from bytes: [UInt8], named name: String) throws -> [String: [UInt8]] {
  let opened = try OpenedEffect(bytes: bytes, name: name)
  let exported = try opened.package.exported(as: .sceneKit, fileName: "effect.scnp")
  for loss in exported.losses { print(loss) }
  var files = exported.beside
  for part in exported.parts { files[part.name] = part.bytes }
  return files
}

func visibleLosses(of exported: Exported) -> [String] {
  exported.losses.compactMap { diagnostic in
    guard let loss = diagnostic.loss, loss.level >= .medium else { return nil }
    return "\(loss.path): \(loss.recipe ?? diagnostic.message)"
  }
}

func convertAll(in folder: String, to output: String) throws -> [String] {
  let target = ConversionTarget.effect(.sceneKit)
  let plan = try ConversionPlan(
    [folder], to: output, isRecursive: true, extension: target.pathExtension)
  var conversion = Conversion(to: target)
  conversion.maximumLoss = .medium
  conversion.isReplacing = true
  var written: [String] = []
  try conversion.run(plan) { outcome in
    written += outcome.outputs
    if let failure = outcome.failure { print(failure) }
    if outcome.status == .refused { print("\(outcome.item.input) would lose too much") }
  }
  return written
}

func errors(in path: String) throws -> [Diagnostic] {
  let findings = try Validator().check(path)
  for diagnostic in findings.diagnostics { print(diagnostic) }
  return findings.diagnostics.filter { $0.severity == .error }
}

func report(onUpload bytes: [UInt8], named name: String) throws -> String {
  var validator = Validator()
  validator.limits.totalBytes = 16 << 20
  validator.budget.particles = 5000
  let findings = try validator.check(bytes, named: name)
  return Diagnostic.Report(files: [findings]).json.text
}

func repair(_ path: String) throws -> Int {
  let repairs = try Validator().repair(path)
  for repair in repairs { print(repair) }
  return repairs.count
}

func editLive(
  _ path: String, rate: Double, configuration: DocumentConfiguration = DocumentConfiguration()
) async throws -> [String] {
  let document = Document<EffectPackage>(path: path, configuration: configuration)
  try await document.open()
  try await document.edit("Change Rate", coalescing: "rate") { package in
    var system = try package.system()
    system.emitters[0].emission.rate = .constant(rate)
    try package.setSystem(system)
  }
  let names = await document.undoNames
  try await document.close()
  return names
}

func openMoving(
  _ path: String, configuration: DocumentConfiguration
) async throws -> Document<EffectPackage> {
  let opened = try OpenedEffect(path: path)
  for finding in opened.diagnostics { print(finding) }
  if !opened.isPackage {
    let old = FileNode(regularFileWithContents: Array(try Data(contentsOf: URL(filePath: path))))
    if let folder = configuration.dataFolder {
      try VersionStore(dataFolder: folder).add(old, of: path, as: .opened)
    }
    try opened.package.container.write(to: path, as: .flat, replacing: true)
  }
  let document = Document<EffectPackage>(path: path, configuration: configuration)
  try await document.open()
  return document
}
