/** Capsules of a server, and their verification as a stranger does it. */
import { deflateRawSync, inflateRawSync } from "node:zlib"
import * as Capsule from "@attestry/core/Capsule"
import * as CapsuleEntry from "@attestry/core/CapsuleEntry"
import { CapsuleHost, type Host, LIMITS } from "@attestry/core/CapsuleHost"
import * as CapsuleMembers from "@attestry/core/CapsuleMembers"
import type { CapsuleReport, Refusal } from "@attestry/core/CapsuleReport"
import * as CapsuleVerification from "@attestry/core/CapsuleVerification"
import { type CapsuleTrust, CapsuleVerifier } from "@attestry/core/CapsuleVerifier"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { Effect, Either, Layer, Option } from "effect"
import { assert } from "vitest"
import type { Caller, TestServer } from "../shared/TestServer.js"

const layer = Layer.provide(CapsuleVerifier.Default, SignaturesWebCrypto.layer)

/** Unpacks a member; undefined for bytes that are not packed. */
export const inflate = async (packed: Uint8Array, size: number) => {
  try {
    return new Uint8Array(inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) }))
  } catch {
    return undefined
  }
}

/** What a capsule proves, or why it is refused. */
export const verify = (
  file: Uint8Array,
  trust: CapsuleTrust = { keys: [] }
): Promise<Either.Either<CapsuleReport, Refusal>> =>
  Effect.runPromise(
    Effect.provide(
      Effect.flatMap(CapsuleVerifier, (verifier) => verifier.verify(file, { inflate }, trust)),
      layer
    )
  )

const parts: Host = {
  deflate: Option.some(
    Effect.sync(() => {
      const pieces: Array<Uint8Array> = []
      return {
        add: (bytes: Uint8Array) =>
          Effect.sync(() => {
            pieces.push(bytes)
            return new Uint8Array()
          }),
        end: Effect.sync(() => new Uint8Array(deflateRawSync(Buffer.concat(pieces))))
      }
    })
  ),
  page: Option.some(new TextEncoder().encode("<!doctype html><title>verify</title>")),
  witnesses: Option.none(),
  trustRoots: new Map(),
  limits: LIMITS
}

/** Packs as hosts do, with some parts of their own. */
export const hostWith = (own: Partial<Host>): Layer.Layer<never> =>
  Layer.succeed(CapsuleHost, { ...parts, ...own })

/** Packs as hosts do, with limits of their own for tests. */
export const hostOf = (limits: Partial<Host["limits"]>): Layer.Layer<never> =>
  hostWith({ limits: { ...LIMITS, ...limits } })

/** Packs as hosts do. */
export const host = hostOf({})

/** The file of a capsule. */
export const fileOf = async (
  { call }: Pick<TestServer, "call">,
  body: object,
  as: Caller = "reader"
): Promise<Uint8Array> => {
  const answer = await call("POST /capsules/{org}", { body, as })
  assert.strictEqual(answer.status, 200, JSON.stringify(answer.body).slice(0, 500))
  assert.instanceOf(answer.body, Uint8Array)
  return answer.body
}

/** What a capsule that is not refused proves. */
export const reportOf = async (file: Uint8Array, trust?: CapsuleTrust): Promise<CapsuleReport> =>
  Either.getOrThrowWith(await verify(file, trust), (refusal) => new Error(refusal))

/** The lines of a capsule, and everything else that its verification evaluates. */
export const heldBy = async (file: Uint8Array) => {
  const { contents, manifest } = Either.getOrThrow(await CapsuleMembers.open(file, { inflate }))
  const expected = Option.getOrThrow(
    CapsuleMembers.readJson(Capsule.Expected, contents.get(Capsule.MEMBERS.expected))
  )
  const text = new TextDecoder().decode(contents.get(Capsule.MEMBERS.entries))
  const lines = text
    .split("\n")
    .slice(0, -1)
    .map((line) => Option.getOrThrow(CapsuleEntry.parse(line)))
  /** What other lines, and other answers, would prove. */
  const evaluate = (
    changed: ReadonlyArray<CapsuleEntry.CapsuleEntry>,
    answers: Capsule.Expected = expected
  ) =>
    CapsuleVerification.evaluate({
      manifest,
      expected: answers,
      documents: undefined,
      entries: changed.map((line) => Option.getOrThrow(CapsuleEntry.open(line)))
    })
  return { lines, expected, evaluate }
}
