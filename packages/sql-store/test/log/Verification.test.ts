/** LOG-18: a change by SQL in each covered column is found, and named. */
import { JournalStore } from "@attestry/core/JournalStore"
import { LogCheckpoints } from "@attestry/core/LogCheckpoints"
import * as LogFinding from "@attestry/core/LogFinding"
import { LogKeys } from "@attestry/core/LogKeys"
import { LogSequencer } from "@attestry/core/LogSequencer"
import * as LogSigner from "@attestry/core/LogSigner"
import { LogStore } from "@attestry/core/LogStore"
import { LogVerification } from "@attestry/core/LogVerification"
import * as Fixture from "@attestry/core/testing/Fixture"
import { layerSecrets } from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as PgLayer from "../shared/PgLayer.js"

const signer = Layer.effect(
  LogSigner.LogSigner,
  LogSigner.fromKeys([{ generation: 1, seed: new Uint8Array(32).fill(3) }])
).pipe(Layer.provide(SignaturesWebCrypto.layer))

const services = LogVerification.Default.pipe(
  Layer.provideMerge(LogCheckpoints.Default),
  Layer.provideMerge(LogKeys.Default),
  Layer.provideMerge(LogSequencer.Default),
  Layer.provide(signer),
  Layer.provide(layerSecrets),
  Layer.provideMerge(PgLayer.layer)
)

const SIZE = 300

/** An org with a signed log. */
const logged = Effect.gen(function* () {
  const { id: org } = yield* Fixture.org
  yield* (yield* LogStore).start({ org_id: org, origin: `o/${org}`, entryKey: new Uint8Array(16) })
  yield* (yield* JournalStore).appendAll(
    Array.from({ length: SIZE }, (_, place) => ({
      org_id: org,
      kind: "k",
      subject: { type: "flow", id: `s${place % 5}` },
      actor: { kind: "user" as const, id: "u", name: "anna" },
      at: Fixture.AT,
      content: `{"place":${place},"body":{"author":"ada","n":${place}}}`,
      digest: "0".repeat(64)
    }))
  )
  assert.strictEqual((yield* (yield* LogSequencer).integrate(org)).added, SIZE)
  assert.strictEqual(yield* (yield* LogCheckpoints).publish(org), "signed")
  return org
})

/** The sequence of the entry with an index. */
const at = (index: number) =>
  `(select sequence from attestry.log_leaf where org_id = $1 and leaf_index = ${index})`

const row = `where org_id = $1 and sequence = ${at(7)}`

/** A checkpoint whose root begins with other bytes. */
const OTHER_ROOT = "regexp_replace(note, '(\\n[0-9]+\\n)....', '\\1AAAA')"

