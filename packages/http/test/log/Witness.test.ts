/** Witnesses, both sides: status by status as C2SP tlog-witness says, and between a log and a witness of ours. */

import { Cosigning, type Submit, WitnessUnreachable } from "@attestry/core/Cosigning"
import { OrgName } from "@attestry/core/Identifier"
import { LogPublishing, type Publishing } from "@attestry/core/LogPublishing"
import * as LogSigner from "@attestry/core/LogSigner"
import { OrgStore } from "@attestry/core/OrgStore"
import * as Witness from "@attestry/core/Witness"
import * as MemoryStore from "@attestry/memory-store/MemoryStore"
import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import * as MerkleProof from "@attestry/transparency-log/MerkleProof"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import { Notes } from "@attestry/transparency-log/Notes"
import { Signatures } from "@attestry/transparency-log/Signatures"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as WitnessPolicy from "@attestry/transparency-log/WitnessPolicy"
import * as WitnessRequest from "@attestry/transparency-log/WitnessRequest"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { Effect, Either, Layer, Option } from "effect"
import { assert, it } from "vitest"
import * as WitnessSite from "../../src/log/WitnessSite.js"
import type { Dispatch } from "../../src/shared/HttpMessage.js"
import { LOG_KEY, onBothStores } from "../shared/TestServer.js"

const NAME = "b.example/api/v2/witness"
const OWN_ORIGIN = "127.0.0.1:8080/api/v2/log/acme"
const ORIGIN = "log.example"
const SEED = new Uint8Array(32).fill(8)

const signed = <A, E>(effect: Effect.Effect<A, E, Signatures>) =>
  Effect.runPromise(Effect.provide(effect, SignaturesWebCrypto.layer))

const keyOf = (name: string, seed: Uint8Array) =>
  signed(
    Effect.map(
      Effect.flatMap(Signatures, (signatures) => signatures.publicKey(seed)),
      (publicKey): SignedNote.VerifierKey => ({ name, type: SignedNote.ED25519, publicKey })
    )
  )

const ownKeys = await signed(
  Effect.flatMap(LogSigner.fromKeys([LOG_KEY]), (signer) => signer.keys(OWN_ORIGIN))
)
const key = await keyOf(ORIGIN, SEED)
const ownKey = Option.getOrThrow(SignedNote.parseKey(ownKeys[0]?.vkey ?? ""))

const witnessLayer = Witness.Witness.Default.pipe(
  Layer.provide(
    Layer.succeed(
      Witness.WitnessIdentity,
      Option.some({
        name: NAME,
        key: { generation: 1, seed: new Uint8Array(32).fill(7) },
        logs: [key, ownKey]
      })
    )
  ),
  Layer.provide(Notes.Default),
  Layer.provide(SignaturesWebCrypto.layer)
)

const described = await Effect.flatMap(Witness.Witness, ({ describe }) => describe).pipe(
  Effect.provide(Layer.provide(witnessLayer, MemoryStore.layer)),
  Effect.runPromise
)
const vkey = Option.getOrThrow(described).vkey

const policy = Either.getOrThrow(
  WitnessPolicy.parse(`witness b ${vkey} https://b.example/api/v2/witness/\nquorum b\n`)
)
const publishing: Publishing = { policy: Option.some(policy), mode: "quorum" }

const LEAVES = Array.from({ length: 20 }, (_, n) => MerkleTree.leafHash(Uint8Array.of(n)))
const rootOf = (size: number) =>
  MerkleTree.root(MerkleTree.append(MerkleTree.EMPTY, LEAVES.slice(0, size)).edge)
const read: MerkleProof.HashReader = ({ level, index }) =>
  level === 0
    ? (LEAVES[index] ?? MerkleTree.EMPTY_ROOT)
    : MerkleTree.nodeHash(
        read({ level: level - 1, index: index * 2 }),
        read({ level: level - 1, index: index * 2 + 1 })
      )
const proof = (from: number, to: number) =>
  MerkleProof.hashesOf(MerkleProof.consistencyRuns({ from, to }), read)

/** A checkpoint of the made log, signed with a seed. */
const noteOf = async (size: number, root = rootOf(size), seed = SEED, origin = ORIGIN) => {
  const text = Checkpoint.print({ origin, size, root })
  const signature = await signed(
    Effect.flatMap(Signatures, (signatures) => signatures.sign(seed, SignedNote.messageOf(text)))
  )
  const line = { name: ORIGIN, keyId: SignedNote.keyId(key), signature }
  return SignedNote.print({ text, signatures: [line] })
}

