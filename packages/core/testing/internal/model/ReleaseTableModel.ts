/** The slow model of the evidence of releases: cells are looked up one by one, in tables that are written out. */
import type { TrailAttestation } from "@attestry/core/RowFacts"

/** What a template expects of a trail and of its artifact, by name; every type is `generic`. */
export interface ModelTemplate {
  readonly trail: ReadonlyArray<string>
  readonly artifact: ReadonlyArray<string>
}

/** The state of each expected attestation, by its key. */
export type ModelCells = { readonly [key: string]: string }

/** The latest attestation of a name at a level decides; an override that passes says so. */
export const cellsOf = (
  template: ModelTemplate,
  attestations: ReadonlyArray<TrailAttestation>
): ModelCells => {
  const cells: Record<string, string> = {}
  for (const level of ["trail", "artifact"] as const)
    for (const name of template[level]) {
      const own = attestations.filter(
        (each) => each.name === name && (each.fingerprint === null) === (level === "trail")
      )
      const latest = own.at(-1)
      cells[`${level}:${name}:generic`] =
        latest === undefined
          ? "missing"
          : !latest.isCompliant
            ? "failed"
            : latest.isOverride
              ? "overridden"
              : "met"
    }
  return cells
}

/** How often a state is among the cells of a key. */
export const countOf = (releases: ReadonlyArray<ModelCells>, key: string, state: string): number =>
  releases.filter((cells) => cells[key] === state).length

/** How many releases have cells, and only those that are neither failed nor missing. */
export const completeOf = (releases: ReadonlyArray<ModelCells>): number =>
  releases.filter((cells) => {
    const states = Object.values(cells)
    return states.length > 0 && !states.includes("failed") && !states.includes("missing")
  }).length
