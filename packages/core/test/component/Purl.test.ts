/** Purls of questions are normalised by the rules of their type, and every other text is refused. */
import * as Purl from "@attestry/core/Purl"
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"

const shown = (text: string) =>
  Either.match(Purl.parse(text), {
    onLeft: ({ reason }) => reason,
    onRight: ({ name, type, version }) => `${type} ${name} ${version ?? "-"}`
  })

describe("Purl.parse", () => {
  it("reads type, name and version", () => {
    for (const [text, expected] of [
      ["pkg:npm/lodash@4.17.20", "npm lodash 4.17.20"],
      ["pkg:npm/Lodash", "npm lodash -"],
      ["PKG:NPM/lodash@", "npm lodash -"],
      ["pkg://npm/%40acme/lib@1.0.0?arch=x#sub", "npm @acme/lib 1.0.0"],
      ["pkg:npm/@acme/lib", "npm @acme/lib -"],
      ["pkg:pypi/My_Package@1.0", "pypi my-package 1.0"],
      ["pkg:pub/my-lib@1", "pub my_lib 1"],
      ["pkg:maven/org.Apache/Commons@1.0", "maven org.Apache/Commons 1.0"],
      ["pkg:rpm/Fedora/Curl@7", "rpm fedora/Curl 7"],
      ["pkg:deb/debian/libc6@2.36%2Bdeb", "deb debian/libc6 2.36+deb"],
      ["pkg:golang/github.com/a/b@v1.2.3", "golang github.com/a/b v1.2.3"],
      ["pkg:oci/debian@sha256%3Aaa", "oci debian sha256:aa"],
      ["pkg:huggingface/a/B@ABC", "huggingface a/B abc"]
    ] as const)
      assert.strictEqual(shown(text), expected)
  })

  it("refuses texts that are none", () => {
    for (const text of [
      "",
      "lodash",
      "pkg:",
      "pkg:npm",
      "pkg:npm/",
      "pkg:1/a",
      "pkg:npm/%zz",
      "pkg:npm/a%00"
    ])
      assert.strictEqual(shown(text), "malformed", text)
    const start = "pkg:npm/"
    const most = start + "a".repeat(Purl.CHARACTERS_MAX - start.length)
    assert.notStrictEqual(shown(most), "too_long")
    assert.strictEqual(shown(`${most}a`), "too_long")
  })

  it("never throws", () => {
    const text = FastCheck.stringOf(FastCheck.constantFrom(..."pkg:/@%?#4aA_- \0"), {
      maxLength: 40
    })
    FastCheck.assert(
      FastCheck.property(text, (rest) => {
        assert.isTrue(
          Either.isEither(Purl.parse(rest)) && Either.isEither(Purl.parse(`pkg:npm/${rest}`))
        )
      })
    )
  })
})
