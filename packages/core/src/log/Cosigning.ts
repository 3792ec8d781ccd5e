/** Asks witnesses to cosign the newest checkpoint of a log, and stores their cosignatures. */

import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import * as MerkleProof from "@attestry/transparency-log/MerkleProof"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import { Signatures } from "@attestry/transparency-log/Signatures"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as Tile from "@attestry/transparency-log/Tile"
import type { PolicyWitness } from "@attestry/transparency-log/WitnessPolicy"
import * as WitnessRequest from "@attestry/transparency-log/WitnessRequest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import { fromMillis } from "../shared/Timestamp.js"
import type { LogCheckpoint, LogTree } from "./Log.js"
import { LogPublishing } from "./LogPublishing.js"
import { LogStore } from "./LogStore.js"

/** A witness did not answer. */
export class WitnessUnreachable extends Schema.TaggedError<WitnessUnreachable>()(
  "WitnessUnreachable",
  { reason: Schema.String }
) {
  override get message(): string {
    return `the witness cannot be reached: ${this.reason}`
  }
}

/** Posts a body to a URL. */
export type Submit = (
  url: string,
  body: string
) => Effect.Effect<{ readonly status: number; readonly body: string }, WitnessUnreachable>

/** The result of asking a witness. `ahead`: the witness has cosigned a larger tree than this log has. */
export type CosigningOutcome =
  | "cosigned"
  | "current"
  | "ahead"
  | "refused"
  | "dropped"
  | "unreachable"

/** A checkpoint with its parsed text. */
interface Asked {
  readonly tree: LogTree
  readonly checkpoint: LogCheckpoint
  readonly said: Checkpoint.Checkpoint
}

/** Use case: cosignatures on our logs. */
export class Cosigning extends Effect.Service<Cosigning>()("@attestry/core/Cosigning", {
  effect: Effect.gen(function* () {
    const store = yield* LogStore
    const signatures = yield* Signatures
    const { policy } = yield* LogPublishing

    /** The consistency proof from an earlier size. None if stored tiles do not match the checkpoint. */
    const proofFrom = ({ tree, said: { size, root } }: Asked, from: number) =>
      Effect.gen(function* () {
        const runs = MerkleProof.consistencyRuns({ from, to: size })
        const edge = MerkleTree.subtreesOf({ begin: 0, end: size })
        const subtrees = [...MerkleProof.subtreesFor(runs), ...edge]
        const tiles = yield* store.listTiles(tree, Tile.needed(size, subtrees))
        return Option.map(Either.getRight(Tile.authenticate({ size, root }, tiles)), (read) =>
          MerkleProof.hashesOf(runs, read)
        )
      })

    /** Stores the cosignatures of a witness that verify. */
    const keep = Effect.fn(function* (
      { tree, checkpoint }: Asked,
      { key }: PolicyWitness,
      text: string
    ) {
      const note = SignedNote.parse(`${checkpoint.note}${text}`)
      const claims = Option.isSome(note) ? SignedNote.claims(note.value, [key]) : []
      const lines = Option.match(note, {
        onNone: () => [],
        onSome: (each) => each.signatures.filter((line) => SignedNote.isBy(key, line))
      })
      for (const [place, { signed }] of claims.entries()) {
        const line = lines[place]
        const isTrue = Option.isSome(signed) && (yield* signatures.verify(signed.value))
        if (!isTrue || line === undefined) continue
        yield* store.insertCosignature(tree.org_id, {
          epoch: checkpoint.epoch,
          size: checkpoint.size,
          witness: key.name,
          key_id: SignedNote.keyId(key),
          line: SignedNote.printLine(line),
          at: fromMillis(yield* Clock.currentTimeMillis)
        })
        return "cosigned" as const
      }
      return "dropped" as const
    })

    const askFrom = (asked: Asked, witness: PolicyWitness & { readonly address: string }) =>
      Effect.fn(function* (submit: Submit, from: number) {
        const hashes = yield* proofFrom(asked, from)
        if (Option.isNone(hashes)) return { status: 0, body: "" }
        const { note } = asked.checkpoint
        const body = WitnessRequest.print({ old: from, hashes: hashes.value, checkpoint: note })
        return yield* submit(witness.address, body)
      })

    const askOnce = Effect.fn(function* (asked: Asked, witness: PolicyWitness, submit: Submit) {
      if (Option.isNone(witness.url)) return "current" as const
      const { size } = asked.said
      const known = yield* store.newestCosignedSize(asked.tree, SignedNote.keyId(witness.key))
      if (known >= size) return "current" as const
      const address = `${witness.url.value.replace(/\/+$/, "")}/add-checkpoint`
      const ask = askFrom(asked, { ...witness, address })
      const first = yield* ask(submit, known)
      if (first.status === 200) return yield* keep(asked, witness, first.body)
      const there = Checkpoint.parseSize(first.body.replace(/\n$/, ""))
      if (first.status !== 409 || Option.isNone(there)) return "refused" as const
      if (there.value > size) return "ahead" as const
      const again = yield* ask(submit, there.value)
      return again.status === 200 ? yield* keep(asked, witness, again.body) : ("refused" as const)
    })

    const ask = (asked: Asked, witness: PolicyWitness, submit: Submit) =>
      Effect.map(
        Effect.catchTag(askOnce(asked, witness, submit), "WitnessUnreachable", () =>
          Effect.succeed("unreachable" as const)
        ),
        (outcome): readonly [string, CosigningOutcome] => [witness.name, outcome]
      )

    /** Asks the given witnesses concurrently; a witness that fails does not delay the others. */
    const cosign = Effect.fn("Cosigning.cosign")(function* (
      org: OrgId,
      submit: Submit,
      isWanted: (witness: string) => boolean = () => true
    ): Effect.fn.Return<ReadonlyMap<string, CosigningOutcome>, StoreError> {
      const tree = yield* store.find(org)
      if (Option.isNone(policy) || Option.isNone(tree)) return new Map()
      const checkpoint = yield* store.findCheckpoint(tree.value)
      const said = checkpoint.pipe(
        Option.flatMap(({ note }) => SignedNote.parse(note)),
        Option.flatMap(({ text }) => Checkpoint.parse(text))
      )
      if (Option.isNone(checkpoint) || Option.isNone(said)) return new Map()
      const asked = { tree: tree.value, checkpoint: checkpoint.value, said: said.value }
      const witnesses = policy.value.witnesses.filter(({ name }) => isWanted(name))
      const outcomes = yield* Effect.forEach(witnesses, (each) => ask(asked, each, submit), {
        concurrency: "unbounded"
      })
      return new Map(outcomes)
    })

    return { cosign } as const
  })
}) {}
