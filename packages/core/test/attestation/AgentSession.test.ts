/** What a session of a coding agent must say; it is always compliant. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Schema } from "effect"
import * as Payload from "../../src/attestation/AttestationPayload.js"
import * as AttestationReport from "../../src/attestation/AttestationReport.js"

const decode = Schema.decodeUnknownEither(AttestationReport.SystemReport, {
  onExcessProperty: "error"
})

const SHA = "9f1c2ab0".repeat(5)

const least = {
  tool: { name: "agent" },
  model: "model-1",
  started_at: 1_790_000_000,
  ended_at: 1_790_000_600.5,
  files_changed: []
}

const bodyOf = (attestation_data: unknown, type_name = "agent_session") => ({
  attestation_name: "session",
  type_name,
  attestation_data
})

const isRead = (data: unknown): boolean => Either.isRight(decode(bodyOf(data)))

const file = FastCheck.record(
  {
    path: FastCheck.constantFrom("src/a.ts", "<WIP>", "__proto__"),
    added: FastCheck.constantFrom(0, 12, null),
    removed: FastCheck.constantFrom(0, 3, null),
    mode: FastCheck.constant("100644")
  },
  { requiredKeys: ["path"] }
)

const session = FastCheck.record(
  {
    tool: FastCheck.constantFrom<object>(
      { name: "agent" },
      { name: "agent", version: "2.1", os: 1 }
    ),
    model: FastCheck.constantFrom("model-1"),
    started_at: FastCheck.constantFrom(1_790_000_000, 1_790_000_600),
    ended_at: FastCheck.constantFrom(1_790_000_600, 1_790_000_900.25),
    transcript_sha256: FastCheck.constantFrom("a".repeat(64), "A".repeat(64), "", null),
    files_changed: FastCheck.array(file, { maxLength: 3 }),
    files_changed_count: FastCheck.constantFrom(0, 4_000, null),
    commits: FastCheck.constantFrom([], [SHA], null),
    prompted_by: FastCheck.constantFrom({ username: "ada" }, { username: "", team: "shop" }, null),
    turns: FastCheck.constant(7)
  },
  { requiredKeys: ["tool", "model", "started_at", "ended_at", "files_changed"] }
)

describe("a session of a coding agent", () => {
  it.prop(
    "is compliant and kept as it was sent",
    { session, type: FastCheck.constantFrom("agent_session", "system:agent_session") },
    ({ session: data, type }) => {
      const decoded = Either.getOrThrow(decode(bodyOf(data, type)))
      assert.isTrue(AttestationReport.isAgentSession(decoded))
      if (AttestationReport.isDecision(decoded)) throw new Error("read as a decision")
      const report = AttestationReport.described(decoded)
      assert.deepInclude(report, { type: "agent_session", isOverride: false, isCompliant: true })
      assert.deepStrictEqual(report.body.attestation_data, data)
      assert.deepStrictEqual(
        Either.getOrThrow(decode(bodyOf(JSON.stringify(data), type))).attestation_data,
        decoded.attestation_data
      )
    }
  )

  it.each([
    [{ tool: {} }],
    [{ tool: { name: "" } }],
    [{ tool: { name: "<TOOL>" } }],
    [{ tool: { name: "agent", version: 2 } }],
    [{ model: "" }],
    [{ model: "<MODEL>" }],
    [{ model: undefined }],
    [{ started_at: "yesterday" }],
    [{ ended_at: least.started_at - 1 }],
    [{ transcript_sha256: "a".repeat(63) }],
    [{ files_changed: undefined }],
    [{ files_changed: [{ path: "" }] }],
    [{ files_changed: [{ path: "a", added: -1 }] }],
    [{ files_changed: [{ path: "a", removed: 0.5 }] }],
    [{ files_changed_count: -1 }],
    [{ commits: ["9f1c2ab0"] }],
    [{ prompted_by: "ada" }]
  ])("is refused with %j", (wrong) => {
    assert.isTrue(isRead(least))
    assert.isFalse(isRead({ ...least, ...wrong }))
  })

  it("lists files and commits up to a limit", () => {
    const files = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ path: `src/${index}.ts` }))
    const commits = (count: number) => Array.from({ length: count }, () => SHA)
    const { FILES_CHANGED_MAX, SESSION_COMMITS_MAX } = Payload
    assert.isTrue(isRead({ ...least, files_changed: files(FILES_CHANGED_MAX) }))
    assert.isFalse(isRead({ ...least, files_changed: files(FILES_CHANGED_MAX + 1) }))
    assert.isTrue(isRead({ ...least, commits: commits(SESSION_COMMITS_MAX) }))
    assert.isFalse(isRead({ ...least, commits: commits(SESSION_COMMITS_MAX + 1) }))
  })

  it("begins and ends at the same instant at the least", () => {
    assert.isTrue(isRead({ ...least, ended_at: least.started_at }))
  })
})
