/**
 * Histories that are older than numbers, and processes of the release before that write beside newer ones: instants decide
 * for what has no number, nothing fails, and what stands is known.
 */
import type { Ports } from "@attestry/core/Ports"
import type { SnapshotDraft } from "@attestry/core/SnapshotStore"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import { Staleness } from "@attestry/core/Staleness"
import { Transaction } from "@attestry/core/Transaction"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as KnowledgeFixture from "@attestry/core/testing/KnowledgeFixture"
import * as KnowledgeLaws from "@attestry/core/testing/KnowledgeLaws"
import { begin } from "@attestry/core/testing/KnowledgeSuite"
import * as SqlClient from "@effect/sql/SqlClient"
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, it } from "@effect/vitest"
import { Effect, FastCheck, Layer } from "effect"
import { knowledge } from "../../src/migrations/0096_knowledge.js"
import * as PgLayer from "../shared/PgLayer.js"
import * as UseCaseLayer from "../shared/UseCaseLayer.js"

const LENGTH = 60

/** WHY without templates: which one judged an event without a mark is known for the last event alone. */
const commands = (seed: number) =>
  FastCheck.sample(
    KnowledgeFixture.command.filter(({ _tag }) => _tag !== "Begin" && _tag !== "Template"),
    { numRuns: LENGTH, seed }
  )

/** Takes away what the migration made, as a database has it that was written before. */
const undo = `
  drop trigger flow_version_append on attestry.flow;
  drop trigger allowance_append on attestry.allow_list;
  drop trigger policy_attachment_created on attestry.environment;
  drop trigger policy_attachment_changed on attestry.environment;
  drop function attestry.flow_version_append, attestry.allowance_append,
    attestry.policy_attachment_append;
  drop table attestry.trail_knowledge, attestry.flow_version, attestry.judging, attestry.allowance,
    attestry.policy_attachment;
  drop sequence attestry.knowledge_sequence;
  alter table attestry.snapshot drop column known, drop column semantics`

const migrateAgain = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`set search_path to attestry, pg_temp`
  yield* sql.withTransaction(knowledge)
})

const life = Effect.gen(function* () {
  const { query, url } = yield* PgLayer.TestDatabase
  const server = UseCaseLayer.layer(PgLayer.layerOn({ url }))
  const org = yield* Effect.gen(function* () {
    const made = yield* Fixture.org
    yield* UseCaseLayer.as(Fixture.actor([made, "admin"]))(
      Effect.gen(function* () {
        yield* begin(made)
        for (const [count, said] of commands(7).entries())
          yield* KnowledgeFixture.happen(made, said, count)
      })
    )
    return made
  }).pipe(Effect.provide(server))
  yield* query(undo)
  yield* Effect.provide(migrateAgain, PgClient.layer({ url, maxConnections: 1 }))
  const checked = yield* Effect.provide(
    KnowledgeLaws.check(org.id, KnowledgeFixture.CONTENTS),
    server
  )
  assert.isAbove(checked, 20)
  const [numbered] = yield* query("select count(*)::int4 as n from attestry.trail_knowledge")
  assert.strictEqual(numbered?.n, 0)
})

it.live("makes versions, allowances and attachments of the journal, and ends in what stands", () =>
  life.pipe(Effect.provide(PgLayer.layerDatabase), Effect.scoped)
)

it.live("does so also as an owner that is no superuser", () =>
  life.pipe(Effect.provide(PgLayer.layerPlainOwner), Effect.scoped)
)

/** The ports as a process of the release before calls the functions: without events, and without saying what it judged. */
const older = (ports: Layer.Layer<Ports | SqlClient.SqlClient, unknown>) =>
  Layer.mergeAll(
    Layer.effect(
      Staleness,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const staleness = yield* Staleness
        const { run } = yield* Transaction
        return {
          ...staleness,
          markRunning: (org, fingerprints) =>
            run(org, () =>
              // WHY: a failure of the database fails the test.
              Effect.orDie(sql`select mark_running(${org}, ${JSON.stringify(fingerprints)}::jsonb)`)
            )
        }
      })
    ),
    Layer.effect(
      SnapshotStore,
      Effect.map(SnapshotStore, (store) => ({
        ...store,
        judgedQuietly: () => Effect.void,
        append: (ref, { judged_all: _all, semantics: _semantics, ...draft }) =>
          // WHY: the draft of the release before has no such fields.
          store.append(ref, draft as SnapshotDraft)
      }))
    )
  ).pipe(Layer.provideMerge(ports))

const mixed = Effect.gen(function* () {
  const { query, url } = yield* PgLayer.TestDatabase
  const ports = PgLayer.layerOn({ url })
  const now = yield* Layer.build(UseCaseLayer.layer(ports))
  const before = yield* Layer.build(UseCaseLayer.layer(older(ports)))
  const org = yield* Effect.provide(Fixture.org, now)
  const asAdmin = UseCaseLayer.as(Fixture.actor([org, "admin"]))
  yield* Effect.provide(asAdmin(begin(org)), before)
  for (const [count, said] of commands(11).entries()) {
    const request = asAdmin(KnowledgeFixture.happen(org, said, count))
    yield* count % 3 === 0 ? Effect.provide(request, now) : Effect.provide(request, before)
  }
  const law = KnowledgeLaws.check(org.id, KnowledgeFixture.CONTENTS)
  assert.isAbove(yield* Effect.provide(law, now), 20)
  const [counts] = yield* query(`select count(known)::int4 as numbered,
    count(*)::int4 - count(known)::int4 as others from attestry.snapshot`)
  assert.isAbove(Number(counts?.numbered), 0)
  assert.isAbove(Number(counts?.others), 0)
})

it.live("lets processes of the release before write on, and decides by instants for them", () =>
  mixed.pipe(Effect.provide(PgLayer.layerDatabase), Effect.scoped)
)
