/** The host of a repository. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { vcsInstance } from "../../src/repo/Repo.js"

const LABEL = FastCheck.stringMatching(/^[a-z0-9.-]{1,20}$/)

describe("Repo", () => {
  it.prop(
    "has the host of its URL with the port, whatever stands around it",
    {
      host: LABEL,
      port: FastCheck.constantFrom("", ":22", ":8443"),
      user: FastCheck.constantFrom("", "git@", "a:b@"),
      rest: FastCheck.constantFrom("", "/team/shop", "?a@b", "#x/y")
    },
    ({ host, port, user, rest }) => {
      assert.strictEqual(vcsInstance(`https://${user}${host}${port}${rest}`), `${host}${port}`)
    }
  )

  it("has the host in lower case, and none where the URL has none", () => {
    assert.strictEqual(vcsInstance("SSH://Git@GIT.Example.ORG:22/x"), "git.example.org:22")
    for (const url of ["", "shop", "git@git.example.org:shop", "https://", "https:///x", "file:/x"])
      assert.isNull(vcsInstance(url), url)
  })

  it("has no host of more than 255 characters", () => {
    assert.strictEqual(vcsInstance(`https://${"a".repeat(255)}/`), "a".repeat(255))
    assert.isNull(vcsInstance(`https://${"a".repeat(256)}/`))
  })
})
