/** Versions have the published order of their type, which is a total order. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as VersionOrder from "../../src/component/VersionOrder.js"

/** Published examples: each list ascends, and versions of one place are together. */
const ASCENDING: ReadonlyArray<
  readonly [type: string, places: ReadonlyArray<ReadonlyArray<string>>]
> = [
  [
    "npm",
    [
      ["0.9.9"],
      ["1.0.0-0", "v1.0.0-0"],
      ["1.0.0-2"],
      ["1.0.0-10"],
      ["1.0.0-alpha"],
      ["1.0.0-alpha.1"],
      ["1.0.0-alpha.beta"],
      ["1.0.0-beta"],
      ["1.0.0-beta.2"],
      ["1.0.0-beta.11"],
      ["1.0.0-rc.1"],
      ["1.0.0", "v1.0.0", "1.0.0+build", "1.0.0+other.1"],
      ["1.2.0"],
      ["1.10.0"],
      ["99999999999999999999.0.0"],
      ["100000000000000000000.0.0"]
    ]
  ],
  ["golang", [["v0.0.0-20200101000000-abcdefabcdef"], ["v1.0.0"], ["v2.0.0+incompatible"]]],
  [
    "pypi",
    [
      ["1.dev0", "1.0.dev0"],
      ["1.0.dev456"],
      ["1.0a1", "1.0-alpha.1", "1.0ALPHA1", "1a1"],
      ["1.0a2.dev456"],
      ["1.0a12.dev456"],
      ["1.0a12"],
      ["1.0b1.dev456"],
      ["1.0b2"],
      ["1.0b2.post345.dev456"],
      ["1.0b2.post345", "1.0b2-345"],
      ["1.0rc1.dev456"],
      ["1.0rc1", "1.0c1", "1.0-preview1"],
      ["1.0", "1", "v1.0.0", " 1.0 "],
      ["1.0+abc.5"],
      ["1.0+abc.7"],
      ["1.0+5", "1.0+05"],
      ["1.0.post456.dev34"],
      ["1.0.post456", "1.0-456", "1.0.rev456", "1.0r456"],
      ["1.0.15"],
      ["1.1.dev1"],
      ["1.1"],
      ["1!0.1"]
    ]
  ],
  [
    "maven",
    [
      ["1-alpha-1", "1-a1", "1-alpha1", "1.0-ALPHA-1"],
      ["1-alpha-2"],
      ["1-beta-1", "1.0.0-b1"],
      ["1-milestone-1", "1-m1"],
      ["1-rc", "1-cr", "1.0.RC", "1.0-rc"],
      ["1-rc-2"],
      ["1-snapshot", "1.0-SNAPSHOT", "1.0.0-snapshot"],
      ["1", "1.0", "1.0.0", "1-ga", "1.ga", "1-0", "1.0-final", "1.0.0-0.0", "1.release"],
      ["1-sp"],
      ["1-sp-1"],
      ["1-abc", "1.abc", "1.0-abc"],
      ["1-foo2"],
      ["1-foo10"],
      ["1-1", "1-ga-1", "1.0-1"],
      ["1-2"],
      ["1.0.1"],
      ["1.1"],
      ["1.2-beta-2"],
      ["1.2"],
      ["1.10"]
    ]
  ],
  [
    "deb",
    [
      ["0~~"],
      ["0~~a"],
      ["0~"],
      ["0", "0-0", "0:0", "00"],
      ["0a"],
      ["0.9"],
      ["1.0~beta1~svn1245"],
      ["1.0~beta1"],
      ["1.0"],
      ["1.0-1"],
      ["1.0-1ubuntu1"],
      ["1.0-2"],
      ["1.0-10"],
      ["1.0a"],
      ["1.0+dfsg"],
      ["1.0.1"],
      ["1.2.3"],
      ["1.10"],
      ["1:0.1"],
      ["2:0"]
    ]
  ],
  [
    "rpm",
    [
      ["1.0~rc1"],
      ["1.0", "1_0", "0:1.0"],
      ["1.0-1"],
      ["1.0-1.el8"],
      ["1.0-2"],
      ["1.0^"],
      ["1.0^git1"],
      ["1.0a"],
      ["1.0.1", "1.0.01", "1.0_1"],
      ["2.0"],
      ["2.0.a"],
      ["2.0.1"],
      ["10"],
      ["1:0.1"]
    ]
  ]
]

