/** Fills the org of a deployment with so many rows of each table, by the statements of `world.sql`. */
import { readFileSync } from "node:fs"
import pg from "pg"

const file = readFileSync(
  new URL("../../packages/sql-store/test/plans/world.sql", import.meta.url),
  "utf8"
)

const statementsOf = (name) =>
  file
    .split("-- section: ")
    .find((section) => section.startsWith(`${name}\n`))
    .slice(name.length)
    .split(";\n")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "")

const [PART] = statementsOf("part")

/** Rows of one snapshot: about the most that one report has. */
const SNAPSHOT_ROWS = 5_000

/** Environments beside those two while other lists are read. */
const ENVIRONMENTS = 100

/** Opens an org with a flow `build` and environments `wide` and `long`. */
const prepare = async ({ send, put }) => {
  await send(put("/flows/bench", { name: "build", description: "" }))
  for (const name of ["wide", "long"]) {
    await send(put("/environments/bench", { name, type: "K8S" }))
  }
}

/** Fills the org with rows; `moreEnvironments` makes the environments as many as the rest. */
export const fillOrg = async (deployment, size) => {
  await prepare(deployment)
  const database = new pg.Client({ connectionString: deployment.databaseUrl })
  await database.connect()
  await database.query("set search_path to attestry, pg_temp")
  const idOf = async (table, name) => {
    const { rows } = await database.query(
      `select org_id as org, ${table}_id as id from ${table} where name = $1`,
      [name]
    )
    return rows[0]
  }
  const { org, id: flow } = await idOf("flow", "build")
  const [wide, long] = [await idOf("environment", "wide"), await idOf("environment", "long")]
  const fill = async (section, { first = 1, last }) => {
    for (const statement of statementsOf(section)) {
      const values = [org, flow, wide.id, long.id, last, first, last]
      await database.query(`${PART} ${statement}`, values)
    }
  }
  await fill("environments", { last: ENVIRONMENTS })
  await fill("evidence", { last: size })
  await fill("wide", { last: SNAPSHOT_ROWS })
  await fill("long", { last: size })
  await database.query("update log_tree set horizon = $2 where org_id = $1", [org, size])
  await database.query("select fold_attestations($1)", [org])
  await database.query("analyze")
  return {
    moreEnvironments: async () => {
      await fill("environments", { first: ENVIRONMENTS + 1, last: size })
      await database.query("analyze environment")
    },
    end: () => database.end()
  }
}
