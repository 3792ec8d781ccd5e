/** The values that all formats of scans share: severities, instants, lists that are cut, and texts. */
import { isUnstorable } from "@attestry/core/StorableText"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Fields from "../../src/internal/scan/Fields.js"
import * as ImageSubjects from "../../src/internal/scan/ImageSubjects.js"
import * as Instants from "../../src/internal/scan/Instants.js"
import * as Listing from "../../src/internal/scan/Listing.js"
import * as Severities from "../../src/internal/scan/Severities.js"

describe("a severity", () => {
  it("has the classes of base scores, with both sides of every border", () => {
    const scores = [10, 9, 8.9, 7, 6.9, 4, 3.9, 0.1]
    assert.deepStrictEqual(scores.map(Severities.fromScore), [
      "critical",
      "critical",
      "high",
      "high",
      "medium",
      "medium",
      "low",
      "low"
    ])
  })

  it("is read from digits, and from nothing that is no base score", () => {
    assert.strictEqual(Severities.fromScore("9.8"), "critical")
    for (const wrong of [0, -1, 10.1, Number.NaN, Infinity, "NaN", "1e1", "", "0x9", null, [9]])
      assert.isNull(Severities.fromScore(wrong))
  })

  it.prop(
    "does not fall while a score rises",
    {
      low: FastCheck.double({ min: 0.01, max: 10 }),
      high: FastCheck.double({ min: 0.01, max: 10 })
    },
    ({ low, high }) => {
      const [less, more] = [Math.min(low, high), Math.max(low, high)].map(
        (score) => Severities.fromScore(score) ?? "unknown"
      )
      assert.strictEqual(Severities.higher(less ?? "unknown", more ?? "unknown"), more)
    }
  )

  it("is the highest score of the newest version of CVSS", () => {
    const scores = [
      { version: 2, score: 10 },
      { version: 3, score: 5 },
      { version: 3, score: 7.5 },
      { version: 4, score: 0 }
    ]
    assert.strictEqual(Severities.fromScores(scores), "high")
    assert.strictEqual(Severities.fromScores([...scores].reverse()), "high")
    assert.isNull(Severities.fromScores([]))
  })

  it("is a known word in any case, and no other", () => {
    const words = ["CRITICAL", "High", "important", "moderate", "low", "Negligible"]
    assert.deepStrictEqual(words.map(Severities.fromWord), [
      "critical",
      "high",
      "high",
      "medium",
      "low",
      "negligible"
    ])
    for (const wrong of ["__proto__", "constructor", "none", "", "unknown", 9, null, {}])
      assert.isNull(Severities.fromWord(wrong))
  })
})

describe("an instant", () => {
  it("is read from the forms of ISO 8601", () => {
    const noon = Date.UTC(2026, 10, 18, 12) / 1_000
    for (const [text, expected] of [
      ["2026-11-18T12:00:00Z", noon],
      ["2026-11-18T12:00:00.5Z", noon + 0.5],
      ["2026-11-18T12:00:00.123456789Z", noon + 0.123456],
      ["2026-11-18T14:30:00+02:30", noon],
      ["2026-11-18T09:00:00-0300", noon],
      ["2026-11-18T12:00", noon],
      ["2026-11-18", noon - 43_200],
      ["2024-02-29", Date.UTC(2024, 1, 29) / 1_000],
      ["0001-01-01T00:00:00Z", -62_135_596_800]
    ] as const)
      assert.strictEqual(Instants.fromText(text), Math.abs(expected) > 9e9 ? null : expected, text)
  })

  it("is null for any other value", () => {
    for (const wrong of [
      "2026-02-30T00:00:00Z",
      "2026-13-01",
      "2026-01-01T24:00:00Z",
      "2026-01-01T00:60:00Z",
      "2026-01-01T00:00:00+24:00",
      "+275760-09-13T00:00:00Z",
      "9999-12-31T23:59:59Z",
      "yesterday",
      "",
      `${"2".repeat(1_000_000)}`,
      1_700_000_000,
      null,
      ["2026-01-01"]
    ])
      assert.isNull(Instants.fromText(wrong))
  })

  it("is read from seconds and from milliseconds", () => {
    assert.strictEqual(Instants.fromEpoch("1700000000"), 1_700_000_000)
    assert.strictEqual(Instants.fromEpoch(1_700_000_000_500), 1_700_000_000.5)
    for (const wrong of [0, -1, "", "abc", "1e9", Number.NaN, Infinity, 1e300, "9".repeat(17)])
      assert.isNull(Instants.fromEpoch(wrong))
  })

  it.prop(
    "is within what the log can hold",
    { text: FastCheck.string(), date: FastCheck.date() },
    ({ text, date }) => {
      const iso = Number.isNaN(date.getTime()) ? text : date.toISOString()
      for (const given of [text, iso]) {
        const seconds = Instants.fromText(given)
        if (seconds !== null)
          assert.isAtMost(Math.abs(seconds), Timestamp.MICROSECONDS_MAX / 1_000_000)
      }
      const expected = date.getTime() / 1_000
      if (/^\d{4}-/.test(iso) && Math.abs(expected) < 9e9)
        assert.strictEqual(Instants.fromText(iso), expected)
    }
  )
})

