/** Trails in API responses, with the fields that the document for policy engines depends on. */
import type { Json } from "@attestry/core/CanonicalJson"
import * as FastCheck from "effect/FastCheck"
import { jsonObject } from "./Text.js"

type Entry = { readonly [field: string]: Json }

const id = FastCheck.constantFrom("a1", "a2", "a3", "a4")
const name = FastCheck.constantFrom("unit", "scan", "review", "__proto__", "toString")

/** An entry of a status list, sometimes invalid. */
const entry: FastCheck.Arbitrary<Json> = FastCheck.oneof(
  {
    weight: 9,
    arbitrary: FastCheck.record({
      attestation_name: name,
      attestation_id: FastCheck.option(id),
      unexpected: FastCheck.boolean()
    }).chain((fields) =>
      jsonObject.map((more): Entry => Object.fromEntries(Object.entries({ ...more, ...fields })))
    )
  },
  { weight: 1, arbitrary: FastCheck.constantFrom<Json>(null, 1, "x", {}, { attestation_name: 1 }) }
)

const statuses = FastCheck.array(entry, { maxLength: 6 })

const slots = FastCheck.array(
  FastCheck.tuple(
    FastCheck.constantFrom("api", "web", "db"),
    FastCheck.record({
      artifact_id: FastCheck.constantFrom(null, "r1", "r2"),
      attestations_statuses: statuses
    })
  ),
  { maxLength: 4 }
).map(Object.fromEntries)

/** A trail. */
export const answeredTrail: FastCheck.Arbitrary<{ readonly [field: string]: Json }> =
  FastCheck.record({
    name: FastCheck.constantFrom("t1", "t2"),
    user_data: jsonObject,
    events: FastCheck.constantFrom<Array<Json>>(
      [],
      [
        {
          type: "artifact_creation_reported",
          artifact_id: "r1",
          artifact_name: "api.tar",
          git_commit_info: { sha1: "c1" },
          origin_url: "https://ci.example.org/1"
        }
      ]
    ),
    compliance_status: FastCheck.record({
      attestations_statuses: statuses,
      artifacts_statuses: slots
    })
  })

/** Details of some attestations. */
export const details: FastCheck.Arbitrary<ReadonlyMap<string, { readonly [field: string]: Json }>> =
  FastCheck.array(FastCheck.tuple(id, jsonObject)).map((found) => new Map(found))
