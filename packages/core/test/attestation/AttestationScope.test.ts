import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as AttestationScope from "../../src/attestation/AttestationScope.js"

const F = "f".repeat(64)
const E = "e".repeat(64)
const sha1 = "1".repeat(40)

const trail = { org: "acme", flow: "build", trail: "9f1c" }
const artifacts = [
  { slot: "backend", fingerprint: F },
  { slot: "frontend", fingerprint: E }
]

const locate = (request: AttestationScope.ScopeRequest) =>
  AttestationScope.locate(request, trail, artifacts)

const tag = (request: AttestationScope.ScopeRequest) =>
  Either.match(locate(request), { onLeft: ({ _tag }) => _tag, onRight: () => "accepted" })

describe("AttestationScope.locate", () => {
  it("has the trail as target without fingerprint and slots", () => {
    for (const request of [{}, { target_artifacts: [] }, { artifact_fingerprint: null }])
      assert.deepStrictEqual(
        locate(request),
        Either.right({ fingerprint: null, slots: [], commit: null })
      )
  })

  it("has a fingerprint of the trail as target, with or without a commit", () => {
    assert.deepStrictEqual(
      locate({ artifact_fingerprint: F }),
      Either.right({ fingerprint: F, slots: [], commit: null })
    )
    assert.strictEqual(tag({ artifact_fingerprint: "d".repeat(64) }), "ArtifactNotInTrail")
  })

  it("has slots by commit as target, also without an artifact, each slot once", () => {
    assert.deepStrictEqual(
      locate({ target_artifacts: ["new", "backend", "new"], git_commit_info: { sha1 } }),
      Either.right({ fingerprint: null, slots: ["new", "backend"], commit: sha1 })
    )
    assert.strictEqual(tag({ target_artifacts: ["backend"] }), "AttestationNeedsCommit")
    assert.strictEqual(
      tag({ target_artifacts: ["backend"], git_commit_info: null }),
      "AttestationNeedsCommit"
    )
  })

  it("has a fingerprint in named slots as target when at least one of them has it", () => {
    const both = (...slots: ReadonlyArray<string>) =>
      tag({ artifact_fingerprint: F, target_artifacts: slots })
    assert.strictEqual(both("backend"), "accepted")
    assert.strictEqual(both("new", "backend"), "accepted")
    assert.strictEqual(both("frontend"), "ArtifactNotInTrail")
  })

  it("names what is absent and what is required", () => {
    const message = (request: AttestationScope.ScopeRequest) =>
      Either.getOrThrow(Either.flip(locate(request))).message
    assert.strictEqual(
      message({ artifact_fingerprint: F, target_artifacts: ["frontend"] }),
      `there is no artifact \`${F}\` in slots \`frontend\` in trail \`9f1c\` of flow \`build\``
    )
    assert.strictEqual(
      message({ target_artifacts: ["a", "b"] }),
      "an attestation for `a, b` needs a fingerprint or a commit"
    )
  })
})
