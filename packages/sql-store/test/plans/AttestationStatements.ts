/** The statements about attestations and provenance whose cost is bounded. */

import { ArtifactStore } from "@attestry/core/ArtifactStore"
import { AttestationStore } from "@attestry/core/AttestationStore"
import * as Identifier from "@attestry/core/Identifier"
import { ProvenanceStore } from "@attestry/core/ProvenanceStore"
import { TrailStore } from "@attestry/core/TrailStore"
import { Effect } from "effect"
import { fingerprint, page, type Statements, trail } from "./Statement.js"
import * as World from "./World.js"

/** Reads about as much from a large org as from a small one. */
export const FLAT: Statements = {
  "what flows know about few fingerprints": ({ org }) =>
    Effect.flatMap(ProvenanceStore, (store) =>
      store.records(org.id, [fingerprint(3), fingerprint(4)], [fingerprint(3)])
    ),
  "attestations of few trails": (world) =>
    Effect.flatMap(ProvenanceStore, (store) =>
      store.attestations(world.org.id, [trail(world, 3), trail(world, 4)], {
        withFacts: true,
        withPurls: false
      })
    ),
  "names of flows": ({ org, flow }) =>
    Effect.flatMap(ProvenanceStore, (store) => store.flowNames(org.id, [flow.id])),
  "what a trail has": (world) =>
    Effect.gen(function* () {
      yield* (yield* ArtifactStore).listFacts(world.org.id, trail(world, 7))
      yield* (yield* AttestationStore).listFacts(world.org.id, trail(world, 7))
      yield* (yield* TrailStore).findEvaluation(world.org.id, trail(world, 7))
    }),
  "attestations of an org": ({ org }) =>
    Effect.flatMap(AttestationStore, (store) => store.list(org.id, {}, page)),
  "attestations after a place": ({ org, size }) =>
    Effect.flatMap(AttestationStore, (store) =>
      store.listAfter(org.id, {}, { after: size, limit: page.perPage })
    ),
  "attestations of commits": ({ org }) =>
    Effect.flatMap(AttestationStore, (store) =>
      store.list(
        org.id,
        { commits: [7, 8].map((index) => Identifier.CommitSha.make(World.commitOf(index))) },
        page
      )
    ),
  "attestations of a flow": ({ org, flow }) =>
    Effect.flatMap(AttestationStore, (store) => store.list(org.id, { flows: [flow.id] }, page)),
  "attestations of a trail": (world) =>
    Effect.flatMap(AttestationStore, (store) =>
      store.list(world.org.id, { trail: trail(world, 7) }, page)
    ),
  "attestations of trails of a name": ({ org }) =>
    Effect.flatMap(AttestationStore, (store) => store.list(org.id, { trailName: "run-7" }, page))
}

/** Reads at most in proportion to the rows that it answers or goes through. */
export const LINEAR: Statements = {
  "what flows know about many fingerprints": ({ org, size }) => {
    const all = Array.from({ length: size }, (_, index) => fingerprint(index + 1))
    return Effect.flatMap(ProvenanceStore, (store) => store.records(org.id, all, all))
  },
  "names of attestations": ({ org }) =>
    Effect.flatMap(AttestationStore, (store) => store.listNames(org.id, 10_001)),
  "attestations of many trails": (world) =>
    Effect.flatMap(ProvenanceStore, (store) =>
      store.attestations(
        world.org.id,
        Array.from({ length: world.size }, (_, index) => trail(world, index + 1)),
        { withFacts: false, withPurls: false }
      )
    )
}
