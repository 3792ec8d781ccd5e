/**
 * The reader of evidence files, with the trust roots of the release and those of the configured folder.
 *
 * A trust root is a file `<name>.json` or `<name>.jsonl`, and trust policies use its name; one of the folder takes the
 * place of one of the release. Files with other endings are passed over. The folder is read once, at the start.
 */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { TrustedKeyCheck } from "@attestry/core/TrustedKeyCheck"
import * as TrustRootNames from "@attestry/core/TrustRootNames"
import * as BundledTrustRoots from "@attestry/evidence-intake/BundledTrustRoots"
import * as EvidenceReaderWorker from "@attestry/evidence-intake/EvidenceReaderWorker"
import * as TrustRoot from "@attestry/evidence-intake/TrustRoot"
import * as VerificationKey from "@attestry/evidence-intake/VerificationKey"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { ServerConfig } from "../ServerConfig.js"

/** The most files of trust roots. */
export const ROOTS_MAX = 32

/** The folder of trust roots, or a file of it, cannot be used. */
export class TrustRootsFailed extends Schema.TaggedError<TrustRootsFailed>()("TrustRootsFailed", {
  problem: Schema.String
}) {
  override get message(): string {
    return `ATTESTRY_TRUST_ROOTS_DIR: ${this.problem}`
  }
}

/** Hidden files are none. */
const FILE = /^(?<name>[^.].*)\.jsonl?$/

const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") ? String(cause.code) : String(cause)

const reading = <A>(path: string, read: () => Promise<A>) =>
  Effect.tryPromise({
    try: read,
    catch: (cause) => new TrustRootsFailed({ problem: `cannot read \`${path}\`: ${codeOf(cause)}` })
  })

/** The texts of the trust roots in a folder, by name. */
export const readRoots = (
  folder: string
): Effect.Effect<ReadonlyMap<string, string>, TrustRootsFailed> =>
  Effect.gen(function* () {
    const files = (yield* reading(folder, () => readdir(folder))).sort().flatMap((file) => {
      const name = FILE.exec(file)?.groups?.name
      return name === undefined ? [] : [{ name, path: join(folder, file) }]
    })
    if (files.length > ROOTS_MAX)
      return yield* new TrustRootsFailed({
        problem: `\`${folder}\` has ${files.length} trust roots; at most ${ROOTS_MAX} are read`
      })
    const roots = new Map<string, string>()
    for (const { name, path } of files) {
      const wrong = (problem: string) =>
        new TrustRootsFailed({ problem: `\`${path}\`: ${problem}` })
      if (!TrustRootNames.isName(name)) return yield* wrong("trust policies cannot use this name")
      if (roots.has(name)) return yield* wrong(`another file has the name \`${name}\``)
      const text = yield* reading(path, () => readFile(path, "utf8"))
      yield* Either.mapLeft(TrustRoot.parse(text), ({ message }) => wrong(message))
      roots.set(name, text)
    }
    return roots
  })

const keyProblemOf = (pem: string): string | null =>
  Either.match(VerificationKey.fromPem(pem), {
    onLeft: ({ message }) => message,
    onRight: () => null
  })

/** The texts of all trust roots, by name: those of the folder take the place of those of the release. */
export const rootsOf = ({
  ATTESTRY_TRUST_ROOTS_DIR: folder
}: Pick<ServerConfig, "ATTESTRY_TRUST_ROOTS_DIR">): Effect.Effect<
  ReadonlyMap<string, string>,
  TrustRootsFailed
> =>
  Effect.gen(function* () {
    const own = folder === undefined ? [] : yield* readRoots(folder)
    const roots = new Map([...BundledTrustRoots.texts(), ...own])
    return new Map([...roots].sort(([left], [right]) => (left < right ? -1 : 1)))
  })

/** Reads and verifies evidence files in threads, and checks the trust material that policies name. */
export const layer = (config: ServerConfig): Layer.Layer<never, TrustRootsFailed> =>
  Layer.unwrapEffect(
    Effect.map(rootsOf(config), (roots) =>
      Layer.mergeAll(
        EvidenceReaderWorker.layer(roots, {
          threads: config.ATTESTRY_EVIDENCE_READERS,
          fileBytes: config.ATTESTRY_EVIDENCE_BYTES_MAX
        }),
        Layer.succeed(TrustRootNames.TrustRootNames, new Set(roots.keys())),
        Layer.succeed(TrustedKeyCheck, keyProblemOf)
      )
    )
  )
