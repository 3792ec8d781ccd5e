/**
 * LOG-16: the memory store and PostgreSQL give the same entries for the same history. With the same salts the bytes,
 * the hashes and the roots are equal too.
 */

import * as CanonicalJson from "@attestry/core/CanonicalJson"
import type { JournalDraft } from "@attestry/core/JournalEntry"
import { JournalStore } from "@attestry/core/JournalStore"
import * as Log from "@attestry/core/Log"
import { LogSequencer } from "@attestry/core/LogSequencer"
import { LogStore } from "@attestry/core/LogStore"
import type { Org } from "@attestry/core/Org"
import { OrgStore } from "@attestry/core/OrgStore"
import type { Ports } from "@attestry/core/Ports"
import { Secrets } from "@attestry/core/Secrets"
import * as Timestamp from "@attestry/core/Timestamp"
import { commands } from "@attestry/core/testing/Command"
import * as Fixture from "@attestry/core/testing/Fixture"
import type { UseCases } from "@attestry/core/UseCases"
import { layerSecrets } from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as MemoryStore from "@attestry/memory-store/MemoryStore"
import * as Base64 from "@attestry/transparency-log/Base64"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import { layer } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Context, Effect, FastCheck, Layer, Option, type Runtime } from "effect"
import { effort } from "../../../core/test/shared/Effort.js"
import * as CommandPlayer from "../shared/CommandPlayer.js"
import * as PgLayer from "../shared/PgLayer.js"
import * as UseCaseLayer from "../shared/UseCaseLayer.js"

const HISTORIES = effort(12, 500)
const COMMANDS = 30
const ORIGIN = "a.example/api/v2/log/acme"

type Store = Runtime.Runtime<Ports | UseCases>

class Stores extends Context.Tag("@attestry/sql-store/test/log/Stores")<
  Stores,
  { readonly memory: Store; readonly sql: Store }
>() {}

const withUseCases = <E>(store: Layer.Layer<Ports, E>) =>
  Layer.toRuntime(UseCaseLayer.layer(store, CommandPlayer.layerCountedIds))

const stores = Layer.scoped(
  Stores,
  Effect.all({ memory: withUseCases(MemoryStore.layer), sql: withUseCases(PgLayer.layer) })
)

/** The same bytes for the same calls. */
const layerCountedSecrets = Layer.effect(
  Secrets,
  Effect.map(Secrets, (secrets) => {
    let calls = 0
    return Secrets.of({
      ...secrets,
      randomBytes: (count) =>
        Effect.sync(() => {
          calls += 1
          return Uint8Array.from({ length: count }, (_, at) => (at * 7 + calls * 13) % 256)
        })
    })
  })
).pipe(Layer.provide(layerSecrets))

/** Entries, and after how many of them the log is brought up to date. */
const history = FastCheck.record({
  drafts: FastCheck.array(
    FastCheck.record({
      kind: FastCheck.constantFrom("flow_created", "trail_begun", "k"),
      subject: FastCheck.constantFrom("s1", "s2", "Ä / ~1", "\u{1f600}"),
      name: FastCheck.constantFrom("anna", "", "Ünï\u2028"),
      credential: FastCheck.option(FastCheck.constant("key-1"), { nil: undefined }),
      at: FastCheck.integer({ min: 1, max: 2 ** 51 }),
      content: FastCheck.dictionary(
        FastCheck.constantFrom("body", "author", "details", "message", "plain", "user_data", "é"),
        FastCheck.oneof(
          FastCheck.double({ noNaN: true, noDefaultInfinity: true }),
          FastCheck.constantFrom("", "x\ty", '"quoted" \\ \u2029', "\u{1f600}", null, true, 1e21),
          FastCheck.constant({ email: "ada@example.org", list: [1, { title: "t" }] })
        )
      )
    }),
    { minLength: 1, maxLength: 40 }
  ),
  pause: FastCheck.integer({ min: 1, max: 9 })
})

type Given = typeof history extends FastCheck.Arbitrary<infer History> ? History : never

