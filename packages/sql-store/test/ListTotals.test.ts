/** Totals that are kept are what counting finds, also with several writers and after a rollback. */

import { ArtifactStore } from "@attestry/core/ArtifactStore"
import { AttestationStore } from "@attestry/core/AttestationStore"
import * as Control from "@attestry/core/Control"
import { ControlStore } from "@attestry/core/ControlStore"
import { archive, ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { FlowStore } from "@attestry/core/FlowStore"
import { ArtifactId, ControlIdentifier, PolicyId, RepoId } from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import { RepoStore } from "@attestry/core/RepoStore"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import { TrailStore } from "@attestry/core/TrailStore"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import { restlessHistory } from "@attestry/core/testing/Snapshot"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Option } from "effect"
import * as PgLayer from "./shared/PgLayer.js"

/** Totals that are kept, and the same by counting, without those that are 0. */
const KEPT = `select org_id || ' ' || list || ' ' || subject as key, sum(rows)::int4 as rows
  from attestry.list_total group by 1 having sum(rows) <> 0 order by 1`
const COUNTED = `select org_id || ' ' || list || ' ' || subject as key, count(*)::int4 as rows from (
    select org_id, 'flow' as list, '' as subject from attestry.flow where archived_at is null
    union all select org_id, 'trail', '' from attestry.trail
    union all select org_id, 'trail', flow_id from attestry.trail
    union all select org_id, 'control', case when archived then 'archived' else '' end from attestry.control
    union all select org_id, 'repo', '' from attestry.repo
    union all select org_id, 'environment', '' from attestry.environment where archived_at is null
    union all select org_id, 'deployment', '' from attestry.deployment
    union all select org_id, 'deployment', 'flow ' || flow_id from attestry.deployment_flow
    union all select org_id, 'deployment', 'repo ' || repo_id from attestry.deployment_repo
    union all select org_id, 'enforced', (select coalesce(jsonb_agg(p order by p collate "C"), '[]')
        from jsonb_array_elements_text(policies) p where policy_modes ->> p is null)::text
      from attestry.environment where archived_at is null and type <> 'logical') r
  group by 1 order by 1`

const assertExact = Effect.gen(function* () {
  const { query } = yield* PgLayer.TestDatabase
  const kept = yield* query(KEPT)
  assert.deepStrictEqual(kept, yield* query(COUNTED))
  return kept
})

const page = { page: 1, perPage: 1 }

const [ONE, TWO, THREE] = [PolicyId.make("one"), PolicyId.make("two"), PolicyId.make("three")]

const by = { by: "anna", at: Fixture.AT }

/** Flows, one of them archived, and controls, two of them archived. */
const filled: Effect.Effect<void, unknown, Ports> = Effect.gen(function* () {
  const org = yield* Fixture.org
  const [flows, controls] = [yield* FlowStore, yield* ControlStore]
  for (const name of ["one", "two", "three"]) {
    const flow = yield* Fixture.flow(org, name)
    yield* Fixture.trail(flow, "run-1")
    yield* Fixture.trail(flow, "run-2")
    yield* flows.update({ ...flow, description: "changed" })
    if (name === "three") yield* flows.update({ ...flow, archived_at: Fixture.AT })
    const identifier = ControlIdentifier.make(`CTL-${name}`)
    const draft = { identifier, name, description: null, links: {}, tags: {} }
    const first = Control.create(org.id, draft, by)
    yield* controls.insert(first)
    if (name !== "one")
      yield* controls.revise(Option.getOrThrow(Control.archive(first.control, by)))
  }
  const environments = yield* EnvironmentStore
  for (const name of ["here", "there", "gone", "group"]) {
    const made = yield* Fixture.newEnvironment(org, name)
    const group = { type: "logical", included: [] } as const
    const environment = { ...made, ...(name === "group" ? group : {}), policies: [ONE, TWO] }
    yield* environments.insert(environment)
    if (name === "there")
      yield* environments.update({
        ...environment,
        policies: [TWO, ONE, THREE],
        policy_modes: { [TWO]: "warn" }
      })
    if (name === "gone")
      yield* environments.rename(archive(environment, Fixture.AT), environment.name)
  }
  yield* (yield* RepoStore).insert(yield* Fixture.newRepo(org))
  const listed = yield* flows.list(
    org.id,
    { sort: "name", direction: "asc" },
    Option.some({ page: 9, perPage: 20 })
  )
  assert.strictEqual(listed.total, 2)
  assert.strictEqual((yield* (yield* TrailStore).list(org.id, {}, page)).total, 6)
})

const insertTrail = (name: string) =>
  `insert into trail (org_id, trail_id, flow_id, name, details, repo_ids, created_by, created_at,
      last_modified_at)
    select org_id, flow_id || '${name}', flow_id, '${name}', '{}', '{}', 'test', 0, 0 from flow`