/** A change, and some of the findings that it must cause. */
const CHANGES: { readonly [what: string]: readonly [statement: string, told: RegExp] } = {
  "the content": [
    `update attestry.journal set content = convert_to('{"place":8,"body":{}}', 'UTF8') ${row}`,
    /^entry 7 \(journal \d+, flow s2\)/
  ],
  "a personal member": [
    `update attestry.journal set content = convert_to(
      replace(convert_from(content, 'UTF8'), 'ada', 'ben'), 'UTF8') ${row}`,
    /^entry 7 /
  ],
  "the kind": [`update attestry.journal set kind = 'other' ${row}`, /^entry 7 /],
  "the subject": [`update attestry.journal set subject_id = 's3' ${row}`, /^entry 7 /],
  "the actor's name": [`update attestry.journal set actor_name = 'ben' ${row}`, /^entry 7 /],
  "the actor's id": [`update attestry.journal set actor_id = 'v' ${row}`, /^entry 7 /],
  "the time": [`update attestry.journal set at = at + 1 ${row}`, /^entry 7 /],
  "a row removed": [`delete from attestry.journal ${row}`, /^entry 7: its journal row is missing/],
  "a row added": [
    `insert into attestry.journal select org_id, sequence - 100000, kind, subject_type, subject_id, actor_kind,
      actor_id, actor_name, at, content, digest from attestry.journal ${row}`,
    /the row has no leaf$/
  ],
  "the numbers of two rows exchanged": [
    `with a as (update attestry.log_leaf set sequence = -sequence where org_id = $1 and leaf_index in (7, 8)
        returning leaf_index, -sequence as was)
      select 1 from a`,
    /^entry [78]: its journal row is missing/
  ],
  "the salt": [
    `update attestry.log_leaf set salt = decode(repeat('00', 32), 'hex') where org_id = $1 and leaf_index = 7`,
    /^entry 7 /
  ],
  "the predecessor": [
    "update attestry.log_leaf set prev = 1 where org_id = $1 and leaf_index = 7",
    /^entry 7: its predecessor should be 2/
  ],
  "the hash of a leaf": [
    `update attestry.log_leaf set hash = decode(repeat('00', 32), 'hex') where org_id = $1 and leaf_index = 7`,
    /^entry 7 /
  ],
  "a leaf removed": [
    "delete from attestry.log_leaf where org_id = $1 and leaf_index = 7",
    /^entry 7: its leaf is missing/
  ],
  "a node": [
    "update attestry.log_node set hash = decode(repeat('00', 32), 'hex') where org_id = $1",
    /^node 0 of level 1/
  ],
  "a node removed": ["delete from attestry.log_node where org_id = $1", /^node 0 of level 1/],
  "the edge of the tree": [
    "update attestry.log_tree set edge = set_byte(edge, 0, 255 - get_byte(edge, 0)) where org_id = $1",
    /^tree of size 300: the leaves give another root/
  ],
  "the horizon of the tree": [
    "update attestry.log_tree set horizon = horizon + 1000000 where org_id = $1",
    /^log_tree 1: `horizon` is not what the leaves give/
  ],
  "the numbers above the horizon": [
    "update attestry.log_tree set done = array[horizon + 1000] where org_id = $1",
    /^log_tree 1: `done` is not what the leaves give/
  ],
  "the size of the tree, and what would show it": [
    `with c as (delete from attestry.log_checkpoint where org_id = $1)
      update attestry.log_tree set size = 256, horizon = 0, done = '{}',
        edge = (select hash from attestry.log_node where org_id = $1 and level = 1) where org_id = $1`,
    /^log_tree 1: `size` is not what the leaves give/
  ],
  "the tree, which is removed": [
    "delete from attestry.log_tree where org_id = $1",
    /^log_tree 1: the row is missing, and leaves or checkpoints of it are there/
  ],
  "an epoch that no entry begins": [
    `insert into attestry.log_tree select org_id, 2, origin || '/epochs/2', entry_key, 0, '',
      horizon, done from attestry.log_tree where org_id = $1`,
    /^log_tree 2: no entry of the log begins this epoch/
  ],
  "content to a text that is no JSON": [
    `update attestry.journal set content = set_byte(content, 0, 40) ${row}`,
    /^journal \d+: `content` cannot be read/
  ],
  "the root of the checkpoint": [
    `update attestry.log_checkpoint set note = ${OTHER_ROOT} where org_id = $1`,
    /^checkpoint of size 300/
  ],
  "the signature of the checkpoint": [
    `update attestry.log_checkpoint set note = regexp_replace(note, '— (\\S+) ....', '— \\1 AAAA')
      where org_id = $1`,
    /^checkpoint of size 300/
  ]
}

