/** Purls of one package are one text, whatever their spelling, and every other text is refused with a reason. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import { PackageURL } from "packageurl-js"
import * as Purl from "../src/Purl.js"

const read = (text: string): string =>
  Either.match(Purl.parse(text), {
    onLeft: (problem) => problem,
    onRight: ({ purl, type, name, version }) => [purl, type, name, version ?? "-"].join(" ")
  })

/** Texts that are often purls: parts of purls in an order that often makes sense. */
const part = FastCheck.constantFrom(
  ..."aZ0-_.~+@/?#=&%: é",
  "npm",
  "%40",
  "%2F",
  "%2B",
  "%zz",
  "1.0.0",
  "v1.2",
  "arch=amd64",
  "__proto__"
)
const rest = FastCheck.array(part, { maxLength: 10 }).map((parts) => parts.join(""))
const type = FastCheck.constantFrom(
  "npm",
  "pypi",
  "maven",
  "deb",
  "golang",
  "pub",
  "cran",
  "NPM",
  "constructor",
  "x"
)
const near = FastCheck.tuple(type, rest).map(([type, rest]) => `pkg:${type}/${rest}`)

/** Purls of the form that most have. */
const plain = FastCheck.tuple(
  FastCheck.constantFrom(
    "npm",
    "cargo",
    "gem",
    "deb",
    "apk",
    "composer",
    "github",
    "pypi",
    "nuget",
    "maven",
    "golang"
  ),
  FastCheck.constantFrom("", "a/", "%40scope/", "a.b-1/", "1/", "A/", "A/b/", "a//b/"),
  FastCheck.stringMatching(/^[A-Za-z0-9_.-]{1,5}$/),
  FastCheck.constantFrom(
    "",
    "@1",
    "@1.0.0-Beta.1+x",
    "@1:2~rc_1",
    "@v1.2",
    "@v1.2.3-01a",
    "@v1.2.3"
  ),
  FastCheck.constantFrom("", "?arch=amd64", "?arch=all&distro=debian-12")
).map((parts) => `pkg:${parts[0]}/${parts.slice(1).join("")}`)

/** What the library alone says. */
const byLibrary = (text: string): string => {
  try {
    const { type, namespace, name, version } = PackageURL.fromString(text)
    const purl = new PackageURL(type, namespace, name, version)
    return [purl, type, namespace ? `${namespace}/${name}` : name, version ?? "-"].join(" ")
  } catch {
    return "malformed"
  }
}

describe("Purl.parse", () => {
  it.each([
    ["pkg:npm/left-pad@1.3.0", "pkg:npm/left-pad@1.3.0 npm left-pad 1.3.0"],
    ["pkg:NPM/%40Babel/Core@7.1.0", "pkg:npm/%40babel/core@7.1.0 npm @babel/core 7.1.0"],
    ["pkg:npm/@babel/core", "pkg:npm/%40babel/core npm @babel/core -"],
    ["pkg:pypi/Flask_Login@0.6", "pkg:pypi/flask-login@0.6 pypi flask-login 0.6"],
    [
      "pkg:maven/org.Apache/Log4j@2.0?type=jar#a/b",
      "pkg:maven/org.Apache/Log4j@2.0 maven org.Apache/Log4j 2.0"
    ],
    [
      "pkg:deb/debian/libc%2B%2B@1:2%2Bb1?arch=x",
      "pkg:deb/debian/libc%2B%2B@1:2+b1 deb debian/libc++ 1:2+b1"
    ],
    [
      "pkg:golang/github.com/Acme/x@v1.2.3",
      "pkg:golang/github.com/Acme/x@v1.2.3 golang github.com/Acme/x v1.2.3"
    ],
    ["pkg:conan/bin/zlib@1?channel=stable", "pkg:conan/bin/zlib@1 conan bin/zlib 1"],
    ["pkg:npm/__proto__@1", "pkg:npm/__proto__@1 npm __proto__ 1"],
    ["pkg:constructor/a@", "pkg:constructor/a constructor a -"]
  ])("reads %s", (text, expected) => {
    assert.strictEqual(read(text), expected)
  })

  it.each([
    ["nothing", ""],
    ["a name alone", "left-pad@1.3.0"],
    ["another scheme", "http://example.org/a"],
    ["a type alone", "pkg:npm"],
    ["no name", "pkg:npm/"],
    ["a type of other characters", "pkg:__proto__/a"],
    ["a password", "pkg://a:b@npm/c"],
    ["a wrong escape", "pkg:npm/a@%zz"],
    ["a missing part of the type", "pkg:maven/log4j@2"]
  ])("refuses %s", (_, text) => {
    assert.strictEqual(read(text), "malformed")
  })

  it("reads 4,096 characters, and refuses one more", () => {
    const text = `pkg:npm/${"a".repeat(Purl.CHARACTERS_MAX - 8)}`
    assert.strictEqual(Either.getOrThrow(Purl.parse(text)).purl, text)
    assert.strictEqual(read(`${text}a`), "too_long")
    assert.strictEqual(read(`pkg:npm/${"é".repeat(2_000)}`), "too_long")
    assert.strictEqual(read(`pkg:generic/${"a/".repeat(50_000)}b`), "too_long")
  })

  it.prop(
    "agrees with the library about purls that it does not ask it for",
    { plain },
    ({ plain }) => {
      assert.strictEqual(read(plain), byLibrary(plain))
    },
    { fastCheck: { numRuns: 2_000 } }
  )

  it.prop(
    "is total, and changes nothing the second time",
    { near },
    ({ near }) => {
      const read = Purl.parse(near)
      if (Either.isLeft(read)) assert.include(["malformed", "too_long"], read.left)
      else assert.deepStrictEqual(Purl.parse(read.right.purl), read)
    },
    { fastCheck: { numRuns: 2_000 } }
  )
})

describe("Purl.withVersion", () => {
  it("replaces the version, and refuses what is no version", () => {
    const withVersion = (version: string) =>
      Either.flatMap(Purl.parse("pkg:deb/debian/bash@1"), (purl) => Purl.withVersion(purl, version))
    assert.deepStrictEqual(
      withVersion(" 2:3+a "),
      Either.right({
        purl: "pkg:deb/debian/bash@2:3+a",
        type: "deb",
        name: "debian/bash",
        version: "2:3+a"
      })
    )
    assert.deepStrictEqual(withVersion("\uD800"), Either.left("malformed"))
    assert.deepStrictEqual(
      withVersion("1".repeat(Purl.CHARACTERS_MAX + 1)),
      Either.left("too_long")
    )
  })
})
