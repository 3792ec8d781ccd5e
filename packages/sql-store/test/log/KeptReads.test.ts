/** Tiles and bundles that are kept between reads: of one log alone, of what it published, and never for verifying. */
import { CurrentActor } from "@attestry/core/Actor"
import { JournalStore } from "@attestry/core/JournalStore"
import * as LogFinding from "@attestry/core/LogFinding"
import { LogSequencer } from "@attestry/core/LogSequencer"
import { LogStore } from "@attestry/core/LogStore"
import { LogVerification } from "@attestry/core/LogVerification"
import { LogViews } from "@attestry/core/LogViews"
import type { Org } from "@attestry/core/Org"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as EntryBundle from "@attestry/transparency-log/EntryBundle"
import * as MerkleProof from "@attestry/transparency-log/MerkleProof"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import * as PgLayer from "../shared/PgLayer.js"

const services = UseCases.layer.pipe(
  Layer.provideMerge(PgLayer.layer),
  Layer.provideMerge(SecretsWebCrypto.layer)
)

const SIZE = 600

const append = ({ id }: Org, count: number, word: string) =>
  Effect.gen(function* () {
    yield* (yield* JournalStore).appendAll(
      Array.from({ length: count }, (_, place) => ({
        org_id: id,
        kind: "k",
        subject: { type: "flow", id: `s${place % 5}` },
        at: Fixture.AT,
        actor: { kind: "user" as const, id: "u", name: "anna" },
        content: `{"body":{"author":"${word}","n":${place}}}`,
        digest: "0".repeat(64)
      }))
    )
    yield* (yield* LogSequencer).catchUp(id, `o/${id}`)
  })

const logged = (word: string) => Effect.tap(Fixture.org, (org) => append(org, SIZE, word))

/** Views that have kept nothing yet. */
const fresh = Effect.provide(LogViews, Layer.fresh(LogViews.Default))

const read = (org: Org, views: typeof LogViews.Service) => {
  const question = { org: org.name, origin: `o/${org.id}` }
  const as = Effect.provideService(CurrentActor, Fixture.actor([org, "admin"]))
  return {
    bundle: (index: number, width = MerkleTree.TILE_WIDTH) =>
      as(Effect.map(views.entries(question, { index, width }), ({ content }) => content)),
    proof: (index: number) => as(views.inclusion(question, { index, size: Option.none() }))
  }
}

const leavesOf = (bundle: Uint8Array) =>
  Option.getOrThrow(EntryBundle.parse(bundle)).map(MerkleTree.leafHash)

layer(services, { excludeTestServices: true, timeout: "120 seconds" })(
  "reading a log again",
  (it) => {
    it.effect("gives what the store gives, of each log by itself, also after it has grown", () =>
      Effect.gen(function* () {
        const [store, views] = [yield* LogStore, yield* LogViews]
        const orgs = [yield* logged("ada"), yield* logged("ben")]
        for (let round = 0; round < 3; round++) {
          for (const org of orgs) {
            const { bundle, proof } = read(org, views)
            const { edge } = Option.getOrThrow(yield* store.find(org.id))
            const [first, rest] = [yield* bundle(0), edge.size % MerkleTree.TILE_WIDTH]
            const index = Math.floor(edge.size / MerkleTree.TILE_WIDTH)
            const leaves = [first, yield* bundle(1), yield* bundle(index, rest)].flatMap(leavesOf)
            const stored = yield* store.listLogged(
              { org_id: org.id, epoch: 1 },
              { begin: 0, end: 9_999 }
            )
            assert.deepStrictEqual(
              leaves,
              stored.map(({ leaf }) => new Uint8Array(leaf.hash))
            )
            const root = MerkleTree.root(edge)
            for (const place of [0, 255, 256, 511, 512, edge.size - 1]) {
              const found = yield* proof(place)
              assert.deepStrictEqual(found.leaf, leaves[place])
              assert.isTrue(MerkleProof.verifyInclusion(found, root))
            }
            yield* append(org, 20, "carl")
          }
        }
      })
    )

    it.effect("gives the same after rows were changed, which a new reader and verifying find", () =>
      Effect.gen(function* () {
        const org = yield* logged("ada")
        const { query } = yield* PgLayer.TestDatabase
        const kept = read(org, yield* LogViews)
        const [bundle, proof] = [yield* kept.bundle(0), yield* kept.proof(7)]
        yield* query(
          "update attestry.log_leaf set hash = decode(repeat('00', 32), 'hex') where org_id = $1 and leaf_index = 7",
          [org.id]
        )
        yield* query(
          `update attestry.journal set kind = 'other' where org_id = $1 and sequence = (select sequence
            from attestry.log_leaf where org_id = $1 and leaf_index = 8)`,
          [org.id]
        )
        assert.deepStrictEqual(yield* kept.bundle(0), bundle)
        assert.deepStrictEqual(yield* kept.proof(7), proof)
        const other = read(org, yield* fresh)
        const damage = yield* Effect.flip(other.proof(7))
        assert.deepInclude(damage, { _tag: "LogDamaged", level: 0, index: 0 })
        const { findings } = yield* (yield* LogVerification).verify(org.id)
        const lines = findings.map(LogFinding.print).join("\n")
        assert.match(lines, /^entry 7 /m)
        assert.match(lines, /^entry 8 /m)
      })
    )

    it.effect("keeps no bundle that does not have the published leaves", () =>
      Effect.gen(function* () {
        const org = yield* logged("ada")
        const { query } = yield* PgLayer.TestDatabase
        const { bundle } = read(org, yield* LogViews)
        const name = (from: string, to: string) =>
          query(
            "update attestry.journal set actor_name = $3 where org_id = $1 and actor_name = $2",
            [org.id, from, to]
          )
        yield* name("anna", "eve")
        const wrong = yield* bundle(0)
        yield* name("eve", "anna")
        const right = yield* bundle(0)
        assert.notDeepEqual(right, wrong)
        yield* name("anna", "eve")
        assert.deepStrictEqual(yield* bundle(0), right)
      })
    )

    it.effect("reads anew where what it has kept does not fit the published tree", () =>
      Effect.gen(function* () {
        const org = yield* logged("ada")
        const { query } = yield* PgLayer.TestDatabase
        const { bundle, proof } = read(org, yield* LogViews)
        yield* bundle(0)
        yield* proof(7)
        // A database that was set back, and written to again.
        for (const table of ["log_leaf", "log_node", "log_checkpoint", "log_tree", "journal"]) {
          yield* query(`delete from attestry.${table} where org_id = $1`, [org.id])
        }
        yield* append(org, SIZE, "ben")
        const { edge } = Option.getOrThrow(yield* (yield* LogStore).find(org.id))
        const found = yield* proof(7)
        assert.isTrue(MerkleProof.verifyInclusion(found, MerkleTree.root(edge)))
        assert.deepStrictEqual(leavesOf(yield* bundle(0))[7], found.leaf)
      })
    )
  }
)
