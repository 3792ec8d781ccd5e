/** What a request would change about a trail: exactly the fields that it names and that differ. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as CanonicalJson from "../../src/shared/CanonicalJson.js"
import { TrailName } from "../../src/shared/Identifier.js"
import * as Trail from "../../src/trail/Trail.js"
import { trailDetails, trailDraft } from "../../testing/arbitrary/Trail.js"

const name = TrailName.make("run-1")

/** What was said about a trail that has no template of its own. */
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
    "leaves alone what a request does not say",
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

  it("takes null for something that can be said", () => {
    const said = { ...Trail.unsaid, description: "first" }
    assert.deepStrictEqual(Trail.changes(plain(said), { name, description: null }), ["description"])
  })

  it("has nothing to say at first", () => {
    assert.deepStrictEqual(Trail.changes(plain(Trail.unsaid), { name, ...Trail.unsaid }), [])
    assert.deepStrictEqual(Object.keys(Trail.unsaid), [...NAMES])
  })

  it.prop("reads back what it writes", { details: trailDetails }, ({ details }) => {
    const sent: unknown = JSON.parse(JSON.stringify(details))
    assert.deepStrictEqual(Schema.decodeUnknownSync(Trail.TrailDetails)(sent), details)
  })
})
