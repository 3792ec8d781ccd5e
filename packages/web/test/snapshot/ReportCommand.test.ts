/** The command that reports what runs. */
import { EnvironmentKind } from "@attestry/core/EnvironmentKind"
import { assert, describe, it } from "vitest"
import { commandOf } from "../../app/snapshot/ReportCommand.js"

const place = { url: "https://attestry.example.com", org: "acme", environment: "prod" }

describe("the command that reports what runs", () => {
  it("is one of the command line for every kind that is reported", () => {
    for (const type of EnvironmentKind.literals)
      if (type === "logical") assert.isUndefined(commandOf({ ...place, type }))
      else
        assert.match(commandOf({ ...place, type }) ?? "", /^attestry report [a-z0-9-]+ prod /, type)
  })

  it("has placeholders, and no made-up artifact", () => {
    assert.strictEqual(
      commandOf({ ...place, type: "server" }),
      "attestry report paths prod --path '<NAME>=<PATH>' --org acme --url https://attestry.example.com"
    )
  })
})
