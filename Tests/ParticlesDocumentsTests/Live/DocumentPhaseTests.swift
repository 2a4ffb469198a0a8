import Testing

@testable import ParticlesDocuments

/// Phases and places of saves as values: without files, tasks and clocks.
@Suite("Phases of documents as values")
struct DocumentPhaseTests {
  @Test("an opening goes on while a call waits for it, and ends when all have left")
  func phases() {
    var phase = DocumentPhase()
    #expect(phase.enter() == .begin && phase.enter() == .join && !phase.hasContents)
    let calls = [phase.join(), phase.join()]
    for call in calls { phase.wait(call) }
    #expect(!phase.leave(calls[0]) && phase.callers == [calls[1]])
    #expect(!phase.leave(calls[0]) && phase.leave(calls[1]))
    #expect(phase.enter() == .afterOpening)
    phase.endOpening(isOpen: false)
    #expect(phase.step == .closed && phase.enter() == .begin && phase.enter() == .join)
    phase.endOpening(isOpen: true)
    #expect(phase.enter() == .done && phase.hasContents)
    phase.beginClosing()
    #expect(phase.enter() == .afterClosing && phase.hasContents)
    phase.endClosing(isClosed: false)
    #expect(phase.step == .open)
  }

  @Test("automatic saves go where the document is, unless one has failed or its user is needed")
  func plan() {
    var plan = AutosavePlan()
    #expect(plan.savesInPlace(.changed, allowed: true, at: 0))
    #expect(!plan.savesInPlace(.changed, allowed: false, at: 0))
    for states: DocumentStates in [.inConflict, .readOnly, .deleted, .undecodable] {
      #expect(!plan.savesInPlace([.changed, states], allowed: true, at: 0))
      #expect(plan.failed(states, window: 1, longest: 9, at: 0) == nil)
    }
    #expect(plan.failed(.changed, window: nil, longest: 9, at: 0) == nil)
    #expect(plan.failed(.changed, window: 1, longest: 9, at: 10)?.delay == 2)
    #expect(!plan.savesInPlace(.changed, allowed: true, at: 11.9))
    #expect(plan.savesInPlace(.changed, allowed: true, at: 12))
    plan.keptPoint = 3
    #expect(plan.isKept(3) && !plan.isKept(4))
    plan.rebased()
    #expect(!plan.isKept(3))
  }
}
