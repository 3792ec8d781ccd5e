import { assert, describe, it } from "vitest"
import { sayRan, sayStep } from "../../app/snapshot/RemedyText.js"

const place = { flow_name: "shop", trail_name: "build-118", settles: [] }
const evidence = {
  ...place,
  attestation_name: "unit",
  attestation_type: "junit",
  level: "artifact"
} as const

describe("RemedyText", () => {
  it("says what each step asks for", () => {
    const where = "of type `junit` in trail `build-118` of flow `shop`"
    assert.strictEqual(sayStep({ ...evidence, do: "attest" }), `Report \`unit\` ${where}`)
    assert.strictEqual(
      sayStep({ ...evidence, do: "fix" }),
      `Report \`unit\` ${where} again once it passes, or override it`
    )
    assert.match(
      sayStep({ ...evidence, do: "wait", usually_after_seconds: 240 }),
      /^Wait for .*usually arrives 4/
    )
    assert.match(
      sayStep({ ...evidence, do: "wait", usually_after_seconds: 0 }),
      /\(usually arrives with the artifact\)$/
    )
    assert.include(sayStep({ ...evidence, do: "attest", level: "trail" }), "for trail")
    assert.include(
      sayStep({ ...evidence, do: "decide", attestation_type: "decision", for_control: "CTL-7" }),
      "about control `CTL-7`"
    )
    assert.include(sayStep({ ...place, do: "complete" }), "still misses")
    assert.strictEqual(
      sayStep({ do: "report", flow_name: "shop", settles: [] }),
      "Report the artifact to flow `shop`"
    )
    assert.include(sayStep({ do: "save_policy", policy_name: "p", settles: [] }), "policy `p`")
    assert.include(
      sayStep({ do: "allow", environment_name: "prod", fingerprint: "f".repeat(64) }),
      "until removed"
    )
  })

  it("says when an earlier artifact last ran", () => {
    const previous = { fingerprint: "f".repeat(64), name: "shop:0.9", git_commit: null }
    const ran = (last_ran: Parameters<typeof sayRan>[0]["last_ran"]) =>
      sayRan({ ...previous, last_ran }, 1_000_000_000)
    assert.strictEqual(ran(null), "it has never run")
    assert.strictEqual(ran({ environment: "prod", from: 1, to: null }), "it runs in prod")
    assert.match(
      ran({ environment: "prod", from: 1, to: 900_000 }),
      /^it ran in prod until .* ago$/
    )
  })
})
