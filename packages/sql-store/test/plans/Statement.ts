/** What lists of statements share: the type of a statement, and how it names the things of a world. */
import * as Fingerprint from "@attestry/core/Fingerprint"
import * as Identifier from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import * as Timestamp from "@attestry/core/Timestamp"
import type { Effect } from "effect"
import * as World from "./World.js"

/** A call of the port that runs the statement. */
export type Statement = (world: World.World) => Effect.Effect<unknown, unknown, Ports>

/** Statements by what they read. */
export interface Statements {
  readonly [name: string]: Statement
}

/** The first page of a list. */
export const page = { page: 1, perPage: 20 }

/** The fingerprint of the artifact with a number. */
export const fingerprint = (index: number): Fingerprint.Fingerprint =>
  Fingerprint.Fingerprint.make(World.fingerprintOf(index))

/** The trail with a number. */
export const trail = ({ flow }: World.World, index: number): Identifier.TrailId =>
  Identifier.TrailId.make(`${flow.id}/${index}`)

/** The repository with a number. */
export const repo = ({ flow }: World.World, index: number): Identifier.RepoId =>
  Identifier.RepoId.make(`${flow.id}/${index}`)

/** Snapshots from one to another. */
export const span = (first: number, last: number) => ({ first, last })

/** The middle third of a history. */
export const middle = (size: number) => ({
  from: Timestamp.fromMicros(size / 3),
  to: Timestamp.fromMicros((2 * size) / 3)
})
