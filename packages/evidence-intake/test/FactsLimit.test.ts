/** Facts stay under their limit: lists are cut, single texts are not. */
import { BYTES_MAX, type FactsOf } from "@attestry/core/EvidenceFacts"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as FactsLimit from "../src/internal/FactsLimit.js"
import * as Files from "./shared/EvidenceFiles.js"

const facts = (changes: Partial<FactsOf<"verification">>): FactsOf<"verification"> => ({
  kind: "verification",
  format: { name: "a", version: null },
  tool: null,
  created_at: null,
  digest: Files.SHA256,
  size: 1,
  subjects: [],
  subject_count: 0,
  truncated: [],
  verifier: null,
  result: null,
  levels: [],
  policy: { uri: null, sha256: null },
  verified_at: null,
  ...changes
})

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

const texts = (lengthMax: number) =>
  FastCheck.array(FastCheck.integer({ min: 0, max: lengthMax }), {
    minLength: 20,
    maxLength: 60,
    size: "max"
  }).map((lengths) => lengths.map((length) => "ä".repeat(length)))

describe("the limit of facts", () => {
  it.prop(
    "holds, and what is left is the beginning of each list",
    { levels: texts(20_000), names: texts(5_000) },
    ({ levels, names }) => {
      const subjects = names.map((name) => ({ name, digest: {} }))
      const before = facts({ levels, subjects })
      const after = Either.getOrThrow(FactsLimit.bound(before))
      assert.isAtMost(bytesOf(after), BYTES_MAX)
      if (after.kind !== "verification") return
      assert.deepStrictEqual(after.levels, levels.slice(0, after.levels.length))
      assert.deepStrictEqual(after.subjects, subjects.slice(0, after.subjects.length))
      assert.deepStrictEqual(
        [after.truncated.includes("levels"), after.truncated.includes("subjects")],
        [after.levels.length < levels.length, after.subjects.length < subjects.length]
      )
    }
  )

  it("changes nothing below it", () => {
    const small = facts({ levels: ["a"] })
    assert.deepStrictEqual(FactsLimit.bound(small), Either.right(small))
  })

  it("names a list once", () => {
    const after = Either.getOrThrow(
      FactsLimit.bound(
        facts({ levels: ["a".repeat(BYTES_MAX), "b"], truncated: ["levels", "subjects"] })
      )
    )
    assert.deepStrictEqual(after.truncated, ["levels", "subjects"])
  })

  it("is a problem for a text that is longer", () => {
    const long = Files.statement({
      predicateType: "https://slsa.dev/verification_summary/v1",
      predicate: { verificationResult: "P".repeat(BYTES_MAX) }
    })
    assert.strictEqual(
      Files.messageOf(long),
      `texts of the facts are longer than ${BYTES_MAX} bytes`
    )
  })
})
