/** The system's file of hosts: what its lines mean, and that a change of it is noticed. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as HostsFile from "../../src/node/internal/HostsFile.js"

describe("HostsFile", () => {
  it("reads addresses and their names, whatever the case, without comments", () => {
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

  it("notices when the file changes, comes and goes", () => {
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
