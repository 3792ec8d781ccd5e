/** The limits of the audit package of a snapshot. */
import { EnvironmentName } from "@attestry/core/Identifier"
import { ATTESTATIONS_MAX, FILES_MAX, ROWS_MAX, tooLarge } from "@attestry/core/SnapshotPackage"
import { assert, it } from "vitest"

const PROD = { environment: EnvironmentName.make("prod"), index: 3 }

it("holds as many rows, attestations and files as the limits say, and no more", () => {
  for (const [counted, max] of [
    ["rows", ROWS_MAX],
    ["attestations", ATTESTATIONS_MAX],
    ["files", FILES_MAX]
  ] as const) {
    assert.isUndefined(tooLarge(PROD, counted, max))
    assert.strictEqual(
      tooLarge(PROD, counted, max + 1)?.message,
      `snapshot 3 of \`prod\` has more than ${max} ${counted}`
    )
  }
})