const draftOf = ({ id: org_id }: Org, given: Given["drafts"][number]): JournalDraft => ({
  org_id,
  kind: given.kind,
  subject: { type: "flow", id: given.subject },
  actor: {
    kind: "service-account",
    id: "u",
    name: given.name,
    ...(given.credential === undefined ? {} : { credential: given.credential })
  },
  at: Timestamp.Timestamp.make(given.at),
  content: CanonicalJson.print(JSON.parse(JSON.stringify(given.content))),
  digest: "0".repeat(64)
})

/** What is in the log of an org: every entry as it is published, and the root. */
const published = (org: Org) =>
  Effect.gen(function* () {
    const store = yield* LogStore
    const tree = Option.getOrThrow(yield* store.find(org.id))
    const logged = yield* store.listLogged(tree, { begin: 0, end: tree.edge.size })
    return { root: Base64.encode(MerkleTree.root(tree.edge)), logged }
  })

const bytesOf = ({ root, logged }: Effect.Effect.Success<ReturnType<typeof published>>) => ({
  root,
  entries: logged.map((each) => {
    const { bytes, hash, concealed } = Log.entryOf(each)
    return {
      index: each.leaf.index,
      prev: each.leaf.prev,
      bytes: Base64.encode(bytes),
      hash: Base64.encode(hash),
      stored: Base64.encode(each.leaf.hash),
      disclosures: concealed.map(({ disclosure }) => disclosure)
    }
  })
})

/** Writes a history and brings the log up to date now and then. */
const write = (org: Org, { drafts, pause }: Given) =>
  Effect.gen(function* () {
    yield* (yield* OrgStore).insert(org)
    const [journal, sequencer] = [yield* JournalStore, yield* LogSequencer]
    yield* sequencer.start(org.id, ORIGIN)
    for (const [place, draft] of drafts.entries()) {
      yield* journal.append(draftOf(org, draft))
      if (place % pause === 0) yield* sequencer.integrate(org.id)
    }
    yield* sequencer.integrate(org.id)
    return bytesOf(yield* published(org))
  }).pipe(Effect.provide(Layer.provide(LogSequencer.Default, Layer.fresh(layerCountedSecrets))))

/** What the entries of a log say, without salts and without what the clock of each store gave. */
const recordedIn = (org: Org) =>
  Effect.gen(function* () {
    yield* (yield* LogSequencer).catchUp(org.id, ORIGIN)
    const { logged } = yield* published(org)
    return logged.map(({ entry, leaf }) => {
      const { content: _, ...said } = Log.recordedOf(entry, leaf.prev)
      return { ...said, content: CommandPlayer.contentOf(entry.kind, entry.content) }
    })
  }).pipe(Effect.provide(Layer.provide(LogSequencer.Default, layerSecrets)))

layer(stores, { excludeTestServices: true })("logs in memory and on PostgreSQL", (it) => {
  it.effect.prop(
    "LOG-16: have the same bytes, hashes and roots for the same entries and salts",
    { given: history },
    ({ given }) =>
      Effect.gen(function* () {
        const { memory, sql } = yield* Stores
        const play = write(yield* Fixture.newOrg, given)
        deepStrictEqual(yield* Effect.provide(play, sql), yield* Effect.provide(play, memory))
      }),
    { timeout: 1_200_000, fastCheck: { numRuns: HISTORIES } }
  )

  it.effect.prop(
    `LOG-16: have the same entries after the same ${COMMANDS} requests`,
    { sequence: commands(COMMANDS) },
    ({ sequence }) =>
      Effect.gen(function* () {
        const { memory, sql } = yield* Stores
        const orgs = yield* Effect.all([Fixture.newOrg, Fixture.newOrg])
        const play = Effect.gen(function* () {
          yield* CommandPlayer.play(orgs, sequence)
          return CommandPlayer.ranked(yield* Effect.forEach(orgs, recordedIn))
        })
        deepStrictEqual(yield* Effect.provide(play, sql), yield* Effect.provide(play, memory))
      }),
    { timeout: 1_200_000, fastCheck: { numRuns: HISTORIES } }
  )
})