describe("totals of lists", () => {
  it.live("are exact when rows come, and are archived", () =>
    Effect.gen(function* () {
      yield* filled
      yield* filled
      assert.isAbove((yield* assertExact).length, 0)
    }).pipe(Effect.provide(PgLayer.layer))
  )

  it.scopedLive("let writers of one list work at the same time, and forget what is undone", () =>
    Effect.gen(function* () {
      yield* Fixture.flow(yield* Fixture.org)
      const { url, query } = yield* PgLayer.TestDatabase
      const clients = yield* Effect.all([1, 2, 3].map(() => PgLayer.connect(url)))
      const all = (text: (index: number) => string) =>
        Effect.forEach(clients, (client, index) => Effect.promise(() => client.query(text(index))))
      for (const round of ["a", "b", "c"]) {
        yield* all(() => "begin; set local lock_timeout = '2s'")
        yield* all((index) => insertTrail(`${round}-${index}`))
        yield* all((index) => insertTrail(`${round}-${index}-more`))
        yield* all((index) => (index === 2 ? "rollback" : "commit"))
        yield* assertExact
      }
      const parts = yield* query("select part from attestry.list_total where list = 'trail'")
      // Two totals, to which two writers at once have added.
      assert.strictEqual(parts.length, 4)
    }).pipe(Effect.provide(PgLayer.layer))
  )

  it.live("are exact when artifacts arrive, also where a snapshot is undone", () =>
    Effect.gen(function* () {
      const org = yield* Fixture.org
      const trail = yield* Fixture.trail(yield* Fixture.flow(org))
      const record = yield* Fixture.newArtifact(trail, 1)
      const repo_id = RepoId.make("repo-1")
      yield* (yield* ArtifactStore).append({
        ...record,
        id: ArtifactId.make("artifact-1"),
        repo_id
      })
      const snapshots = yield* SnapshotStore
      const { run } = yield* Transaction
      const histories = FastCheck.sample(restlessHistory(9), { numRuns: 3, seed: 7 })
      for (const [at, history] of histories.entries()) {
        const environment = yield* Fixture.environment(org, `environment-${at}`)
        for (const { draft } of history) {
          const append = snapshots.append(ref(environment), draft)
          yield* Effect.flip(run(org.id, () => Effect.zipRight(append, Effect.fail("undone"))))
          yield* append
        }
      }
      const kept = (yield* assertExact).map(({ key }) => String(key).replace(`${org.id} `, ""))
      for (const key of ["deployment ", "deployment flow flow-1", "deployment repo repo-1"])
        assert.include(kept, key)
    }).pipe(Effect.provide(PgLayer.layer))
  )

  it.live("count attestations up to the horizon of the log, and the rest for each page", () =>
    Effect.gen(function* () {
      const org = yield* Fixture.org
      const trails = yield* Effect.forEach(["one", "two"], (name) =>
        Effect.flatMap(Fixture.flow(org, name), (flow) => Fixture.trail(flow))
      )
      const store = yield* AttestationStore
      const { query } = yield* PgLayer.TestDatabase
      const totals = Effect.gen(function* () {
        const lists = [{}, ...trails.map(({ flow_id }) => ({ flows: [flow_id] }))]
        const found = yield* Effect.forEach(lists, (filter) => store.list(org.id, filter, page))
        const [folded] = yield* query("select upto::int4 as upto from attestry.attestation_fold")
        return [...found.map(({ total }) => total), folded?.upto ?? null]
      })
      const append = (sequence: number) =>
        Effect.forEach(trails.slice(0, 1 + (sequence % 2)), (trail, index) =>
          Effect.flatMap(Fixture.newAttestation(trail, 2 * sequence + index), store.append)
        )
      for (let sequence = 100; sequence < 128; sequence += 1) yield* append(sequence)
      assert.deepStrictEqual(yield* totals, [42, 28, 14, null])
      yield* query(
        `insert into attestry.log_tree (org_id, epoch, origin, entry_key, horizon)
          values ($1, 1, '', decode(repeat('00', 16), 'hex'), 220)`,
        [org.id]
      )
      assert.deepStrictEqual(yield* totals, [42, 28, 14, null])
      yield* append(128)
      assert.deepStrictEqual(yield* totals, [43, 29, 14, 220])
      yield* query("update attestry.log_tree set horizon = 256")
      yield* append(129)
      assert.deepStrictEqual(yield* totals, [45, 30, 15, 220])
      yield* append(256)
      assert.deepStrictEqual(yield* totals, [46, 31, 15, 256])
    }).pipe(Effect.provide(PgLayer.layer))
  )
})
