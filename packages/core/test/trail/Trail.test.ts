/** The changes of a request to a trail: exactly the named fields that differ. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as CanonicalJson from "../../src/shared/CanonicalJson.js"
import { TrailName } from "../../src/shared/Identifier.js"
import * as Trail from "../../src/trail/Trail.js"
import { trailDetails, trailDraft } from "../../testing/arbitrary/Trail.js"

const name = TrailName.make("run-1")

/** The details of a trail without its own template. */
const plain = <A extends object>(details: A) => ({ ...details, template: null })

const NAMES = [
  "description",
  "git_commit_info",
  "repo_info",
  "external_urls",
  "origin_url",
  "user_data"
] as const

describe("Trail", () => {
  it.prop(
    "names the fields that differ, and no others",
    { before: trailDetails, after: trailDetails },
    ({ before, after }) =>
      assert.deepStrictEqual(
        Trail.changes(plain(before), { name, ...after }),
        NAMES.filter(
          (field) => CanonicalJson.print(before[field]) !== CanonicalJson.print(after[field])
        )
      )
  )

  it.prop(
    "keeps fields that a request does not name",
    { before: trailDetails, draft: trailDraft },
    ({ before, draft }) => {
      const changes = Trail.changes(plain(before), draft)
      assert.deepStrictEqual(
        changes.filter((field) => !(field in draft)),
        []
      )
      assert.deepStrictEqual(Trail.changes(plain(before), { name }), [])
    }
  )

  it.prop(
    "changes nothing a second time",
    { before: trailDetails, draft: trailDraft },
    ({ before, draft }) =>
      assert.deepStrictEqual(Trail.changes(plain({ ...before, ...draft }), draft), [])
  )

  it("sets a field to null", () => {
    const said = { ...Trail.NO_DETAILS, description: "first" }
    assert.deepStrictEqual(Trail.changes(plain(said), { name, description: null }), ["description"])
  })

  it("has no details at first", () => {
    assert.deepStrictEqual(
      Trail.changes(plain(Trail.NO_DETAILS), { name, ...Trail.NO_DETAILS }),
      []
    )
    assert.deepStrictEqual(Object.keys(Trail.NO_DETAILS), [...NAMES])
  })

  it.prop("decodes what it encodes", { details: trailDetails }, ({ details }) => {
    const sent: unknown = JSON.parse(JSON.stringify(details))
    assert.deepStrictEqual(Schema.decodeUnknownSync(Trail.TrailDetails)(sent), details)
  })
})
