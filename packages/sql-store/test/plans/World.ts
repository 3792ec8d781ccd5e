/**
 * Two orgs with the same contents, of a size: evidence, a large snapshot and a long history. Rows are written as the
 * owner, because a history of thousands of requests would take minutes; they come in two parts, so that statistics
 * can be gathered between them.
 */
import { readFileSync } from "node:fs"
import { type EnvironmentRef, ref } from "@attestry/core/Environment"
import type { Flow } from "@attestry/core/Flow"
import type { Ports } from "@attestry/core/Ports"
import * as Fixture from "@attestry/core/testing/Fixture"
import { Effect } from "effect"
import * as PgLayer from "../shared/PgLayer.js"

/** One org of a world. */
export interface World {
  readonly size: number
  readonly org: Effect.Effect.Success<typeof Fixture.org>
  readonly flow: Flow
  /** An environment whose one snapshot has `size` rows, all of which arrived. */
  readonly wide: EnvironmentRef
  /** An environment with `size` snapshots, in each of which one artifact replaced another. */
  readonly long: EnvironmentRef
}

/** The fingerprint of the artifact with a number. */
export const fingerprintOf = (index: number): string => index.toString(16).padStart(64, "0")
/** The commit of the artifact with a number. */
export const commitOf = (index: number): string => index.toString(16).padStart(40, "0")

const file = readFileSync(new URL("world.sql", import.meta.url), "utf8")

/** The statements of a section of the file. */
const statementsOf = (name: string): ReadonlyArray<string> =>
  (file.split("-- section: ").find((section) => section.startsWith(`${name}\n`)) ?? "")
    .slice(name.length)
    .split(";\n")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "")

const [PART = ""] = statementsOf("part")
const ENVIRONMENTS = statementsOf("environments")
const ROWS = ["evidence", "spaces", "wide", "long"].flatMap(statementsOf)

/** An org has so many times fewer environments than rows of anything else. */
const FEWER = 10

/** A part of a world: the rows with the numbers from `first` to `last`. */
interface Part {
  readonly first: number
  readonly last: number
}

const fill = (world: World, { first, last }: Part) =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    const { size, org, flow, wide, long } = world
    const write = (statements: ReadonlyArray<string>, from: number, to: number) =>
      Effect.forEach(statements, (statement) =>
        query(`${PART} ${statement}`, [
          org.id,
          flow.id,
          wide.environment,
          long.environment,
          size,
          from,
          to
        ])
      )
    yield* write(ENVIRONMENTS, Math.ceil(first / FEWER), Math.floor(last / FEWER))
    yield* write(ROWS, first, last)
  })

const empty = (size: number): Effect.Effect<World, unknown, Ports> =>
  Effect.gen(function* () {
    const org = yield* Fixture.org
    const flow = yield* Fixture.flow(org, "build")
    const wide = ref(yield* Fixture.environment(org, "wide"))
    const long = ref(yield* Fixture.environment(org, "long"))
    return { size, org, flow, wide, long }
  })

/** Counts attestations, as a log that has come so far lets writers do. */
const count = ({ org, size }: World) =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    yield* query(
      `insert into log_tree (org_id, epoch, origin, entry_key, horizon)
        values ($1, 9, '', decode(repeat('00', 16), 'hex'), $2)`,
      [org.id, size]
    )
    yield* query("select fold_attestations($1)", [org.id])
  })

/** How much of a world is there when statistics are gathered in its midst. */
const EARLY = 1 / 20

/** An org of a size, and another that came after it; `midst` runs when a twentieth of the first is there. */
export const make = <E, R>(size: number, midst: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const { query } = yield* PgLayer.TestDatabase
    yield* query("set enable_nestloop to off")
    const early = yield* empty(size)
    const last = size * EARLY
    yield* fill(early, { first: 1, last })
    yield* midst
    yield* fill(early, { first: last + 1, last: size })
    yield* count(early)
    const late = yield* empty(size)
    yield* fill(late, { first: 1, last: size })
    yield* count(late)
    yield* query("select setval('attestry.snapshot_row_sequence', 3000000)")
    return { early, late }
  })
