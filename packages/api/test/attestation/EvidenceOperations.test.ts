/** Every built-in type of evidence has an operation that records it. */
import * as EvidenceType from "@attestry/core/EvidenceType"
import { assert, it } from "@effect/vitest"
import { OPERATIONS } from "../../src/OperationIndex.js"

it("has an operation for every built-in type", () => {
  const recorded = EvidenceType.ALL.filter(
    (type) => !EvidenceType.SYSTEM.some((one) => one === type)
  )
  for (const name of [...recorded, "system"]) assert.property(OPERATIONS, `attestation.${name}`)
})
