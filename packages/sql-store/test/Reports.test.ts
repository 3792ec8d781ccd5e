/** Reports of an operator's own, as the operator's document shows them: the rows of the org that is named. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Fixture from "@attestry/core/testing/Fixture"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as PgLayer from "./shared/PgLayer.js"

const text = readFileSync(join(import.meta.dirname, "../../../docs/OPERATING.md"), "utf8")

/** The statements of the section. */
const statements = (/^### Read replicas$[\s\S]*?^```sql\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? "")
  .replaceAll(/^--.*$/gm, "")
  .split(";")
  .map((statement) => statement.trim())
  .filter((statement) => statement !== "")

it.live("shows the rows of one org to a role that may only read, and none before it is named", () =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    const [create = "", usage = "", select = "", name = "", count = ""] = statements
    const role = `reports_${process.pid}`
    const asRole = (statement: string) => statement.replace(/\breports$/, role)
    const [acme, other] = [yield* Fixture.org, yield* Fixture.org]
    const build = yield* Fixture.flow(acme)
    yield* Effect.all([Fixture.trail(build, "one"), Fixture.trail(build, "two")])
    yield* Effect.flatMap(Fixture.flow(other), (flow) => Fixture.trail(flow))
    yield* Effect.acquireUseRelease(
      query(create.replace("reports", role)),
      () =>
        Effect.gen(function* () {
          yield* query(asRole(usage))
          yield* query(asRole(select))
          yield* query(`set role ${role}`)
          assert.deepStrictEqual(yield* query(count), [{ count: "0" }])
          yield* query(name.replace("acme", acme.name))
          assert.deepStrictEqual(yield* query(count), [{ count: "2" }])
        }),
      // WHY: a test that cannot clean up fails.
      () => Effect.orDie(query(`reset role; drop owned by ${role}; drop role ${role}`))
    )
  }).pipe(Effect.provide(PgLayer.layer))
)
