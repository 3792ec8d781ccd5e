/**
 * LOG-18 at level 5: an evaluation, a decision or a verdict that was changed by SQL is found by evaluating again, which
 * names the trail, or the snapshot and its row.
 */
import { OrgId } from "@attestry/core/Identifier"
import { OrgStore } from "@attestry/core/OrgStore"
import { RecordVerification } from "@attestry/core/RecordVerification"
import * as TableFinding from "@attestry/core/TableFinding"
import { Effect, Option } from "effect"
import { assert, beforeAll, it } from "vitest"
import { TestDatabase } from "../../../sql-store/test/shared/PgLayer.js"
import { onBothStores } from "../shared/TestServer.js"
import { fill } from "./World.js"

const RULES = `_schema: https://attestry.dev/schemas/policy/v1
artifacts:
  provenance:
    required: true
  attestations:
    - name: scan
      type: generic
`

onBothStores("LOG-18: verdicts that were changed by SQL", (server) => {
  const { call, run } = server
  let id = ""
  const found = (level: 3 | 4 | 5) =>
    run(
      Effect.gen(function* () {
        const report = yield* (yield* RecordVerification).verify(OrgId.make(id), level)
        return report.map(TableFinding.print)
      })
    )
  const lines = () => found(5)

  beforeAll(async () => {
    await fill(server)
    const env = { env_name: "prod" }
    const policy = { path: { name: "scanned" }, body: { policy_yaml: RULES } }
    assert.isBelow((await call("PUT /policies/{org}/{name}", policy)).status, 300)
    await call("POST /environments/{org}/{env_name}/policies", {
      path: env,
      body: { policy_names: ["scanned"] }
    })
    for (const letter of ["a", "c", "a"]) {
      const artifacts = [
        { digests: { "shop:1.0": letter.repeat(64) }, creationTimestamp: 1_700_000_000 }
      ]
      const { status } = await call("PUT /environments/{org}/{env_name}/report/docker", {
        path: env,
        body: { artifacts }
      })
      assert.isBelow(status, 300)
    }
    const orgs = await run(Effect.flatMap(OrgStore, ({ list }) => list))
    id = orgs.find(({ name }) => name === server.org)?.id ?? ""
  }, 120_000)

  it("finds nothing before", async () => {
    assert.deepStrictEqual(await lines(), [])
  })

  it("counts the rows that it has proved, and those that it cannot evaluate", async () => {
    const counted = () =>
      run(
        Effect.flatMap(RecordVerification, (records) => records.report(OrgId.make(id), 5)).pipe(
          Effect.map(({ findings, verdicts }) => ({ findings, verdicts }))
        )
      )
    const { verdicts } = await counted()
    assert.isAbove(verdicts.proved, 1)
    assert.deepStrictEqual([verdicts.not_covered, verdicts.skipped], [0, 0])
    await run(
      Effect.gen(function* () {
        const database = yield* Effect.serviceOption(TestDatabase)
        if (Option.isNone(database)) return
        const { query } = database.value
        const [newest] = yield* query(
          `select environment_id, index, semantics from attestry.snapshot where org_id = $1
            order by index desc limit 1`,
          [id]
        )
        const key = [id, newest?.environment_id, newest?.index]
        const change =
          "update attestry.snapshot set semantics = $4 where org_id = $1 and environment_id = $2 and index = $3"
        yield* query(change, [...key, Number(newest?.semantics) + 1])
        const after = yield* Effect.promise(counted)
        yield* query(change, [...key, newest?.semantics])
        // The changed column is a finding of level 3; the rows below it are counted and not accused.
        assert.lengthOf(after.findings, 1)
        assert.isAbove(after.verdicts.not_covered, 0)
        assert.strictEqual(
          after.verdicts.proved + after.verdicts.not_covered + after.verdicts.skipped,
          verdicts.proved
        )
      }).pipe(Effect.orDie)
    )
  })

  it.each([
    ["trail_evaluation", "status", "'OTHER'", /^trail_evaluation \S+: `status`/, ""],
    [
      "trail_evaluation",
      "trail_status",
      `regexp_replace(trail_status::text, '"is_compliant":(true|false)', '"is_compliant":null')::json`,
      /^trail_evaluation \S+: the record cannot be read/,
      ""
    ],
    [
      "trail_evaluation",
      "record_statuses",
      "'[]'::json",
      /`record_statuses`/,
      "t.flow_id is not null"
    ],
    ["trail_evaluation", "flow_id", "flow_id || 'x'", /^trail_evaluation \S+: `flow_id`/, ""],
    ["trail_evaluation", "evaluated_at", "evaluated_at - 1", /`evaluated_at`/, ""],
    ["trail_event", "status", "'OTHER'", /^trail_event \S+ \d+: `status`/, ""],
    ["snapshot_row", "verdict", "'Unknown'", /^snapshot_row \S+ \d+ shop:1.0: `verdict`/, ""],
    ["snapshot", "verdict", "'Unknown'", /^snapshot \S+ \d+: `verdict`/, "t.index > 2"]
  ])("names a change of %s.%s", async (table, column, next, told, condition) => {
    await run(
      Effect.gen(function* () {
        const database = yield* Effect.serviceOption(TestDatabase)
        if (Option.isNone(database)) return
        const { query } = database.value
        const whole = `attestry.${table}`
        const inProd = table.startsWith("snapshot")
          ? `and t.environment_id = (select environment_id from attestry.environment
              where org_id = '${id}' and name = 'prod')`
          : ""
        const [row] = yield* query(
          `select t.ctid::text as place, t.${column}::text as value from ${whole} t
            where t.org_id = '${id}' ${inProd} ${condition === "" ? "" : `and ${condition}`}
            order by t.ctid desc limit 1`
        )
        const [changed] = yield* query(
          `update ${whole} set ${column} = ${next} where ctid = $1::text::tid
            returning ctid::text as place, pg_typeof(${column})::text as type`,
          [row?.place]
        )
        const after = yield* Effect.promise(lines)
        yield* query(
          `update ${whole} set ${column} = $1::text::${changed?.type} where ctid = $2::text::tid`,
          [row?.value, changed?.place]
        )
        assert.isTrue(
          after.some((line) => told.test(line)),
          JSON.stringify(after.slice(0, 5))
        )
      }).pipe(Effect.orDie)
    )
    assert.deepStrictEqual(await lines(), [])
  })

  it("names a file whose content is gone or changed, at level 4", async () => {
    await run(
      Effect.gen(function* () {
        const database = yield* Effect.serviceOption(TestDatabase)
        if (Option.isNone(database)) return
        const { query } = database.value
        const own = `where org_id = '${id}'`
        yield* query(`update attestry.attachment_chunk set content = content || '\\x00' ${own}`)
        const [changed = ""] = yield* Effect.promise(() => found(4))
        assert.match(
          changed,
          /^file [0-9a-f]{64}: its content of \d+ bytes has another fingerprint/
        )
        assert.deepStrictEqual(yield* Effect.promise(() => found(3)), [])
        yield* query(`delete from attestry.attachment_chunk ${own}`)
        const [gone = ""] = yield* Effect.promise(() => found(4))
        assert.match(gone, /^file [0-9a-f]{64}: its content is missing$/)
      }).pipe(Effect.orDie)
    )
  })
})
