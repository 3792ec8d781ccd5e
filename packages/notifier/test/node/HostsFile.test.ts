/** Parsing the hosts file, and reading it again after a change. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as HostsFile from "../../src/node/internal/HostsFile.js"

describe("HostsFile", () => {
  it("parses addresses and names in any case, without comments", () => {
    const names = HostsFile.parse(
      "127.0.0.1 localhost Local.Example # home\r\n\n  ::1\tlocalhost\n# 10.0.0.1 no.example\n"
    )
    assert.deepStrictEqual(
      [...names],
      [
        ["localhost", ["127.0.0.1", "::1"]],
        ["local.example", ["127.0.0.1"]]
      ]
    )
  })

  it("reads the file again when it changes, appears or disappears", () => {
    const folder = mkdtempSync(join(tmpdir(), "attestry-hosts-"))
    const file = join(folder, "hosts")
    try {
      const addressesOf = HostsFile.make(file)
      assert.deepStrictEqual(addressesOf("a.example"), [])
      writeFileSync(file, "192.0.2.1 a.example\n")
      assert.deepStrictEqual(addressesOf("a.example"), ["192.0.2.1"])
      writeFileSync(file, "192.0.2.22 a.example\n")
      assert.deepStrictEqual(addressesOf("a.example"), ["192.0.2.22"])
      rmSync(file)
      assert.deepStrictEqual(addressesOf("a.example"), [])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
