/** The form of a request: rules as keys, days, the fields from the URL, and the body. */
import * as Route from "@attestry/web/Route"
import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import * as WaiverDraft from "../../app/waiver/WaiverDraft.js"

const NOW = Date.UTC(2026, 10, 18, 12) / 1_000
const DAY = 86_400

const known = { extended: undefined, maxDays: 90, nowSeconds: NOW }

describe("the key of a rule", () => {
  it("gives the rule back", () => {
    const text = fc.string({ unit: "grapheme" })
    const rule: fc.Arbitrary<WaiverDraft.AskedRule> = fc.oneof(
      fc.constantFrom({ type: "provenance" as const }, { type: "trail-compliance" as const }),
      fc.record(
        {
          type: fc.constant("attestation" as const),
          attestation_type: text,
          attestation_name: text,
          for_control: text
        },
        { requiredKeys: ["type", "attestation_type", "attestation_name"], noNullPrototype: true }
      )
    )
    fc.assert(
      fc.property(rule, (each) => {
        assert.deepStrictEqual(WaiverDraft.ruleOf(WaiverDraft.keyOf(each)), each)
      })
    )
  })

  it("is every rule for a text that is no key", () => {
    for (const text of ["", "{}", "[1]", '["a"]', "nonsense"])
      assert.isNull(WaiverDraft.ruleOf(text))
  })
})

describe("the form", () => {
  it("opens with the rule and the artifact of a failing row", () => {
    const route = WaiverDraft.routeFor("acme", {
      policy: "rules",
      environment: "prod",
      fingerprint: "ab",
      rule: {
        type: "attestation",
        definition: {
          name: "scan",
          type: "snyk",
          for_control: null,
          must_be_compliant: true,
          if_condition: null
        }
      } as unknown as Parameters<typeof WaiverDraft.askedBy>[0]
    })
    const draft = WaiverDraft.fromRoute(Route.parse(Route.print(route)), known)
    const body: object = WaiverDraft.bodyOf({ ...draft, reason: "r" }, undefined)
    assert.deepStrictEqual(body, {
      policy_name: "rules",
      rule: { type: "attestation", attestation_type: "snyk", attestation_name: "scan" },
      environment: "prod",
      artifact_fingerprint: "ab",
      reason: "r",
      expires_at: Date.UTC(2026, 11, 2) / 1_000
    })
  })

  it("proposes a last day that the settings allow", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 365 }),
        fc.integer({ min: 0, max: DAY }),
        (days, at) => {
          const nowSeconds = NOW + at
          const { until } = WaiverDraft.fromRoute(
            { query: [] },
            { ...known, maxDays: days, nowSeconds }
          )
          const { expires_at = 0 } = WaiverDraft.bodyOf(
            { ...WaiverDraft.fromRoute({ query: [] }, known), until },
            undefined
          )
          assert.isAbove(expires_at, nowSeconds)
          assert.isAtMost(expires_at, nowSeconds + days * DAY)
        }
      )
    )
  })

  it("omits days that are no dates", () => {
    const draft = { ...WaiverDraft.fromRoute({ query: [] }, known), until: "", from: "x" }
    const body = WaiverDraft.bodyOf(draft, undefined)
    assert.notProperty(body, "expires_at")
    assert.notProperty(body, "starts_at")
  })
})
