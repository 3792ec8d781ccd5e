/** The file of a receipt is named after what was decided, and asked for by it. */
import { assert, describe, it } from "vitest"
import { callFor, fileOf } from "../../app/receipt/ReceiptFile.js"

const HEX = "0123456789abcdef".repeat(4)

describe("the file of a receipt", () => {
  it.each([
    [{ environment: "prod", index: 42 }, "prod-42.vsa.json"],
    [{ environment: "prod", index: 42, fingerprint: HEX }, "prod-42-0123456789ab.vsa.json"],
    [{ environment: "prod", asserted: HEX }, "prod-0123456789ab.vsa.json"]
  ])("is named after what was decided: %j", (decided, name) => {
    assert.strictEqual(fileOf(decided), name)
  })

  it.each([
    [{ environment: "prod", index: 42 }, "snapshots/prod/42"],
    [{ environment: "prod", index: 42, fingerprint: HEX }, `snapshots/prod/42?fingerprint=${HEX}`],
    [{ environment: "prod", asserted: HEX }, `asserts/${HEX}?environment_name=prod`]
  ])("is asked for by what was decided: %j", (decided, path) => {
    assert.deepStrictEqual(callFor("acme", decided), {
      method: "GET",
      path: `/api/v2/receipts/acme/${path}`
    })
  })
})
