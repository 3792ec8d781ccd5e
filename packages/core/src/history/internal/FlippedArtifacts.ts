/** The artifacts with flips of a backtest, each once; of those before a cursor only short names are known. */
import * as BacktestCursor from "../BacktestCursor.js"

/** Artifacts with flips. They are added to in place: a backtest may have very many. */
export interface FlippedArtifacts {
  /** The short names of those before the cursor. */
  readonly before: ReadonlySet<string>
  /** The fingerprints of the others, with their short names once these were asked for. */
  readonly since: Map<string, string | undefined>
}

/** The artifacts that a cursor names; none at the beginning. */
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

/** The short names of all; undefined where a cursor cannot name as many. */
export const print = (artifacts: FlippedArtifacts): ReadonlyArray<string> | undefined => {
  if (count(artifacts) > BacktestCursor.ARTIFACTS_MAX) return undefined
  const { before, since } = artifacts
  for (const [fingerprint, known] of since)
    if (known === undefined) since.set(fingerprint, BacktestCursor.artifactOf(fingerprint))
  return [...before, ...[...since.values()].flatMap((name) => name ?? [])]
}
