import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { Fingerprint } from "../../src/artifact/Fingerprint.js"
import * as AttestationBinding from "../../src/compliance/AttestationBinding.js"
import * as AttestationCommits from "../../src/compliance/internal/AttestationCommits.js"
import { CommitSha, SlotName } from "../../src/shared/Identifier.js"

const sha = (digit: string) => CommitSha.make(digit.repeat(40))
const print = (digit: string) => Fingerprint.make(digit.repeat(64))
const slot = FastCheck.constantFrom(SlotName.make("app"), SlotName.make("web"))
const commit = FastCheck.constantFrom(null, sha("a"), sha("b"))
const content = FastCheck.constantFrom(print("1"), print("2"))

const trail = FastCheck.record({
  commit,
  records: FastCheck.array(FastCheck.record({ fingerprint: content, slot, commit }), {
    maxLength: 5
  })
})

/** An attestation of slots alone has a commit. */
const attested = FastCheck.record({
  commit,
  fingerprint: FastCheck.option(content),
  slots: FastCheck.uniqueArray(slot, { maxLength: 2 })
}).filter((one) => one.fingerprint !== null || one.slots.length === 0 || one.commit !== null)

describe("AttestationCommits", () => {
  it.prop(
    "are its own, or those of the artifacts it counts for, or that of its trail",
    { attested, trail },
    ({ attested, trail }) => {
      const fact = {
        ...attested,
        sequence: 1,
        id: "1",
        name: "n",
        type: "generic",
        isCompliant: true,
        isOverride: false
      }
      const { bound } = AttestationBinding.make([fact])
      const counted = trail.records
        .map((record, sequence) => ({ ...record, sequence, id: String(sequence) }))
        .filter((record) => bound(record).length > 0)
        .flatMap((record) => (record.commit === null ? [] : [record.commit]))
      const expected =
        attested.commit !== null
          ? [attested.commit]
          : counted.length > 0
            ? counted
            : trail.commit === null
              ? []
              : [trail.commit]
      assert.deepStrictEqual(
        [...AttestationCommits.of(attested, trail)].sort(),
        [...new Set(expected)].sort()
      )
    }
  )

  it.prop(
    "do not depend on artifacts where none are asked for",
    { attested, trail },
    ({ attested, trail }) => {
      if (AttestationCommits.needsRecords(attested)) return
      assert.deepStrictEqual(
        AttestationCommits.of(attested, { ...trail, records: [] }),
        AttestationCommits.of(attested, trail)
      )
    }
  )
})
