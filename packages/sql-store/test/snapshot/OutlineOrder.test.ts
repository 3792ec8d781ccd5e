/** PostgreSQL orders the rows of a page as core orders all rows: by the newest instance, and by code units. */

import * as EnvironmentReport from "@attestry/core/EnvironmentReport"
import { compareText } from "@attestry/core/RunningRow"
import * as Reports from "@attestry/core/testing/EnvironmentReport"
import { assert, layer } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { codeUnits } from "../../src/internal/shared/CodeUnitOrder.js"
import * as StoredDocument from "../../src/internal/snapshot/StoredDocument.js"
import * as PgLayer from "../shared/PgLayer.js"

/** Characters around every place where code units and code points are ordered differently. */
const CHARACTERS = [
  "a",
  "b",
  "ä",
  "\uD7FF",
  "\uE000",
  "\uFFFF",
  "\u{10000}",
  "\u{1F600}",
  "\u{10FFFF}"
]

const texts = FastCheck.uniqueArray(
  FastCheck.oneof(
    FastCheck.array(FastCheck.constantFrom(...CHARACTERS), { maxLength: 4 }).map((all) =>
      all.join("")
    ),
    FastCheck.string()
  ).map((text) => text.replaceAll("\0", "")),
  { maxLength: 60 }
)

layer(PgLayer.layer, { excludeTestServices: true })("the order of outlines", (it) => {
  it.effect.prop(
    "is that of code units for names",
    { names: texts },
    ({ names }) =>
      Effect.gen(function* () {
        const { query } = yield* PgLayer.TestDatabase
        const ordered = yield* query(
          `select t.name from (select unnest($1::text[]) collate "C" as name) t
            order by ${codeUnits("t.name")}`,
          [names]
        )
        assert.deepStrictEqual(
          ordered.map(({ name }) => name),
          [...names].sort(compareText)
        )
      }),
    { fastCheck: { numRuns: 50 } }
  )

  it.effect.prop(
    "finds the newest instance of every kind of row",
    { given: Reports.kindAndReport },
    ({ given }) =>
      Effect.gen(function* () {
        const { query } = yield* PgLayer.TestDatabase
        const rows = EnvironmentReport.rows(given.kind, given.report)
        const documents = rows.map(({ name: _, fingerprint: __, ...document }) => document)
        const nowhere = {
          pods: null,
          container_task_context: null,
          serverless_run_context: null,
          cloudx_app_context: null
        }
        const all = [
          ...documents,
          ...[[], [0], [-7], [-7, 12, Number.MAX_SAFE_INTEGER]].map((creationTimestamp) => ({
            ...nowhere,
            creationTimestamp
          }))
        ]
        const found = yield* query(
          `select ${StoredDocument.newestIn("t.doc")} as newest
            from unnest($1::text[]) with ordinality t (doc, place) order by place`,
          [all.map(StoredDocument.print)]
        )
        assert.deepStrictEqual(
          found.map(({ newest }) => Number(newest)),
          all.map(({ creationTimestamp }) => creationTimestamp.at(-1) ?? 0)
        )
      }),
    { fastCheck: { numRuns: 20 } }
  )
})