describe("a list of facts", () => {
  it("is cut to its number of elements, and says so", () => {
    const of = (length: number) => Array.from({ length }, (_, index) => index)
    assert.deepStrictEqual(Listing.cut("x", of(3), { max: 3, total: 3 }), {
      listed: [0, 1, 2],
      truncated: []
    })
    assert.deepStrictEqual(Listing.cut("x", of(4), { max: 3, total: 4 }), {
      listed: [0, 1, 2],
      truncated: ["x"]
    })
  })

  it("is cut to the bytes that facts have room for", () => {
    const half = "ä".repeat(Listing.LIST_BYTES_MAX / 4 - 2)
    const cut = (...texts: ReadonlyArray<string>) =>
      Listing.cut("x", texts, { max: 9, total: texts.length }).listed.length
    assert.strictEqual(cut(half, `${half}aa`), 2)
    assert.strictEqual(cut(half, `${half}aaa`), 1)
  })
})

describe("a text of facts", () => {
  it("is cut to its limit", () => {
    const { TEXT_LENGTH_MAX: max } = Fields
    assert.strictEqual(Fields.text("a".repeat(max))?.length, max)
    assert.strictEqual(Fields.text("a".repeat(max + 1))?.length, max)
  })

  it.prop(
    "can always be stored",
    {
      text: FastCheck.string({ unit: FastCheck.constantFrom("\0", "\ud800", "\udc00", "a", "😀") })
    },
    ({ text }) => {
      assert.isFalse(isUnstorable(Fields.storable(text)))
      assert.isFalse(isUnstorable(Fields.storable(`${"a".repeat(Fields.TEXT_LENGTH_MAX - 1)}😀`)))
    }
  )
})

describe("own members", () => {
  it("are read alone", () => {
    const value = JSON.parse('{"a": {"__proto__": {"b": 1}}, "__proto__": 2}')
    assert.isUndefined(Fields.at(value, "a", "b"))
    assert.isUndefined(Fields.member({}, "constructor"))
    assert.isUndefined(Fields.at([1], "length"))
    assert.strictEqual(Fields.member(value, "__proto__"), 2)
  })
})

describe("the subjects of a scan", () => {
  it("are images by digest, each once with its first name", () => {
    const digest = "ab".repeat(32)
    const subjects = ImageSubjects.of(
      [`shop@sha256:${digest}`, `other@sha256:${digest.toUpperCase()}`, "shop:latest", "x@md5:1"],
      null
    )
    assert.deepStrictEqual(subjects, [{ name: "shop", digest: { sha256: digest } }])
    assert.deepStrictEqual(ImageSubjects.of([`sha256:${digest}`], "shop:1"), [
      { name: "shop:1", digest: { sha256: digest } }
    ])
  })
})
