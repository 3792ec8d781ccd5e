/** The page to which a sign-in returns: always a path of this host. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as ReturnPath from "../../src/sign-in/ReturnPath.js"

const BASE = "https://attestry.example.com"

describe("a path to return to", () => {
  it("is kept where it is a page", () => {
    for (const path of [
      "/",
      "/acme",
      "/acme/flows/a~b?tab=x#y",
      "/_/preferences",
      "/%2f%2fevil.org"
    ])
      assert.strictEqual(ReturnPath.sanitise(path), path)
  })

  it("is the first page where it leads elsewhere, or is no page", () => {
    for (const path of [
      "//evil.org",
      "/\\evil.org",
      "/\t/evil.org",
      "\\\\evil.org",
      "https://evil.org",
      "https:",
      "javascript:alert(1)",
      "evil",
      "",
      "/a b",
      "/ä",
      "/a\u0000",
      "/a\r\nset-cookie: x",
      "/../evil",
      "/a/..",
      "/a/./b",
      "/api/v2/session",
      "/api",
      "/_/sign-in",
      "/_/sign-in/okta",
      null,
      undefined
    ])
      assert.strictEqual(ReturnPath.sanitise(path), "/", String(path))
  })

  it("is at most 2,048 characters long", () => {
    const longest = `/${"a".repeat(ReturnPath.LENGTH_MAX - 1)}`
    assert.strictEqual(ReturnPath.sanitise(longest), longest)
    assert.strictEqual(ReturnPath.sanitise(`${longest}a`), "/")
    assert.strictEqual(ReturnPath.sanitise(`/${"a".repeat(8_192)}`), "/")
  })

  it.prop(
    "never leaves the host, as browsers read URLs",
    {
      text: FastCheck.oneof(
        FastCheck.fullUnicodeString(),
        FastCheck.webUrl(),
        FastCheck.stringMatching(/^[/\\:.@?#\t\n a-c]{0,12}$/)
      )
    },
    ({ text }) => {
      const path = ReturnPath.sanitise(text)
      assert.strictEqual(new URL(path, BASE).origin, BASE)
      assert.strictEqual(ReturnPath.sanitise(path), path)
    }
  )
})