const TYPES = ["npm", "cargo", "golang", "hex", "pub", "pypi", "maven", "deb", "rpm"]

/** Texts that are often versions: pieces that mean something to some type. */
const piece = FastCheck.constantFrom(
  ..."0129.-~^+:_!a",
  "10",
  "00",
  ".0",
  "-0",
  "alpha",
  "a1",
  "rc",
  "sp",
  "ga",
  "snapshot",
  ".post1",
  ".dev1",
  "SNAPSHOT"
)
const version = FastCheck.tuple(
  FastCheck.constantFrom("", "1", "1.0", "1.0.0", "1.0.0-", "0.1"),
  FastCheck.array(piece, { maxLength: 5 })
).map(([begin, rest]) => `${begin}${rest.join("")}`)

const versions = FastCheck.tuple(version, version, version)

describe("VersionOrder.compare", () => {
  it.each(ASCENDING)("has the published order of %s", (type, places) => {
    for (const [left, place] of places.entries())
      for (const [right, other] of places.entries())
        for (const first of place)
          for (const second of other)
            assert.strictEqual(
              VersionOrder.compare(type, first, second),
              Math.sign(left - right),
              `${first} and ${second}`
            )
  })

  it.prop(
    "is a total order of the versions of a type",
    { versions, type: FastCheck.constantFrom(...TYPES) },
    ({ versions: [a, b, c], type }) => {
      const [ab, ba, bc, ac] = [
        VersionOrder.compare(type, a, b),
        VersionOrder.compare(type, b, a),
        VersionOrder.compare(type, b, c),
        VersionOrder.compare(type, a, c)
      ]
      assert.strictEqual(VersionOrder.compare(type, a, a), 0)
      assert.strictEqual(ba, ab === null || ab === 0 ? ab : -ab)
      if (ab === null || bc === null || ac === null) return
      if (ab === bc || bc === 0) assert.strictEqual(ac, ab)
      if (ab === 0) assert.strictEqual(ac, bc)
    },
    { fastCheck: { numRuns: 10_000 } }
  )

  it.prop("gives every text a place among versions of Maven", { versions }, ({ versions }) => {
    assert.isNotNull(VersionOrder.compare("maven", versions[0], versions[1]))
  })

  it("knows no order of other types, nor of texts that are no versions", () => {
    assert.isNull(VersionOrder.compare("generic", "1", "2"))
    assert.isNull(VersionOrder.compare("__proto__", "1", "2"))
    assert.strictEqual(VersionOrder.compare("generic", "1", "1"), 0)
    assert.strictEqual(VersionOrder.compare("npm", "latest", "latest"), 0)
    assert.isNull(VersionOrder.compare("npm", "1.2", "1.2.0"))
    assert.isNull(VersionOrder.compare("pypi", "1.0", "1.0-x"))
    assert.isNull(VersionOrder.compare("deb", "a:1", "1"))
    assert.isNull(VersionOrder.compare("deb", "1_0", "1"))
    assert.isNull(VersionOrder.compare("rpm", "1 0", "1"))
  })

  it("orders versions of 512 characters, and no longer ones", () => {
    const digits = "1".repeat(VersionOrder.CHARACTERS_MAX)
    assert.strictEqual(VersionOrder.compare("maven", digits, "2"), 1)
    assert.isNull(VersionOrder.compare("maven", `${digits}1`, "2"))
    assert.isNull(VersionOrder.compare("maven", "2", `${digits}1`))
  })
})
