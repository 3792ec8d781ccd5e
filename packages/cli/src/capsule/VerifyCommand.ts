/** `attestry capsule verify FILE`: recomputes every verdict in an audit capsule. It sends no request. */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { promisify } from "node:util"
import { inflateRaw } from "node:zlib"
import { type CapsuleReport, REFUSALS, type Refusal } from "@attestry/core/CapsuleReport"
import { type CapsuleTrust, CapsuleVerifier } from "@attestry/core/CapsuleVerifier"
import * as Timestamp from "@attestry/core/Timestamp"
import * as WitnessPolicy from "@attestry/transparency-log/WitnessPolicy"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as ReceiptKeys from "../receipt/ReceiptKeys.js"
import type { Arguments } from "../shared/Arguments.js"
import { unreadable } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import type { Host } from "../shared/Host.js"
import type { Fields } from "../shared/Json.js"
import * as CapsuleText from "./CapsuleText.js"
import * as DocumentChecks from "./DocumentChecks.js"

const SCHEMA = "attestry.cli/capsule-verify/v1"

const unpack = promisify(inflateRaw)

const inflate = (packed: Uint8Array, size: number): Promise<Uint8Array | undefined> =>
  unpack(packed, { maxOutputLength: Math.max(size, 1) }).then(
    (bytes) => new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    () => undefined
  )

const read = (host: Host, file: string): Uint8Array => {
  try {
    return readFileSync(resolve(host.cwd, file))
  } catch (cause) {
    throw unreadable(`${file} cannot be read`, undefined, cause)
  }
}

const policyOf = (host: Host, args: Arguments): Pick<CapsuleTrust, "policy"> => {
  const file = args.text("witness-policy")
  if (file === undefined) return {}
  const text = new TextDecoder().decode(read(host, file))
  return {
    policy: Either.getOrThrowWith(WitnessPolicy.parse(text), (problem) =>
      unreadable(`${file} is no policy of witnesses: ${problem}`)
    )
  }
}

const verify = (
  file: Uint8Array,
  trust: CapsuleTrust
): Promise<Either.Either<CapsuleReport, Refusal>> =>
  Effect.flatMap(CapsuleVerifier, (verifier) =>
    verifier.verify(file, { inflate }, { ...trust, check: DocumentChecks.check })
  ).pipe(
    Effect.provide(Layer.provide(CapsuleVerifier.Default, SignaturesWebCrypto.layer)),
    Effect.runPromise
  )

const fieldsOf = (report: CapsuleReport): Fields => ({
  outcome: report.outcome,
  refusal: null,
  problem: null,
  org: report.org,
  origin: report.origin,
  size: report.size,
  made_at: new Date(Timestamp.toSeconds(report.madeAt) * 1_000).toISOString(),
  entries: report.entries,
  proved: report.proved,
  not_proved: report.notProved,
  wrong: report.wrong,
  withheld: report.withheld,
  keys: report.trust.keys,
  own_keys: !report.trust.isGiven,
  witnesses: report.trust.witnesses,
  quorum: report.trust.quorum
})

/** Runs `attestry capsule verify`. */
export const run: CommandModule["run"] = async ({ host }, args) => {
  const keys = ReceiptKeys.given(host, args)
  const file = read(host, args.positionals[0] ?? "")
  const verified = await verify(file, { keys, ...policyOf(host, args) })
  if (Either.isLeft(verified)) {
    const refusal = verified.left
    const problem = REFUSALS[refusal]
    return {
      exit: "no",
      value: { schema: SCHEMA, outcome: "refused", refusal, problem },
      quiet: "refused",
      lines: (style) => [style.tint("red", "refused"), style.text(problem)]
    }
  }
  const report = verified.right
  return {
    exit: report.outcome === "proved" ? "done" : "no",
    value: { schema: SCHEMA, ...fieldsOf(report) },
    quiet: report.outcome,
    lines: (style) => CapsuleText.toLines(report, style, { explain: args.has("proved") })
  }
}
