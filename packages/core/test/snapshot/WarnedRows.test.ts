import { assert, describe, it } from "@effect/vitest"
import { gained } from "../../src/snapshot/internal/WarnedRows.js"
import * as Reports from "../../testing/EnvironmentReport.js"

const [fingerprint] = Reports.fingerprints

const row = (
  name: string,
  status: "COMPLIANT" | "NON-COMPLIANT",
  mode: { readonly mode?: "warn" } = { mode: "warn" }
) => ({
  name,
  fingerprint,
  decisions: [{ policy_id: "p", policy_name: "p", version: 1, status, outcomes: [], ...mode }]
})

describe("WarnedRows.gained", () => {
  it("counts rows that have a warning and had none", () => {
    const warned = row("a", "NON-COMPLIANT")
    const fine = row("a", "COMPLIANT")
    assert.strictEqual(gained([], [warned]), 1)
    assert.strictEqual(gained([fine], [warned, row("b", "NON-COMPLIANT")]), 2)
    assert.strictEqual(gained([warned], [warned]), 0)
    assert.strictEqual(gained([warned], [fine]), 0)
    assert.strictEqual(gained([row("b", "NON-COMPLIANT")], [warned]), 1)
  })

  it("does not count what counting policies refuse", () => {
    assert.strictEqual(gained([], [row("a", "NON-COMPLIANT", {})]), 0)
  })
})
