/** Which attestations satisfy a rule: semantics 6.5 case by case, without conditions and flows. */
import { assert, describe, it } from "@effect/vitest"
import type { AttestationRule } from "../../src/policy/PolicyDocument.js"
import * as Evidence from "../../src/policy/PolicyEvidence.js"
import type { AttestationFact } from "../../src/policy/PolicyFacts.js"

const fact = (sequence: number, is_compliant: boolean, more: Partial<AttestationFact> = {}) => ({
  sequence,
  name: "unit",
  type: "junit",
  is_compliant,
  level: "trail" as const,
  control: null,
  ...more
})

const rule = (more: Partial<AttestationRule> = {}): AttestationRule => ({
  type: "junit",
  name: "unit",
  condition: null,
  mustBeCompliant: true,
  forControl: null,
  ...more
})

/** The same in either order, since attestations come in any. */
const both = (asked: AttestationRule, ...facts: ReadonlyArray<AttestationFact>) => {
  const answers = [facts, [...facts].reverse()].map((all) => Evidence.ofFlow(all, asked))
  assert.strictEqual(answers[0], answers[1])
  return answers[0]
}

const artifact = { level: "artifact" } as const

describe("PolicyEvidence.ofFlow, by name", () => {
  it("is missing without an attestation of that name and type", () => {
    assert.strictEqual(both(rule()), "missing")
    assert.strictEqual(both(rule(), fact(1, true, { name: "other" })), "missing")
    assert.strictEqual(both(rule(), fact(1, true, { type: "snyk" })), "missing")
    assert.strictEqual(
      both(rule(), fact(1, true, { name: "other" }), fact(2, true, { type: "snyk" })),
      "missing"
    )
  })

  it("is that of the latest", () => {
    assert.strictEqual(both(rule(), fact(1, true)), "compliant")
    assert.strictEqual(both(rule(), fact(1, false)), "non-compliant")
    assert.strictEqual(both(rule(), fact(1, false), fact(2, true)), "compliant")
    assert.strictEqual(both(rule(), fact(1, true), fact(2, false)), "non-compliant")
  })

  it("counts matching ones only, even when others are later", () => {
    const later = [fact(2, false, { name: "other" }), fact(3, false, { type: "snyk" })]
    assert.strictEqual(both(rule(), fact(1, true), ...later), "compliant")
    const better = [fact(2, true, { name: "other" }), fact(3, true, { type: "snyk" })]
    assert.strictEqual(both(rule(), fact(1, false), ...better), "non-compliant")
  })

  it("prefers the artifact's own to its trail's, older or not", () => {
    assert.strictEqual(both(rule(), fact(1, true, artifact), fact(2, false)), "compliant")
    assert.strictEqual(both(rule(), fact(1, false, artifact), fact(2, true)), "non-compliant")
    assert.strictEqual(both(rule(), fact(2, true, artifact), fact(1, false)), "compliant")
    assert.strictEqual(
      both(rule(), fact(1, true, artifact), fact(2, false, artifact), fact(3, true)),
      "non-compliant"
    )
  })

  it("takes the non-compliant of two with one sequence", () => {
    assert.strictEqual(both(rule(), fact(1, true), fact(1, false)), "non-compliant")
  })

  it("accepts any type where the rule does", () => {
    assert.strictEqual(both(rule({ type: "*" }), fact(1, true, { type: "snyk" })), "compliant")
    const custom = fact(1, true, { type: "custom" })
    assert.strictEqual(both(rule({ type: "custom:lint" }), custom), "compliant")
    assert.strictEqual(both(rule({ type: "junit" }), custom), "missing")
  })
})

describe("PolicyEvidence.ofFlow, by any name", () => {
  const any = rule({ name: "*" })
  const lint = { name: "lint" }

  it("is missing without an attestation of that type", () => {
    assert.strictEqual(both(any), "missing")
    assert.strictEqual(both(any, fact(1, true, { type: "snyk" })), "missing")
  })

  it("needs one name whose latest is compliant", () => {
    assert.strictEqual(both(any, fact(1, true), fact(2, true, lint)), "compliant")
    assert.strictEqual(both(any, fact(1, false), fact(2, false, lint)), "non-compliant")
    assert.strictEqual(both(any, fact(1, false), fact(2, true, lint)), "compliant")
    assert.strictEqual(both(any, fact(1, true), fact(2, false)), "non-compliant")
    assert.strictEqual(both(any, fact(1, false), fact(2, true)), "compliant")
    assert.strictEqual(
      both(any, fact(1, true), fact(2, false), fact(3, true, lint), fact(4, false, lint)),
      "non-compliant"
    )
    assert.strictEqual(
      both(any, fact(1, true), fact(2, false), fact(3, false, lint), fact(4, true, lint)),
      "compliant"
    )
  })

  it("ignores other types in all of this", () => {
    const other = { type: "snyk" }
    assert.strictEqual(both(any, fact(1, false), fact(2, true, other)), "non-compliant")
    assert.strictEqual(
      both(any, fact(1, true), fact(2, false), fact(3, true, other)),
      "non-compliant"
    )
    assert.strictEqual(both(any, fact(1, false), fact(2, true), fact(3, false, other)), "compliant")
  })

  it("prefers the artifact's own to its trail's of the same name", () => {
    assert.strictEqual(both(any, fact(1, false, artifact), fact(2, true)), "non-compliant")
    assert.strictEqual(both(any, fact(1, true, artifact), fact(2, false)), "compliant")
  })
})

describe("PolicyEvidence.latestDecision", () => {
  const asked = rule({ type: "decision", name: "*", forControl: "CTL-7" })
  const decision = (
    sequence: number,
    is_compliant: boolean,
    more: Partial<AttestationFact> = {}
  ): AttestationFact =>
    fact(sequence, is_compliant, { type: "decision", control: "CTL-7", ...more })
  const latest = (
    facts: ReadonlyArray<AttestationFact>,
    by = asked,
    before?: AttestationFact
  ): AttestationFact | undefined => {
    const found = Evidence.latestDecision(facts, by, before)
    assert.strictEqual(Evidence.latestDecision([...facts].reverse(), by, before), found)
    return found
  }

  it("is the newest about the control, of any level", () => {
    const [one, two] = [decision(1, true, artifact), decision(2, false)]
    assert.strictEqual(latest([one, two]), two)
    assert.strictEqual(latest([one]), one)
    assert.isUndefined(latest([]))
  })

  it("ignores other controls, other types and other names", () => {
    const one = decision(1, true)
    const others = [
      decision(2, false, { control: "CTL-8" }),
      fact(3, false, { control: "CTL-7" }),
      fact(4, false)
    ]
    assert.strictEqual(latest([one, ...others]), one)
    assert.isUndefined(latest(others))
    const named = rule({ ...asked, name: "approval" })
    assert.isUndefined(latest([one], named))
    const approval = decision(1, false, { name: "approval" })
    assert.strictEqual(latest([decision(2, true), approval], named), approval)
  })

  it("continues from the decision of other flows", () => {
    const [one, two, three] = [decision(1, true), decision(2, true), decision(3, false)]
    assert.strictEqual(latest([one], asked, two), two)
    assert.strictEqual(latest([three], asked, two), three)
    assert.strictEqual(latest([], asked, two), two)
    const tie = decision(2, false)
    assert.strictEqual(latest([tie], asked, two), tie)
    assert.strictEqual(latest([two], asked, tie), tie)
  })
})
