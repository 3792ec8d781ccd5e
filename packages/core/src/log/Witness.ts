/**
 * Cosigns checkpoints of other deployments' logs, by C2SP tlog-witness: a checkpoint must be signed by its log and
 * extend the last cosigned checkpoint. The stored checkpoint advances before the cosignature is returned.
 */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as MerkleProof from "@attestry/transparency-log/MerkleProof"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import { Notes } from "@attestry/transparency-log/Notes"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import { Signatures } from "@attestry/transparency-log/Signatures"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as WitnessRequest from "@attestry/transparency-log/WitnessRequest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StoreError } from "../shared/StoreError.js"
import type { SigningKey } from "./LogSigner.js"
import { type WitnessedLog, WitnessStore } from "./WitnessStore.js"

/** The key of the witness, and the logs that it cosigns. */
export interface Identity {
  readonly name: string
  readonly key: SigningKey
  /** The keys of the witnessed logs; the name of a key is the origin of its log. */
  readonly logs: ReadonlyArray<SignedNote.VerifierKey>
}

/** The identity of this deployment as a witness; none if it is not one. */
export class WitnessIdentity extends Context.Reference<WitnessIdentity>()(
  "@attestry/core/WitnessIdentity",
  { defaultValue: (): Option.Option<Identity> => Option.none() }
) {}

/** The result of a cosigning request. */
export type WitnessOutcome =
  | { readonly _tag: "Cosigned"; readonly lines: string }
  | { readonly _tag: "Malformed" | "UnknownLog" | "Unsigned" | "BadProof" }
  /** The last cosigned checkpoint has another size, or another root at the same size. */
  | { readonly _tag: "Conflict"; readonly size: number }

/** The name of the witness: the deployment's public URL without its scheme, and a path. */
export const nameOf = (publicUrl: string): string =>
  `${publicUrl.replace(/^[a-z]+:\/\//i, "").replace(/\/+$/, "")}/api/v2/witness`

/** The hash of an origin, which is part of the path of its checkpoint. */
export const originHash = (origin: string): string => Base64.encodeHex(Sha256.digestText(origin))

const seedOf = ({ name, key }: Identity): Uint8Array =>
  Sha256.derive(key.seed, { salt: "attestry", info: `attestry/witness/1\n${name}` })

type Asked = Option.Option.Value<ReturnType<typeof WitnessRequest.parse>>

/** The result according to the proof, if the stored checkpoint has the old size. */
const decide = (
  { old, hashes, said }: Asked,
  recorded: Option.Option<WitnessedLog>
): "continues" | "conflict" | "bad" => {
  const root = Option.flatMap(recorded, (log) => Base64.decode(log.root))
  const fromRoot =
    old === 0 ? MerkleTree.EMPTY_ROOT : Option.getOrElse(root, () => MerkleTree.EMPTY_ROOT)
  if (old === said.size && Base64.encode(fromRoot) !== Base64.encode(said.root)) return "conflict"
  const proof = { from: old, to: said.size, fromRoot, toRoot: said.root, hashes }
  return MerkleProof.verifyConsistency(proof) ? "continues" : "bad"
}

const conflict = (recorded: Option.Option<WitnessedLog>): WitnessOutcome => ({
  _tag: "Conflict",
  size: Option.match(recorded, { onNone: () => 0, onSome: ({ size }) => size })
})

/** Use case: cosigns other deployments' logs. */
export class Witness extends Effect.Service<Witness>()("@attestry/core/Witness", {
  effect: Effect.gen(function* () {
    const store = yield* WitnessStore
    const notes = yield* Notes
    const signatures = yield* Signatures
    const identity = yield* WitnessIdentity

    const keyOf = (self: Identity) =>
      Effect.map(
        signatures.publicKey(seedOf(self)),
        (publicKey): SignedNote.VerifierKey => ({
          name: self.name,
          type: SignedNote.COSIGNATURE,
          publicKey
        })
      )

    const sign = (self: Identity, text: string) =>
      Effect.gen(function* () {
        const time = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
        const signature = yield* signatures.sign(seedOf(self), SignedNote.cosigned(text, time))
        return SignedNote.printLine({
          name: self.name,
          keyId: SignedNote.keyId(yield* keyOf(self)),
          signature: SignedNote.cosignature(time, signature)
        })
      })

    const cosign = Effect.fn(function* (
      self: Identity,
      asked: Asked
    ): Effect.fn.Return<WitnessOutcome, StoreError> {
      const { old, said, checkpoint } = asked
      const { origin, size } = said
      const keys = self.logs.filter(({ name }) => name === origin)
      if (keys.length === 0) return { _tag: "UnknownLog" }
      const opened = yield* notes.open(checkpoint, keys)
      if (Option.isNone(opened)) return { _tag: "Unsigned" }
      if (old > size) return { _tag: "Malformed" }
      const recorded = yield* store.find(origin)
      const known = Option.match(recorded, { onNone: () => 0, onSome: (log) => log.size })
      if (known !== old) return conflict(recorded)
      const verdict = decide(asked, recorded)
      if (verdict === "conflict") return conflict(recorded)
      if (verdict === "bad") return { _tag: "BadProof" }
      const line = yield* sign(self, opened.value.text)
      const log = { origin, size, root: Base64.encode(said.root), note: `${checkpoint}${line}` }
      const isKept = yield* store.advance(log, old)
      return isKept ? { _tag: "Cosigned", lines: line } : conflict(yield* store.find(origin))
    })

    /** Cosigns the checkpoint of a request if the protocol allows it. */
    const add = Effect.fn("Witness.add")(function* (
      body: string
    ): Effect.fn.Return<WitnessOutcome, StoreError> {
      const asked = WitnessRequest.parse(body)
      if (Option.isNone(asked)) return { _tag: "Malformed" }
      return Option.isNone(identity)
        ? { _tag: "UnknownLog" }
        : yield* cosign(identity.value, asked.value)
    })

    /** The newest cosigned checkpoint of the log whose origin has this hash. */
    const checkpoint = Effect.fn("Witness.checkpoint")((hash: string) =>
      Effect.map(store.list, (logs) =>
        Option.map(
          Option.fromNullable(logs.find(({ origin }) => originHash(origin) === hash)),
          ({ note }) => note
        )
      )
    )

    /** The name and key of this witness, and the size of each log; none if this deployment is not a witness. */
    const describe = Effect.gen(function* () {
      if (Option.isNone(identity)) return Option.none()
      const logs = yield* store.list
      return Option.some({
        name: identity.value.name,
        vkey: SignedNote.printKey(yield* keyOf(identity.value)),
        logs: logs.map(({ origin, size }) => ({ origin, size }))
      })
    }).pipe(Effect.withSpan("Witness.describe"))

    return { add, checkpoint, describe } as const
  })
}) {}
