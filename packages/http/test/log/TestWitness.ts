/** A witness that cosigns whatever it is asked for, and the policy that knows it. */
import type { Submit } from "@attestry/core/Cosigning"
import type { Publishing } from "@attestry/core/LogPublishing"
import { Signatures } from "@attestry/transparency-log/Signatures"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as WitnessPolicy from "@attestry/transparency-log/WitnessPolicy"
import * as WitnessRequest from "@attestry/transparency-log/WitnessRequest"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { Effect, Either, Option } from "effect"

const SEED = new Uint8Array(32).fill(9)
const TIME = 1_790_000_000

const signatures = await Effect.runPromise(Effect.provide(Signatures, SignaturesWebCrypto.layer))

const key: SignedNote.VerifierKey = {
  name: "witness.example/w",
  type: SignedNote.COSIGNATURE,
  publicKey: await Effect.runPromise(signatures.publicKey(SEED))
}

const submit: Submit = (_url, body) =>
  Effect.gen(function* () {
    const { checkpoint } = Option.getOrThrow(WitnessRequest.parse(body))
    const { text } = Option.getOrThrow(SignedNote.parse(checkpoint))
    const signature = yield* signatures.sign(SEED, SignedNote.cosigned(text, TIME))
    const line = { name: key.name, keyId: SignedNote.keyId(key) }
    const cosigned = { ...line, signature: SignedNote.cosignature(TIME, signature) }
    return { status: 200, body: SignedNote.printLine(cosigned) }
  })

const vkey = SignedNote.printKey(key)

const publishing: Publishing = {
  policy: Either.getRight(
    WitnessPolicy.parse(`witness w ${vkey} https://witness.example/w\nquorum w\n`)
  ),
  mode: "signed"
}

/** The witness. */
export const WITNESS = { name: key.name, vkey, submit, publishing } as const
