/** Links from untrusted text: what may be one, and what must stay text. */
import { assert, describe, it } from "@effect/vitest"
import * as WebLink from "../../src/shared/WebLink.js"

describe("WebLink", () => {
  it("accepts addresses of the web and shows their host", () => {
    const hosts: ReadonlyArray<readonly [string, string]> = [
      ["https://a.example/x?y=1&z=2#f", "a.example"],
      ["http://a.example", "a.example"],
      ["HTTPS://A.EXAMPLE:1/", "A.EXAMPLE:1"],
      [`https://a.example/${"x".repeat(2_030)}`, "a.example"]
    ]
    for (const [text, host] of hosts) {
      assert.deepStrictEqual(WebLink.parse(text), { href: text, host })
    }
  })

  it("refuses everything else", () => {
    const texts = [
      "",
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)//https://a.example",
      "data:text/html,x",
      "ftp://a.example",
      "https://",
      "https:a.example",
      "https://a b",
      "https://user:pass@a.example/",
      "https://a.example@evil.example",
      "https://a.example\\@evil.example",
      'https://a.example/"x',
      "https://a.example/<x>",
      "https://a.example/|x",
      "https://a.example/\nx",
      "https://a.example/\u0000",
      "https://a.example/\u202egpj.exe",
      "https://a\u200b.example/",
      " https://a.example",
      "//a.example",
      `https://a.example/${"x".repeat(2_031)}`
    ]
    for (const text of texts) assert.isFalse(WebLink.isWebLink(text), JSON.stringify(text))
  })
})
