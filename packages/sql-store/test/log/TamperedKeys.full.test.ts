/**
 * LOG-18 at level 1: keys of a log and cosignatures on its checkpoints that were changed by SQL are found, and named.
 */

import type { OrgId } from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import { LogCheckpoints } from "@attestry/core/LogCheckpoints"
import * as LogFinding from "@attestry/core/LogFinding"
import { LogKeys } from "@attestry/core/LogKeys"
import { LogPublishing } from "@attestry/core/LogPublishing"
import { LogSequencer } from "@attestry/core/LogSequencer"
import * as LogSigner from "@attestry/core/LogSigner"
import { LogStore } from "@attestry/core/LogStore"
import { LogVerification } from "@attestry/core/LogVerification"
import * as Fixture from "@attestry/core/testing/Fixture"
import { layerSecrets } from "@attestry/core/webcrypto/SecretsWebCrypto"
import { Signatures } from "@attestry/transparency-log/Signatures"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as WitnessPolicy from "@attestry/transparency-log/WitnessPolicy"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { assert, layer } from "@effect/vitest"
import { Effect, Either, Layer, Option } from "effect"
import * as PgLayer from "../shared/PgLayer.js"

const SEED = new Uint8Array(32).fill(9)
const TIME = 1_790_000_000

const signatures = await Effect.runPromise(Effect.provide(Signatures, SignaturesWebCrypto.layer))

const witness: SignedNote.VerifierKey = {
  name: "witness.example/w",
  type: SignedNote.COSIGNATURE,
  publicKey: await Effect.runPromise(signatures.publicKey(SEED))
}

const policy = WitnessPolicy.parse(
  `witness w ${SignedNote.printKey(witness)} https://witness.example/w\nquorum w\n`
)

const keyOf = (generation: number) => ({ generation, seed: new Uint8Array(32).fill(generation) })

/** A process whose key file has these generations, the first of which may have ended. */
const process = (active: ReadonlyArray<number>, ended: ReadonlyArray<number> = []) =>
  LogVerification.Default.pipe(
    Layer.provideMerge(LogCheckpoints.Default),
    Layer.provideMerge(LogKeys.Default),
    Layer.provideMerge(LogSequencer.Default),
    Layer.provide(
      Layer.effect(
        LogSigner.LogSigner,
        LogSigner.fromKeys(active.map(keyOf), ended.map(keyOf))
      ).pipe(Layer.provide(SignaturesWebCrypto.layer))
    ),
    Layer.provide(
      Layer.succeed(LogPublishing, { policy: Either.getRight(policy), mode: "signed" as const })
    ),
    Layer.provide(layerSecrets)
  )

const publish = (org: OrgId) =>
  Effect.gen(function* () {
    yield* (yield* JournalStore).append({
      org_id: org,
      kind: "k",
      subject: { type: "flow", id: "f" },
      actor: { kind: "user" as const, id: "u", name: "anna" },
      at: Fixture.AT,
      content: "{}",
      digest: "0".repeat(64)
    })
    yield* (yield* LogSequencer).integrate(org)
    assert.strictEqual(yield* (yield* LogCheckpoints).publish(org), "signed")
  })

/** An org whose keys have changed twice, and whose checkpoints are cosigned. */
const rotated = Effect.gen(function* () {
  const { id: org } = yield* Fixture.org
  const store = yield* LogStore
  yield* store.start({ org_id: org, origin: `o/${org}`, entryKey: new Uint8Array(16) })
  for (const active of [[1], [1, 2], [2]]) {
    yield* Effect.provide(publish(org), process(active))
    const tree = Option.getOrThrow(yield* store.find(org))
    const { epoch, size, note } = Option.getOrThrow(yield* store.findCheckpoint(tree))
    const { text } = Option.getOrThrow(SignedNote.parse(note))
    const signature = yield* signatures.sign(SEED, SignedNote.cosigned(text, TIME))
    const line = { name: witness.name, keyId: SignedNote.keyId(witness) }
    yield* (yield* LogStore).insertCosignature(org, {
      epoch,
      size,
      witness: witness.name,
      key_id: line.keyId,
      at: Fixture.AT,
      line: SignedNote.printLine({ ...line, signature: SignedNote.cosignature(TIME, signature) })
    })
  }
  return org
})

const lines = (org: OrgId) =>
  Effect.map(
    Effect.flatMap(LogVerification, (each) => each.verify(org)),
    ({ findings }) => findings.map(LogFinding.print)
  ).pipe(Effect.provide(process([2])))

const first = "where org_id = $1 and generation = 1"
const second = "where org_id = $1 and generation = 2"
const newest = `where org_id = $1 and size = (select max(size) from attestry.log_cosignature
  where org_id = $1)`

