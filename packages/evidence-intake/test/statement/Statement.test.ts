/** Statements of in-toto: versions, subjects, and predicates of every other type. */
import { PREDICATE_BYTES_MAX } from "@attestry/core/EvidenceFacts"
import { assert, describe, it } from "@effect/vitest"
import * as Files from "../shared/EvidenceFiles.js"

describe("statements", () => {
  it("of other versions are named and not read", () => {
    const of = (version: string) =>
      Files.messageOf(Files.statement({ _type: `https://in-toto.io/Statement/${version}` }))
    assert.strictEqual(
      of("v2.1"),
      "This looks like an in-toto statement v2.1, which is not read yet; v0.1 and v1 are"
    )
    assert.strictEqual(
      of("secret"),
      "This looks like an in-toto statement, which is not read yet; v0.1 and v1 are"
    )
  })

  it("of an unknown predicate keep it", () => {
    const { facts, predicateType } = Files.documentOf(Files.statement())
    const { facts: reordered } = Files.documentOf(
      Files.statement({ predicate: { b: 1, a: 2 }, predicateType: "a" })
    )
    const { facts: ordered } = Files.documentOf(
      Files.statement({ predicate: { a: 2, b: 1 }, predicateType: "a" })
    )
    assert.strictEqual(facts.kind, "statement")
    if (facts.kind !== "statement" || ordered.kind !== "statement") return
    assert.deepStrictEqual(facts.predicate, { reviewed: true })
    assert.strictEqual(facts.predicate_type, "https://example.org/review/v1")
    assert.strictEqual(predicateType, "https://example.org/review/v1")
    assert.match(facts.predicate_sha256, /^[0-9a-f]{64}$/)
    assert.strictEqual(
      reordered.kind === "statement" ? reordered.predicate_sha256 : null,
      ordered.predicate_sha256
    )
  })

  it("of an unknown predicate of 64 KiB or more keep its digest alone", () => {
    const empty = JSON.stringify({ a: "" }).length
    const predicateOf = (bytes: number) => {
      const { facts } = Files.documentOf(
        Files.statement({ predicate: { a: "x".repeat(bytes - empty) } })
      )
      return facts.kind === "statement" ? facts.predicate : undefined
    }
    assert.isNotNull(predicateOf(PREDICATE_BYTES_MAX - 1))
    assert.isNull(predicateOf(PREDICATE_BYTES_MAX))
  })

  it("may have no predicate", () => {
    for (const predicate of [undefined, null]) {
      const { facts } = Files.documentOf(Files.statement({ predicate }))
      assert.deepStrictEqual(facts.kind === "statement" ? facts.predicate : null, {})
    }
  })

  it("are refused with members that are not what they must be", () => {
    const cases: ReadonlyArray<readonly [{ readonly [member: string]: unknown }, string]> = [
      [{ subject: undefined }, "subject is not a list"],
      [{ subject: [] }, "subject is empty"],
      [{ subject: [1] }, "subject[0] is not an object"],
      [{ subject: [{ name: "a" }] }, "subject[0].digest is not an object"],
      [{ subject: [{ digest: {} }] }, "subject[0].digest is empty"],
      [{ subject: [{ digest: { sha1: 1 } }] }, "subject[0].digest has a digest that is not a text"],
      [
        { subject: [{ digest: { sha256: "ab" } }] },
        "subject[0].digest.sha256 is not 64 hexadecimal digits"
      ],
      [{ subject: [{ name: 1, digest: { sha1: "ab" } }] }, "subject[0].name is not a text"],
      [{ predicateType: "" }, "predicateType is not a text"],
      [{ predicateType: 1 }, "predicateType is not a text"],
      [{ predicate: [] }, "predicate is not an object"]
    ]
    for (const [changes, message] of cases)
      assert.strictEqual(Files.messageOf(Files.statement(changes)), message)
  })

  it("have digests in lower case, other digests as they are", () => {
    const { subjects } = Files.documentOf(
      Files.statement({
        subject: [{ digest: { sha256: Files.SHA256.toUpperCase(), dirHash: "h1:Ab+/=" } }]
      })
    )
    assert.deepStrictEqual(
      { ...subjects[0]?.digest },
      { sha256: Files.SHA256, dirHash: "h1:Ab+/=" }
    )
  })
})
