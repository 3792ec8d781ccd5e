/** Port: what is connected with what in an org. Connections derive from records, so nothing is written. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { FoundEdges, NodeDescription, NodeKey } from "./Graph.js"

/** How much is read of each node and type of edge. */
export interface Reach {
  /** At most so many edges are given, newest first. */
  readonly limit: number
  /** The newest of so many are looked at and counted. */
  readonly reach: number
}

/** Port: what is connected with what. */
export class GraphStore extends Context.Tag("@attestry/core/GraphStore")<
  GraphStore,
  {
    /**
     * The edges at these nodes, in any order, both directions, each type answered by one statement, which may answer
     * several. Of a node and a type the newest `limit`; `degrees` counts all of them, or the newest `reach`. Between
     * two nodes there is one edge of a type.
     *
     * - `recorded_in`: an artifact and a trail with a record of it, by the newest record.
     * - `of`: a trail and its flow.
     * - `builds`: a trail and a commit that its details or one of its records name.
     * - `about`: an attestation and the artifact whose fingerprint it has, else its trail.
     * - `overrides`: an override and the newest attestation before it on its trail with its name, type and target.
     * - `ran_in`: an artifact and a physical environment in which it ran, from the first start to the last end; until
     *   then it has no end while it runs.
     * - `judged_by`: an environment and a policy that is attached to it, since it is.
     * - `asks_about`: a policy and a control that a rule of its latest version is for.
     * - `decides`: a decision and the control that it is about.
     * - `replaced`: an artifact and its predecessor at one of its starts (SPEC §3.17), since the first time.
     *
     * Archived environments and controls that do not exist are in no edge.
     */
    readonly edges: (
      org: OrgId,
      level: ReadonlyArray<NodeKey>,
      reach: Reach
    ) => Effect.Effect<FoundEdges, StoreError>
    /**
     * What is shown of these nodes, in any order, by one statement; unknown ones are left out. An artifact has the name
     * and the compliance of its newest record, else the name under which it started last. Artifacts and commits are
     * never unknown. An environment that is still to be evaluated again has no verdict.
     */
    readonly describe: (
      org: OrgId,
      nodes: ReadonlyArray<NodeKey>
    ) => Effect.Effect<ReadonlyArray<NodeDescription>, StoreError>
  }
>() {}