/** A change, and the findings that it must cause. */
const CHANGES: { readonly [what: string]: readonly [statement: string, told: RegExp] } = {
  "the public key of a row": [
    `update attestry.log_key set vkey = replace(vkey, '+A', '+B') ${second}`,
    /^log key \S+: (neither the key file nor an entry|its row is missing)/
  ],
  "the generation of a key": [
    `update attestry.log_key set generation = 7 ${second}`,
    /^log key \S+: `generation`/
  ],
  "the size from which a key signs": [
    `update attestry.log_key set first_size = first_size + 1 ${second}`,
    /^log key \S+: `first_size`/
  ],
  "the size from which the first key signs": [
    `update attestry.log_key set first_size = first_size + 1 ${first}`,
    /^log key \S+: `first_size`/
  ],
  "the end of a key": [
    `update attestry.log_key set retired_at = retired_at + 1 ${first}`,
    /^log key \S+: `retired_at`/
  ],
  "a key that ended and goes on": [
    `update attestry.log_key set retired_at = null ${first}`,
    /^log key \S+: `retired_at`/
  ],
  "a key that goes on and ended": [
    `update attestry.log_key set retired_at = 1 ${second}`,
    /^log key \S+: `retired_at`/
  ],
  "two keys exchanged": [
    `update attestry.log_key k set first_size = o.first_size, retired_at = o.retired_at
      from attestry.log_key o where k.org_id = $1 and o.org_id = $1 and k.vkey <> o.vkey`,
    /^log key \S+: `retired_at`/
  ],
  "a key removed": [`delete from attestry.log_key ${first}`, /^log key \S+: its row is missing/],
  "the key that signs removed": [
    `delete from attestry.log_key ${second}`,
    /^log key \S+: its row is missing/
  ],
  "the line of a cosignature": [
    `update attestry.log_cosignature set line = overlay(line placing
      case substr(line, length(line) - 9, 1) when 'A' then 'B' else 'A' end
      from length(line) - 9 for 1) ${newest}`,
    /^cosignature of witness.example\/w on size \d+: it does not fit/
  ],
  "the size of a cosignature": [
    `update attestry.log_cosignature set size = -5 ${newest}`,
    /^cosignature of witness.example\/w on size -5: /
  ],
  "the witness of a cosignature": [
    `update attestry.log_cosignature set witness = 'other' ${newest}`,
    /^cosignature of other on size \d+: /
  ],
  "the key of a cosignature": [
    `update attestry.log_cosignature set key_id = '00000000' ${newest}`,
    /^cosignature of witness.example\/w on size \d+: /
  ],
  "two cosignatures exchanged": [
    `update attestry.log_cosignature c set line = o.line from attestry.log_cosignature o
      where c.org_id = $1 and o.org_id = $1 and c.size = (select min(size)
        from attestry.log_cosignature where org_id = $1) and o.size > c.size`,
    /^cosignature of witness.example\/w on size \d+: /
  ],
  "a cosignature added": [
    `insert into attestry.log_cosignature select org_id, epoch, size + 1, witness, key_id, line, at
      from attestry.log_cosignature where org_id = $1 and size = (select min(size)
        from attestry.log_cosignature where org_id = $1)`,
    /^cosignature of witness.example\/w on size \d+: /
  ]
}

layer(PgLayer.layer, { excludeTestServices: true, timeout: "120 seconds" })(
  "verifying keys and cosignatures on PostgreSQL",
  (it) => {
    it.effect("finds nothing after rotations, by any process that knows one of the keys", () =>
      Effect.gen(function* () {
        const org = yield* rotated
        assert.deepStrictEqual(yield* lines(org), [])
        const by = (...keys: Parameters<typeof process>) =>
          Effect.map(
            Effect.flatMap(LogVerification, (each) => each.verify(org)),
            ({ findings }) => findings.map(LogFinding.print)
          ).pipe(Effect.provide(process(...keys)))
        assert.deepStrictEqual(yield* by([2], [1]), [])
        assert.deepStrictEqual(yield* by([2, 3], [1]), [], "a key that has not signed yet")
      })
    )

    for (const [what, [statement, told]] of Object.entries(CHANGES)) {
      it.effect(`LOG-18: finds a change of ${what}`, () =>
        Effect.gen(function* () {
          const org = yield* rotated
          const { query } = yield* PgLayer.TestDatabase
          yield* query(statement, [org])
          const found = yield* lines(org)
          assert.isTrue(
            found.some((line) => told.test(line)),
            JSON.stringify(found.slice(0, 3))
          )
        })
      )
    }

    it.effect(
      "LOG-18: finds a checkpoint that a key of another has signed, whatever the rows say",
      () =>
        Effect.gen(function* () {
          const org = yield* rotated
          const { query } = yield* PgLayer.TestDatabase
          const origin = `o/${org}`
          const foreign = yield* LogSigner.fromKeys([keyOf(66)]).pipe(
            Effect.provide(SignaturesWebCrypto.layer)
          )
          const store = yield* LogStore
          const tree = Option.getOrThrow(yield* store.find(org))
          const { size, note } = Option.getOrThrow(yield* store.findCheckpoint(tree))
          const { text } = Option.getOrThrow(SignedNote.parse(note))
          const forged = SignedNote.print({ text, signatures: yield* foreign.sign(origin, text) })
          yield* query(
            "update attestry.log_checkpoint set note = $1 where org_id = $2 and size = $3",
            [forged, org, size]
          )
          const [key] = yield* foreign.keys(origin)
          yield* store.putKey(org, {
            generation: 66,
            vkey: key?.vkey ?? "",
            first_size: 0,
            retired_at: null
          })
          const found = yield* lines(org)
          assert.include(
            found,
            `log key ${key?.vkey}: neither the key file nor an entry of the log names it`
          )
          assert.include(
            found,
            `checkpoint of size ${size}: it does not fit the leaves or its signature`
          )
        })
    )
  }
)
