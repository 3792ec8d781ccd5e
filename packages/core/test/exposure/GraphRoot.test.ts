/** The texts of roots. */
import { Fingerprint } from "@attestry/core/Fingerprint"
import * as GraphRoot from "@attestry/core/GraphRoot"
import * as Identifier from "@attestry/core/Identifier"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Either, FastCheck } from "effect"

const attestationId = FastCheck.stringMatching(/^[0-9a-f-]{1,64}$/).map((id) =>
  Identifier.AttestationId.make(id)
)

const roots = FastCheck.oneof(
  Arbitrary.make(Fingerprint).map((fingerprint) => ({ _tag: "fingerprint" as const, fingerprint })),
  Arbitrary.make(Identifier.CommitSha).map((commit) => ({ _tag: "commit" as const, commit })),
  FastCheck.tuple(Arbitrary.make(Identifier.FlowName), Arbitrary.make(Identifier.TrailName)).map(
    ([flow, trail]) => ({ _tag: "trail" as const, flow, trail })
  ),
  attestationId.map((id) => ({ _tag: "attestation" as const, id })),
  Arbitrary.make(Identifier.EnvironmentName).map((environment) => ({
    _tag: "environment" as const,
    environment
  })),
  Arbitrary.make(Identifier.PolicyName).map((policy) => ({ _tag: "policy" as const, policy })),
  Arbitrary.make(Identifier.ControlIdentifier).map((control) => ({
    _tag: "control" as const,
    control
  }))
)

const nearly = FastCheck.tuple(
  FastCheck.constantFrom(
    ...["fingerprint", "commit", "trail", "attestation", "environment", "policy", "control"],
    ...["flow", "", "Trail"]
  ),
  FastCheck.constantFrom(":", "", "::"),
  FastCheck.oneof(
    FastCheck.constantFrom("a/b", "a", "a/b/c", "/", "a/", "~a", "a".repeat(40), "a".repeat(64)),
    FastCheck.string()
  )
).map((parts) => parts.join(""))

describe("GraphRoot", () => {
  it.prop("reads back what it printed", { root: roots }, ({ root }) => {
    assert.deepStrictEqual<unknown>(Either.getOrThrow(GraphRoot.parse(GraphRoot.print(root))), root)
  })

  it.prop(
    "never throws, and takes what the pattern says",
    { text: FastCheck.oneof(FastCheck.string(), nearly) },
    ({ text }) => {
      const isRoot = new RegExp(GraphRoot.PATTERN).test(text)
      assert.strictEqual(Either.isRight(GraphRoot.parse(text)), isRoot, text)
    }
  )

  it("says what a text should be", () => {
    const refusal = (text: string) => Either.getOrThrow(Either.flip(GraphRoot.parse(text)))
    assert.include(refusal("flow:shop"), "`trail:FLOW/TRAIL`")
    assert.include(refusal("commit:abc"), "40 hexadecimal digits")
    assert.include(refusal("trail:shop"), "a slash")
    assert.include(refusal(`policy:${"a".repeat(600)}`), "Input should be one of")
  })

  it("gives nodes the ids of roots", () => {
    const shown = { label: "name", flow: null, trail: null, compliant: null }
    const idOf = (type: "artifact" | "control" | "policy", key: string) =>
      GraphRoot.idOf({ ...shown, node: { type, key } })
    assert.strictEqual(idOf("artifact", "f"), "fingerprint:f")
    assert.strictEqual(idOf("control", "c"), "control:c")
    assert.strictEqual(idOf("policy", "id"), "policy:name")
  })
})
