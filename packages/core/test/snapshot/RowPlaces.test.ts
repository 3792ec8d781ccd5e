import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { keyOf } from "../../src/environment/RunningRow.js"
import * as RowComparison from "../../src/snapshot/internal/RowComparison.js"
import * as Generated from "../../testing/EnvironmentReport.js"

const identity = FastCheck.record({
  name: Generated.artifactName,
  fingerprint: Generated.reportedFingerprint
})
const rows = FastCheck.uniqueArray(identity, { selector: keyOf, maxLength: 16 })

describe("RowComparison.places", () => {
  it.prop(
    "finds each row at its place, whether it is the very same or one like it, and no other",
    {
      among: rows,
      strangers: rows,
      order: FastCheck.infiniteStream(
        FastCheck.record({ by: FastCheck.nat(), isSame: FastCheck.boolean() })
      )
    },
    ({ among, strangers, order }) => {
      const keys = among.map(keyOf)
      const others = strangers.filter((row) => !keys.includes(keyOf(row)))
      const asked = [...among, ...others]
        .map((row) => ({ row, ...order.next().value }))
        .sort((left, right) => left.by - right.by)
        .map(({ row, isSame }) => (isSame ? row : { ...row }))
      assert.deepStrictEqual(
        RowComparison.places(among, asked),
        asked.map((row) => keys.indexOf(keyOf(row)))
      )
    }
  )

  it.prop(
    "finds rows that stay in order, whoever comes and goes between them",
    { among: rows, stays: FastCheck.infiniteStream(FastCheck.boolean()), coming: rows },
    ({ among, stays, coming }) => {
      const staying = among.filter(() => stays.next().value)
      const keys = among.map(keyOf)
      const asked = [...staying, ...coming.filter((row) => !keys.includes(keyOf(row)))]
      assert.deepStrictEqual(
        RowComparison.places(among, asked),
        asked.map((row) => keys.indexOf(keyOf(row)))
      )
    }
  )

  it("finds rows behind many that are gone", () => {
    const row = (at: number) => ({ name: `service-${at}`, fingerprint: "" as const })
    const among = Array.from({ length: 240 }, (_, at) => row(at))
    const everyPlace = among.map((_, at) => at)
    for (const gone of [30, 63, 64, 65, 200]) {
      assert.deepStrictEqual(RowComparison.places(among, among.slice(gone)), everyPlace.slice(gone))
      const replaced = among.map((old, at) => (at < gone ? row(1_000 + at) : old))
      assert.deepStrictEqual(
        RowComparison.places(among, replaced),
        everyPlace.map((at) => (at < gone ? -1 : at))
      )
    }
    assert.deepStrictEqual(RowComparison.places([], among.slice(0, 2)), [-1, -1])
    assert.deepStrictEqual(RowComparison.places(among, []), [])
  })
})
