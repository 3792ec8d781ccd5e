/** The artifacts with flips of a backtest, each once; those before a cursor have only short names. */
import * as BacktestCursor from "./BacktestCursor.js"

/** Artifacts with flips. The set is mutable, because a backtest may have very many. */
export interface FlippedArtifacts {
  /** The short names of those before the cursor. */
  readonly before: ReadonlySet<string>
  /** The fingerprints of the others, with their short names once computed. */
  readonly since: Map<string, string | undefined>
}

/** The artifacts that a cursor names. */
export const make = (before: ReadonlyArray<string> = []): FlippedArtifacts => ({
  before: new Set(before),
  since: new Map()
})

/** Adds artifacts. */
export const add = ({ before, since }: FlippedArtifacts, fingerprints: Iterable<string>): void => {
  for (const fingerprint of fingerprints) {
    if (since.has(fingerprint)) continue
    const isKnown = before.size > 0 && before.has(BacktestCursor.artifactOf(fingerprint))
    if (!isKnown) since.set(fingerprint, undefined)
  }
}

/** The number of artifacts. */
export const count = ({ before, since }: FlippedArtifacts): number => before.size + since.size

/** The short names of all; undefined above the limit of a cursor. */
export const print = (artifacts: FlippedArtifacts): ReadonlyArray<string> | undefined => {
  if (count(artifacts) > BacktestCursor.ARTIFACTS_MAX) return undefined
  const { before, since } = artifacts
  for (const [fingerprint, known] of since)
    if (known === undefined) since.set(fingerprint, BacktestCursor.artifactOf(fingerprint))
  return [...before, ...[...since.values()].flatMap((name) => name ?? [])]
}
