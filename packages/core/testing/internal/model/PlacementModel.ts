/**
 * Where a fingerprint runs and ran as a plain fold over every snapshot of every environment.
 *
 * A snapshot is the list of its running fingerprints; rows, flows and trails do not exist here.
 */

/** A snapshot. */
export interface ModelSnapshot {
  readonly index: number
  readonly at: number
  readonly fingerprints: ReadonlyArray<string>
}

/** An environment with all its snapshots, oldest first. */
export interface ModelEnvironment {
  readonly name: string
  readonly isArchived: boolean
  readonly snapshots: ReadonlyArray<ModelSnapshot>
}

/** A start or an exit. */
export interface ModelTurn {
  readonly environment: string
  readonly kind: "started" | "exited"
  readonly index: number
  readonly at: number
}

const runsIn = (snapshot: ModelSnapshot | undefined, fingerprint: string): boolean =>
  (snapshot?.fingerprints ?? []).includes(fingerprint)

/** Every start and exit of a fingerprint in an environment, oldest first. */
export const turns = (
  { name, snapshots }: ModelEnvironment,
  fingerprint: string
): ReadonlyArray<ModelTurn> =>
  snapshots.flatMap((snapshot, at): ReadonlyArray<ModelTurn> => {
    const [before, now] = [snapshots[at - 1], snapshot].map((one) => runsIn(one, fingerprint))
    if (before === now) return []
    const kind = now === true ? ("started" as const) : ("exited" as const)
    return [{ environment: name, kind, index: snapshot.index, at: snapshot.at }]
  })

const byName = (left: ModelEnvironment, right: ModelEnvironment): number =>
  left.name < right.name ? -1 : 1

/**
 * The expected result: `name#index` of the environments that run a fingerprint now, and of those that ran it.
 */
export const sightings = (environments: ReadonlyArray<ModelEnvironment>, fingerprint: string) => {
  const present = environments.filter(({ isArchived }) => !isArchived).sort(byName)
  const shown = (of: ReadonlyArray<ModelEnvironment>) =>
    of.map(({ name, snapshots }) => `${name}#${snapshots.at(-1)?.index}`)
  const ever = present.filter(({ snapshots }) => snapshots.some((one) => runsIn(one, fingerprint)))
  return {
    running: shown(ever.filter(({ snapshots }) => runsIn(snapshots.at(-1), fingerprint))),
    exited: shown(ever.filter(({ snapshots }) => !runsIn(snapshots.at(-1), fingerprint)))
  }
}
