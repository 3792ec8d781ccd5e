/** Entries as words, as a file, and verified: the text that is hashed is that of core. */
import { createHash } from "node:crypto"
import * as CanonicalJson from "@attestry/core/CanonicalJson"
import { FastCheck as fc } from "effect"
import { assert, describe, it } from "vitest"
import { canonicalText, hexOf } from "../../app/journal/CanonicalText.js"
import * as JournalCsv from "../../app/journal/JournalCsv.js"
import {
  detailOf,
  kindText,
  namesIn,
  namesOf,
  nextBefore,
  subjectName
} from "../../app/journal/JournalText.js"
import { verify } from "../../app/journal/Verification.js"

const entry = {
  sequence: 7,
  at: 1_790_000_000.5,
  kind: "flow_created",
  subject: { type: "flow", id: "f-1" },
  entry: "9f02c4e1d6a83b57",
  index: 11,
  prev: null,
  actor: { kind: "user" as const, id: "u-1", name: "=cmd()", credential: null },
  content: { b: 1, a: ['x"y', { z: null }] },
  digest: ""
}

describe("the text of a content", () => {
  it("is that of core for every value", () =>
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.strictEqual(canonicalText(value), CanonicalJson.print(value))
      })
    ))

  it("fits its digest, and not that of another", async () => {
    const digest = createHash("sha256").update(CanonicalJson.print(entry.content)).digest("hex")
    assert.strictEqual(await verify({ content: entry.content, digest }), "fits")
    assert.strictEqual(await verify({ content: { b: 2 }, digest }), "differs")
    assert.strictEqual(hexOf(new Uint8Array([0, 10, 255])), "000aff")
  })
})

describe("words", () => {
  it("name the subject by the closest name, or by its id", () => {
    assert.strictEqual(subjectName({ ...entry, content: { name: "shop", login: "x" } }), "shop")
    assert.strictEqual(subjectName({ ...entry, content: { login: "ada" } }), "ada")
    assert.strictEqual(subjectName({ ...entry, content: { name: "" } }), "f-1")
    assert.strictEqual(subjectName({ ...entry, content: [1] }), "f-1")
    const learned = namesOf([
      { subject: { type: "trail", id: "t-1" }, content: { name: "build-1" } },
      {
        subject: { type: "trail", id: "t-2" },
        content: { environment_id: "e-1", environment_name: "prod", trail_id: 7 }
      }
    ])
    const about = (id: string, content: unknown = {}) => ({
      subject: { type: "trail", id },
      content
    })
    assert.strictEqual(subjectName(about("t-1"), learned), "build-1")
    assert.strictEqual(subjectName(about("e-1"), learned), "prod")
    assert.strictEqual(subjectName(about("t-2"), learned), "t-2")
    const told = namesIn([about("e-2", { name: "old" })], {
      "t-2": { type: "trail", name: "build-2", flow_name: "shop" },
      "e-2": { type: "environment", name: "new" }
    })
    assert.strictEqual(subjectName(about("t-2"), told), "shop › build-2")
    assert.strictEqual(subjectName(about("e-2"), told), "new")
    assert.strictEqual(detailOf(about("t-1", { attestation_name: "scan" })), "scan")
    const attested = about("t-2", { attestation_id: "a-1", name: "scan" })
    assert.strictEqual(subjectName(attested, told), "shop › build-2")
    assert.strictEqual(subjectName(attested, namesOf([attested])), "t-2")
    assert.strictEqual(detailOf(attested), "scan")
    assert.strictEqual(detailOf(about("t-1", { report: { filename: "shop:1" } })), "shop:1")
    assert.strictEqual(detailOf(about("e-1", { index: 4 })), "snapshot 4")
    assert.isUndefined(detailOf(about("t-1", [1])))
    assert.strictEqual(kindText("policy_version_created"), "policy version created")
  })

  it("tell where the next page begins", () => {
    assert.strictEqual(nextBefore("https://x/journal/acme?kind=a&before=12"), "12")
    assert.strictEqual(nextBefore("https://x/journal/acme"), undefined)
    assert.strictEqual(nextBefore(undefined), undefined)
  })
})

describe("the file", () => {
  it("quotes every cell, and leaves no formula", () => {
    const [head = "", line = "", end] = JournalCsv.print([entry]).split("\r\n")
    assert.strictEqual(head.split(",").length, 9)
    assert.include(line, `"'=cmd()"`)
    assert.include(line, `"{""a"":[""x\\""y"",{""z"":null}],""b"":1}"`)
    assert.include(line, '"2026-09-21 14:13:20 UTC"')
    assert.strictEqual(end, "")
  })
})
