/** Stores a served log as files, in the layout of C2SP tlog-tiles, with proofs and receipts. */
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Cosigning } from "@attestry/core/Cosigning"
import { OrgName } from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import { LogPublishing } from "@attestry/core/LogPublishing"
import { OrgStore } from "@attestry/core/OrgStore"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as EntryBundle from "@attestry/transparency-log/EntryBundle"
import * as Tile from "@attestry/transparency-log/Tile"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { Effect, Layer, Option } from "effect"
import { assert } from "vitest"
import type { TestServer } from "../shared/TestServer.js"
import { WITNESS } from "./TestWitness.js"
import { fill } from "./World.js"

/** A proof of inclusion, as the contract has it. */
export interface Inclusion {
  readonly index: number
  readonly size: number
  readonly leaf_hash: string
  readonly hashes: ReadonlyArray<string>
  readonly root: string
}

/** A proof of growth, as the contract has it. */
export interface Consistency {
  readonly from: number
  readonly to: number
  readonly hashes: ReadonlyArray<string>
  readonly from_root: string
  readonly to_root: string
}

interface Event {
  readonly entry: string
  readonly index: number
  readonly kind: string
  readonly subject: unknown
  readonly actor: { readonly name: string }
  readonly content: { readonly [name: string]: unknown }
}

/** What was stored. */
export interface StoredLog {
  readonly size: number
  readonly vkey: string
  readonly checkpoint: string
  readonly entries: ReadonlyArray<Uint8Array>
  readonly inclusion: ReadonlyArray<Inclusion>
  readonly consistency: ReadonlyArray<Consistency>
  /** Receipts by the names of their files. */
  readonly receipts: ReadonlyMap<string, string>
  /** The files of checkpoint, tiles, entries and receipts. */
  readonly files: ReadonlyArray<string>
}

/** With what `fill` records more than two full tiles. */
const MORE = 540

/** More entries than requests of a test should make. */
const append = Effect.gen(function* () {
  const org = Option.getOrThrow(yield* (yield* OrgStore).find({ name: OrgName.make("acme") }))
  yield* (yield* JournalStore).appendAll(
    Array.from({ length: MORE }, (_, place) => ({
      org_id: org.id,
      kind: "flow_updated",
      subject: { type: "flow", id: `s${place % 9}` },
      actor: { kind: "user" as const, id: "u", name: "anna" },
      at: Fixture.AT,
      content: `{"place":${place}}`,
      digest: "0".repeat(64)
    }))
  )
  return org.id
})

class Storing {
  readonly files: Array<string> = []

  constructor(
    readonly server: TestServer,
    readonly folder: string
  ) {}

  async get<A>(path: string, query = ""): Promise<A> {
    const { status, body } = await this.server.call(`GET ${path}`, { query })
    assert.strictEqual(status, 200, JSON.stringify(body))
    // WHY: each caller states the shape that the contract has.
    return body as A
  }

  put(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true })
    writeFileSync(join(this.folder, path), content)
  }

  keep(path: string, content: string | Uint8Array): void {
    this.put(path, content)
    this.files.push(path)
  }

  /** Tiles and entry bundles; returns the entries. */
  async tiles(size: number): Promise<ReadonlyArray<Uint8Array>> {
    const entries: Array<Uint8Array> = []
    for (let level = 0; Tile.hashesAt(level, size) > 0; level++) {
      for (let index = 0; ; index++) {
        const tile = Tile.within(size, { level, index })
        if (tile.width === 0) break
        this.keep(Tile.print(tile), await this.get(`/log/{org}/${Tile.print(tile)}`))
        if (level > 0) continue
        const bundle = Tile.printEntries(tile)
        const content = await this.get<Uint8Array>(`/log/{org}/${bundle}`)
        this.keep(bundle, content)
        entries.push(...Option.getOrThrow(EntryBundle.parse(content)))
      }
    }
    return entries
  }

  async proofs(size: number) {
    const inclusion: Array<Inclusion> = []
    for (const [index, within] of [
      ...[0, 1, 255, 256, 511, 512, size - 1].map((each) => [each, size] as const),
      ...([
        [3, 4],
        [255, 256],
        [256, 257],
        [500, 513]
      ] as const)
    ]) {
      const query = `?index=${index}&size=${within}`
      inclusion.push(await this.get("/log/{org}/proofs/inclusion", query))
    }
    const consistency: Array<Consistency> = []
    for (const [from, to] of [
      [0, 5],
      [1, size],
      [255, 256],
      [256, size],
      [257, 512],
      [size, size]
    ] as const) {
      const query = `?from=${from}&to=${to}`
      consistency.push(await this.get("/log/{org}/proofs/consistency", query))
    }
    this.put("proofs.json", JSON.stringify({ inclusion, consistency }))
    return { inclusion, consistency }
  }

  /** Receipts of one entry of each kind, the ones with the most to disclose first. */
  async receipts(): Promise<ReadonlyMap<string, string>> {
    const { events } = await this.get<{ events: ReadonlyArray<Event> }>(
      "/events/{org}",
      "?limit=1000"
    )
    const first = new Map([...events].reverse().map((event) => [event.kind, event]))
    const told: { [name: string]: unknown } = {}
    const kept = new Map<string, string>()
    for (const kind of [
      "trail_attestation_reported",
      "artifact_creation_reported",
      "org_created"
    ]) {
      const event = first.get(kind) ?? assert.fail(`no entry is ${kind}`)
      const { body, report } = event.content
      const details = { ...(body ? { body } : {}), ...(report ? { report } : {}) }
      const name = `${event.index}.tlog-proof`
      told[name] = {
        index: event.index,
        said: { kind, subject: event.subject, actor: event.actor.name, details }
      }
      const proof = await this.get<string>(
        `/log/{org}/entries/${event.entry}`,
        "?format=tlog-proof"
      )
      this.keep(`receipts/${name}`, proof)
      kept.set(name, proof)
    }
    this.put("receipts.json", JSON.stringify(told))
    return kept
  }
}

/** Stores the log of a server that has the witness of these tests. */
export const store = async (server: TestServer, folder: string): Promise<StoredLog> => {
  const storing = new Storing(server, folder)
  await fill(server)
  const org = await server.run(append)
  await storing.get("/log/{org}")
  const outcomes = await server.run(
    Effect.flatMap(Cosigning, ({ cosign }) => cosign(org, WITNESS.submit)).pipe(
      Effect.provide(
        Cosigning.Default.pipe(
          Layer.provide(Layer.succeed(LogPublishing, WITNESS.publishing)),
          Layer.provide(SignaturesWebCrypto.layer)
        )
      )
    )
  )
  assert.deepStrictEqual([...outcomes], [["w", "cosigned"]])
  const { keys, size } = await storing.get<{
    readonly size: number
    readonly keys: ReadonlyArray<{ readonly vkey: string }>
  }>("/log/{org}")
  const checkpoint = await storing.get<string>("/log/{org}/checkpoint")
  storing.keep("checkpoint", checkpoint)
  const vkey = keys[0]?.vkey ?? ""
  storing.put("vkey", vkey)
  storing.put("witnesses", `${WITNESS.vkey}\n`)
  const entries = await storing.tiles(size)
  const receipts = await storing.receipts()
  const proofs = await storing.proofs(size)
  return { size, vkey, checkpoint, entries, receipts, files: storing.files, ...proofs }
}
