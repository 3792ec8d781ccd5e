/** The command that reports a missing attestation. */
import { execFileSync } from "node:child_process"
import { assert, describe, it } from "vitest"
import { commandOf } from "../../app/attestation/MissingCommand.js"

const place = {
  base: "https://attestry.example.com/sub",
  org: "acme",
  flow: "shop",
  trail: "a b/c",
  name: "it's",
  fingerprint: undefined
}

/** The words that a shell makes of a command. */
const wordsOf = (command: string): ReadonlyArray<string> =>
  execFileSync("sh", ["-c", `printf '%s\\n' ${command}`], {
    encoding: "utf8",
    env: { ATTESTRY_API_KEY: "key" }
  })
    .trimEnd()
    .split("\n")

describe("the command", () => {
  it("is taken by a shell as it is meant, whatever the names are", () => {
    const words = wordsOf(commandOf({ ...place, type: "generic" }))
    assert.deepStrictEqual(words, [
      "curl",
      "-H",
      "Authorization: Bearer key",
      "-H",
      "Content-Type: application/json",
      "-d",
      JSON.stringify({ attestation_name: "it's", is_compliant: true }),
      "https://attestry.example.com/sub/api/v2/attestations/acme/shop/trail/a%20b%2Fc/generic"
    ])
  })

  it("has the path and the fields of its type", () => {
    const of = (type: string) => commandOf({ ...place, type, fingerprint: "f".repeat(64) })
    assert.match(of("junit"), /junit_results.*\/junit'$/)
    assert.match(of("custom:load"), /"type_name":"load".*\/custom'$/)
    assert.match(of("system:decision"), /"type_name":"decision".*\/system'$/)
    assert.match(of("*"), /is_compliant.*\/generic'$/)
    assert.match(of("constructor"), /\/generic'$/)
    assert.include(of("snyk"), `"artifact_fingerprint":"${"f".repeat(64)}"`)
  })
})