onBothStores(
  "witnesses",
  ({ call, run }) => {
    const elsewhere: Dispatch = () => Effect.succeed({ status: 418, headers: {}, body: "" })
    const ask = (method: string, url: string, body = "") =>
      run(
        Effect.flatMap(Witness.Witness, (witness) =>
          WitnessSite.front(
            witness,
            elsewhere
          )({
            method,
            url,
            headers: () => [],
            remoteAddress: "",
            body: (async function* () {
              yield new TextEncoder().encode(body)
            })()
          })
        ).pipe(Effect.provide(witnessLayer))
      )
    const add = (request: WitnessRequest.WitnessRequest | string) =>
      ask(
        "POST",
        "/api/v2/witness/add-checkpoint",
        typeof request === "string" ? request : WitnessRequest.print(request)
      )
    const status = async (request: WitnessRequest.WitnessRequest | string) =>
      (await add(request)).status

    it("LOG-20: answers each rule of the protocol with its status", async () => {
      const first = { old: 0, hashes: [], checkpoint: await noteOf(5) }
      assert.strictEqual(await status("nonsense"), 400)
      const unknown = await noteOf(5, rootOf(5), SEED, "other.example")
      assert.strictEqual(await status({ ...first, checkpoint: unknown }), 404)
      const forged = await noteOf(5, rootOf(5), new Uint8Array(32).fill(9))
      assert.strictEqual(await status({ ...first, checkpoint: forged }), 403)
      assert.strictEqual(await status({ ...first, old: 6 }), 400)
      const early = await add({ ...first, old: 3 })
      assert.deepStrictEqual([early.status, early.body], [409, "0\n"])
      assert.strictEqual(await status({ ...first, hashes: [rootOf(1)] }), 422)
      const cosigned = await add(first)
      assert.strictEqual(cosigned.status, 200)
      const again = await add(first)
      assert.deepStrictEqual([again.status, again.body], [409, "5\n"])
      assert.strictEqual(again.headers["content-type"], "text/x.tlog.size")
      const same = { old: 5, hashes: [], checkpoint: first.checkpoint }
      assert.strictEqual(await status(same), 200)
      const other = { ...same, checkpoint: await noteOf(5, rootOf(4)) }
      assert.deepStrictEqual([(await add(other)).status, (await add(other)).body], [409, "5\n"])
      const grown = { old: 5, hashes: proof(5, 12), checkpoint: await noteOf(12) }
      assert.strictEqual(await status({ ...grown, hashes: proof(4, 12) }), 422)
      assert.strictEqual(await status({ ...grown, checkpoint: await noteOf(12, rootOf(11)) }), 422)
      assert.strictEqual(await status(grown), 200)
      assert.strictEqual(await status("x".repeat(WitnessRequest.BYTES_MAX + 1)), 413)
    })

    it("cosigns the text of the checkpoint with its time, and serves what it cosigned", async () => {
      const hash = Witness.originHash(ORIGIN)
      const { status: code, body } = await ask("GET", `/api/v2/witness/${hash}/checkpoint`)
      assert.strictEqual(code, 200)
      const opened = await Effect.flatMap(Notes, (notes) =>
        notes.open(String(body), [Option.getOrThrow(SignedNote.parseKey(vkey))])
      ).pipe(
        Effect.provide(Layer.provide(Notes.Default, SignaturesWebCrypto.layer)),
        Effect.runPromise
      )
      assert.include(Option.getOrThrow(opened).text, "\n12\n")
      const about = await ask("GET", "/api/v2/witness")
      assert.deepInclude(JSON.parse(String(about.body)), { name: NAME, vkey })
      assert.deepInclude(JSON.parse(String(about.body)).logs, { origin: ORIGIN, size: 12 })
      const missing = await ask("GET", `/api/v2/witness/${"0".repeat(64)}/checkpoint`)
      assert.strictEqual(missing.status, 404)
      for (const [method, url, expected] of [
        ["GET", "/api/v2/witness/add-checkpoint", 405],
        ["PUT", "/api/v2/witness", 405],
        ["GET", "/api/v2/witness/nothing", 404],
        ["GET", "/api/v2/witnesses", 418],
        ["GET", "/api/v2/flows/acme", 418]
      ] as const)
        assert.strictEqual((await ask(method, url)).status, expected, url)
    })

    it("answers 100 requests of a source in a second, and 429 to the next until there is room", async () => {
      let now = 0
      const site = await run(
        Effect.map(Witness.Witness, (witness) =>
          WitnessSite.front(witness, elsewhere, () => now)
        ).pipe(Effect.provide(witnessLayer))
      )
      const from = async (remoteAddress: string, url = "/api/v2/witness") => {
        const request = { method: "GET", url, headers: () => [], remoteAddress }
        return run(site({ ...request, body: (async function* () {})() }))
      }
      for (let count = 0; count < WitnessSite.PER_SECOND; count++) {
        assert.strictEqual((await from("192.0.2.1")).status, 200)
      }
      const refused = await from("192.0.2.1")
      assert.deepStrictEqual([refused.status, refused.headers["retry-after"]], [429, "1"])
      assert.strictEqual((await from("192.0.2.1", "/api/v2/flows/acme")).status, 418)
      assert.strictEqual((await from("192.0.2.2")).status, 200)
      now += 1_000 / WitnessSite.PER_SECOND
      assert.strictEqual((await from("192.0.2.1")).status, 200)
      assert.strictEqual((await from("192.0.2.1")).status, 429)
    })

    /** The way to the witness, and what was sent on it. */
    const sent: Array<string> = []
    const submit: Submit = (url, body) =>
      Effect.promise(async () => {
        sent.push(body.split("\n")[0] ?? "")
        const answer = await ask("POST", new URL(url).pathname, body)
        return { status: answer.status, body: String(answer.body) }
      })
    const cosign = (by: Submit = submit) =>
      run(
        Effect.gen(function* () {
          const org = Option.getOrThrow(
            yield* (yield* OrgStore).find({ name: OrgName.make("acme") })
          )
          return Object.fromEntries(yield* (yield* Cosigning).cosign(org.id, by))
        }).pipe(
          Effect.provide(
            Cosigning.Default.pipe(
              Layer.provide(Layer.succeed(LogPublishing, publishing)),
              Layer.provide(SignaturesWebCrypto.layer)
            )
          )
        )
      )
    const log = async () =>
      (await call("GET /log/{org}")).body as {
        readonly size: number
        readonly checkpoint: {
          readonly size: number
          readonly witnesses: unknown
          readonly quorum: boolean | null
        } | null
      }

    it("serves no checkpoint before a quorum has cosigned it, and then the cosigned one", async () => {
      await call("PUT /flows/{org}", { body: { name: "shop", description: "x" } })
      assert.isNull((await log()).checkpoint)
      assert.strictEqual((await call("GET /log/{org}/checkpoint")).status, 503)
      assert.deepStrictEqual(await cosign(), { b: "cosigned" })
      const first = await log()
      assert.deepInclude(first.checkpoint, { size: first.size, witnesses: ["b"], quorum: true })
      await call("PUT /flows/{org}", { body: { name: "pay", description: "x" } })
      const grown = await log()
      assert.strictEqual(grown.size, first.size + 1)
      assert.strictEqual(grown.checkpoint?.size, first.size)
      assert.deepStrictEqual(await cosign(), { b: "cosigned" })
      assert.strictEqual(sent.at(-1), `old ${first.size}`)
      assert.strictEqual((await log()).checkpoint?.size, grown.size)
      const note = (await call("GET /log/{org}/checkpoint")).body as string
      assert.include(note, `— ${NAME} `)
      assert.deepStrictEqual(await cosign(), { b: "current" })
    })

    it("starts from the size that a witness names, and drops what does not verify", async () => {
      await call("PUT /flows/{org}", { body: { name: "third", description: "x" } })
      await log()
      const ahead: Submit = () => Effect.succeed({ status: 409, body: "100000\n" })
      assert.deepStrictEqual(await cosign(ahead), { b: "ahead" })
      const refusing: Submit = () => Effect.succeed({ status: 403, body: "" })
      assert.deepStrictEqual(await cosign(refusing), { b: "refused" })
      const silent: Submit = () => new WitnessUnreachable({ reason: "timeout" })
      assert.deepStrictEqual(await cosign(silent), { b: "unreachable" })
      const lying: Submit = () =>
        Effect.succeed({
          status: 200,
          body: SignedNote.printLine({
            name: NAME,
            keyId: SignedNote.keyId(Option.getOrThrow(SignedNote.parseKey(vkey))),
            signature: new Uint8Array(72)
          })
        })
      assert.deepStrictEqual(await cosign(lying), { b: "dropped" })
      const nothing: Submit = () => Effect.succeed({ status: 200, body: "" })
      assert.deepStrictEqual(await cosign(nothing), { b: "dropped" })
      assert.deepStrictEqual(await cosign(), { b: "cosigned" })
      await call("PUT /flows/{org}", { body: { name: "fourth", description: "x" } })
      await log()
      let isFirst = true
      const conflicting: Submit = (url, body) => {
        const asked = isFirst ? body.replace(/^old \d+/, "old 1") : body
        isFirst = false
        return submit(url, asked)
      }
      assert.deepStrictEqual(await cosign(conflicting), { b: "cosigned" })
    })
  },
  { publishing }
)