layer(services, { excludeTestServices: true, timeout: "120 seconds" })(
  "verifying a log on PostgreSQL",
  (it) => {
    it.effect("finds nothing in a log that was not touched", () =>
      Effect.gen(function* () {
        const org = yield* logged
        const report = yield* (yield* LogVerification).verify(org)
        assert.deepStrictEqual(report, { size: SIZE, signed: SIZE, findings: [] })
      })
    )

    const changes = Object.entries(CHANGES)
    const { length } = changes
    const played = lengthForRun({ quick: 3, full: length, deep: length })
    for (const [what, [statement, told]] of changes.slice(0, played)) {
      it.effect(`LOG-18: finds a change of ${what}`, () =>
        Effect.gen(function* () {
          const org = yield* logged
          const { query } = yield* PgLayer.TestDatabase
          yield* query(statement, [org])
          const { findings } = yield* (yield* LogVerification).verify(org)
          assert.isTrue(
            findings.map(LogFinding.print).some((line) => told.test(line)),
            JSON.stringify(findings.slice(0, 3))
          )
        })
      )
    }

    it.effect("verifies from a size on, and takes what is below it as it is", () =>
      Effect.gen(function* () {
        const org = yield* logged
        const verification = yield* LogVerification
        const lines = (from: number) =>
          Effect.map(verification.verify(org, { from }), ({ findings }) =>
            findings.map(LogFinding.print)
          )
        for (const from of [0, 1, 255, 256, 257, SIZE]) {
          assert.deepStrictEqual(yield* lines(from), [], String(from))
        }
        assert.deepStrictEqual(yield* lines(SIZE + 1), [
          `tree of size ${SIZE}: it is smaller than ${SIZE + 1}`
        ])
        const { query } = yield* PgLayer.TestDatabase
        const change = (index: number) =>
          query(
            `update attestry.journal set kind = 'other' where org_id = $1 and sequence = ${at(index)}`,
            [org]
          )
        yield* change(7)
        assert.deepStrictEqual(yield* lines(256), [])
        assert.match((yield* lines(255)).join(), /^entry 7 /)
        yield* change(270)
        assert.match((yield* lines(256)).join(), /^entry 270 [^,]*, flow s0\)[^,]*$/)
        yield* query(`delete from attestry.journal where org_id = $1 and sequence = ${at(271)}`, [
          org
        ])
        assert.include(yield* lines(256), "entry 271: its journal row is missing")
        // Nodes that do not lead to the root prove nothing about what is below, so all of it is read.
        yield* query("delete from attestry.log_node where org_id = $1", [org])
        assert.match((yield* lines(256)).join(), /^entry 7 /)
      })
    )

    it.effect("LOG-18: finds a change of every checkpoint", () =>
      Effect.gen(function* () {
        const org = yield* logged
        const { query } = yield* PgLayer.TestDatabase
        const add = (count: number) =>
          Effect.gen(function* () {
            yield* (yield* JournalStore).appendAll(
              Array.from({ length: count }, () => ({
                org_id: org,
                kind: "k",
                subject: { type: "flow", id: "s" },
                actor: { kind: "user" as const, id: "u", name: "anna" },
                at: Fixture.AT,
                content: "{}",
                digest: "0".repeat(64)
              }))
            )
            yield* (yield* LogSequencer).integrate(org)
            assert.strictEqual(yield* (yield* LogCheckpoints).publish(org), "signed")
          })
        yield* add(1)
        yield* add(220)
        const lines = Effect.map(
          Effect.flatMap(LogVerification, (each) => each.verify(org)),
          ({ findings }) => findings.map(LogFinding.print)
        )
        assert.deepStrictEqual(yield* lines, [])
        yield* query(
          `update attestry.log_checkpoint set note = ${OTHER_ROOT} where org_id = $1 and size = 301`,
          [org]
        )
        assert.deepStrictEqual(yield* lines, [
          "checkpoint of size 301: it does not fit the leaves or its signature"
        ])
      })
    )

    it.effect("LOG-18: finds that all checkpoints were removed, once two were signed", () =>
      Effect.gen(function* () {
        const org = yield* logged
        yield* (yield* JournalStore).append({
          org_id: org,
          kind: "k",
          subject: { type: "flow", id: "s" },
          actor: { kind: "user" as const, id: "u", name: "anna" },
          at: Fixture.AT,
          content: "{}",
          digest: "0".repeat(64)
        })
        yield* (yield* LogSequencer).integrate(org)
        assert.strictEqual(yield* (yield* LogCheckpoints).publish(org), "signed")
        const { query } = yield* PgLayer.TestDatabase
        yield* query("delete from attestry.log_checkpoint where org_id = $1", [org])
        const { findings, signed } = yield* (yield* LogVerification).verify(org)
        assert.strictEqual(signed, 0)
        assert.deepStrictEqual(findings.map(LogFinding.print), [
          `log_checkpoint of size ${SIZE}: the row is missing`
        ])
      })
    )

    it.effect("LOG-19: signs nothing after the log was set back", () =>
      Effect.gen(function* () {
        const org = yield* logged
        const [sequencer, checkpoints] = [yield* LogSequencer, yield* LogCheckpoints]
        const { query } = yield* PgLayer.TestDatabase
        // A backup of before the log: the state of this process remembers what was signed.
        for (const table of ["log_leaf", "log_node", "log_checkpoint"]) {
          yield* query(`delete from attestry.${table} where org_id = $1`, [org])
        }
        yield* query(
          "update attestry.log_tree set size = 0, edge = '', horizon = 0, done = '{}' where org_id = $1",
          [org]
        )
        assert.strictEqual(yield* checkpoints.publish(org), "forked")
        yield* sequencer.integrate(org)
        // WHY a fork although every entry is there: salts are drawn anew, so leaves are others than before.
        assert.strictEqual(yield* checkpoints.publish(org), "forked")
        const [signed] = yield* query(
          "select count(*)::int4 as n from attestry.log_checkpoint where org_id = $1",
          [org]
        )
        assert.strictEqual(signed?.n, 0)
      })
    )
  }
)
