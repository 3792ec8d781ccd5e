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
  execFileSync("sh", ["-c", `printf '%s\\n' ${command}`], { encoding: "utf8" })
    .trimEnd()
    .split("\n")

describe("the command", () => {
  it("is taken by a shell as it is meant, whatever the names are", () => {
    const words = wordsOf(commandOf({ ...place, type: "generic" }))
    assert.deepStrictEqual(words, [
      "attestry",
      "attest",
      "generic",
      "--compliant=<TRUE_OR_FALSE>",
      "--name",
      "it's",
      "--flow",
      "shop",
      "--trail",
      "a b/c",
      "--org",
      "acme",
      "--url",
      "https://attestry.example.com/sub"
    ])
  })

  it("has a placeholder for what the page does not know, and no made-up evidence", () => {
    const of = (type: string) => commandOf({ ...place, type, fingerprint: "f".repeat(64) })
    assert.include(of("pull_request"), "attest pull-request --number '<PULL_REQUEST_NUMBER>'")
    assert.include(of("junit"), "attest junit '<RESULTS_FILE>'")
    assert.include(of("snyk"), "attest snyk '<SCAN_FILE>'")
    assert.include(of("custom:load"), "attest custom '<DATA_FILE>' --type-name load")
    assert.include(of("system:decision"), "--control '<CONTROL>' '--compliant=<TRUE_OR_FALSE>'")
    for (const type of ["*", "constructor"])
      assert.include(of(type), "attest generic '--compliant=<TRUE_OR_FALSE>'")
    assert.include(of("snyk"), `--fingerprint ${"f".repeat(64)}`)
  })
})
