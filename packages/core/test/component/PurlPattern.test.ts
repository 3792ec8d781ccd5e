/** Patterns find the purls of a package by version or range, and every other text is refused. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import type { Purl } from "../../src/component/Purl.js"
import * as PurlPattern from "../../src/component/PurlPattern.js"
import * as VersionRange from "../../src/component/VersionRange.js"

const found = (pattern: string, purls: ReadonlyArray<string>) =>
  purls.filter(PurlPattern.compile(Either.getOrThrow(PurlPattern.parse(pattern))))

const LODASH = ["pkg:npm/lodash@4.17.20", "pkg:npm/lodash@4.17.21", "pkg:npm/lodash"]
const OTHERS = [
  "pkg:npm/lodash.merge@4.17.20",
  "pkg:npm/%40types/lodash@4.17.20",
  "pkg:pypi/lodash@4.17.20",
  "lodash",
  ""
]

const name = FastCheck.constantFrom("a", "b", "ab", "@a/b", "ü", "a b")
const version = FastCheck.constantFrom("1", "1.2.0", "2", "x")
const purl = FastCheck.record({
  type: FastCheck.constantFrom("npm", "deb", "generic"),
  name,
  version: FastCheck.option(version)
})

/** The normalised text of a purl. */
const print = ({ name, type, version }: Purl): string =>
  `pkg:${type}/${name.split("/").map(encodeURIComponent).join("/")}${version === null ? "" : `@${version}`}`

const range = FastCheck.constantFrom("<2", ">=1 <2", "=1", ">1 || =x")

describe("PurlPattern", () => {
  it.each([
    ["pkg:npm/lodash", LODASH],
    ["pkg:NPM/Lodash", LODASH],
    ["pkg:npm/lodash@4.17.20", ["pkg:npm/lodash@4.17.20"]],
    ["pkg:npm/lodash@<4.17.21", ["pkg:npm/lodash@4.17.20"]],
    ["pkg:npm/lodash@ >=4 <4.17.21 || =4.17.21", LODASH.slice(0, 2)],
    ["pkg:npm/lodash@>9", []],
    ["pkg:npm/@types/lodash", ["pkg:npm/%40types/lodash@4.17.20"]],
    ["pkg:npm/@types/lodash@<5", ["pkg:npm/%40types/lodash@4.17.20"]]
  ])("finds by %s", (pattern, expected) => {
    assert.deepStrictEqual(found(pattern, [...LODASH, ...OTHERS]), expected)
  })

  it.each(["", "lodash", "pkg:npm", "pkg:npm/", "pkg:npm/lodash@<", "pkg:npm/lodash@<1 ||"])(
    "refuses %s",
    (text) => assert.isTrue(Either.isLeft(PurlPattern.parse(text)))
  )

  it.prop("is total", { text: FastCheck.string() }, ({ text }) => {
    PurlPattern.parse(text)
    PurlPattern.parse(`pkg:npm/a@<${text}`)
  })

  it.prop(
    "finds as the parsed parts say",
    { wanted: purl, range: FastCheck.option(range), given: FastCheck.array(purl) },
    ({ given, range: versions, wanted }) => {
      const isFound = ({ name, type, version }: Purl): boolean => {
        if (type !== wanted.type || name !== wanted.name) return false
        if (versions === null) return wanted.version === null || version === wanted.version
        const parsed = Either.getOrThrow(VersionRange.parse(versions))
        return version !== null && VersionRange.matches(parsed, { type, version })
      }
      const pattern =
        versions === null ? print(wanted) : `${print({ ...wanted, version: null })}@${versions}`
      assert.deepStrictEqual(found(pattern, given.map(print)), given.filter(isFound).map(print))
    },
    { fastCheck: { numRuns: 1_000 } }
  )
})
