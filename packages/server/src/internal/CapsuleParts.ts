/** What this host gives to capsules: compression, the page of the site, the policy of witnesses, and trust roots. */
import { readFile } from "node:fs/promises"
import { createDeflateRaw } from "node:zlib"
import { CapsuleHost, type Host, LIMITS, type Packer } from "@attestry/core/CapsuleHost"
import * as SiteFiles from "@attestry/web/SiteFiles"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { ServerConfig } from "../ServerConfig.js"
import * as EvidenceReading from "./EvidenceReading.js"

/** Packs pieces as they come. */
const packer = Effect.sync((): Packer => {
  const deflate = createDeflateRaw()
  let packed: Array<Uint8Array> = []
  deflate.on("data", (bytes: Uint8Array) => packed.push(bytes))
  const taken = (): Uint8Array => {
    const bytes = Buffer.concat(packed)
    packed = []
    return bytes
  }
  return {
    add: (bytes) =>
      Effect.async((resume) => {
        deflate.write(bytes, () => resume(Effect.sync(taken)))
      }),
    end: Effect.async((resume) => {
      deflate.once("end", () => resume(Effect.sync(taken)))
      deflate.end()
    })
  }
})

/** The page, if the site is built and on. */
const pageOf = ({ ATTESTRY_WEB }: ServerConfig): Option.Option<Uint8Array> =>
  ATTESTRY_WEB === "off" ? Option.none() : Either.getRight(Either.try(() => SiteFiles.verifyPage()))

const witnessesOf = ({ ATTESTRY_WITNESS_POLICY_FILE: file }: ServerConfig) =>
  file === undefined
    ? Effect.succeedNone
    : Effect.option(Effect.tryPromise(() => readFile(file, "utf8")))

/** What this host gives to capsules. */
export const layer = (config: ServerConfig): Layer.Layer<never, EvidenceReading.TrustRootsFailed> =>
  Layer.effect(
    CapsuleHost,
    Effect.gen(function* () {
      const host: Host = {
        deflate: Option.some(packer),
        page: pageOf(config),
        witnesses: yield* witnessesOf(config),
        trustRoots: yield* EvidenceReading.rootsOf(config),
        limits: LIMITS
      }
      return host
    })
  )
