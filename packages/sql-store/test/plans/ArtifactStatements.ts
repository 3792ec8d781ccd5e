/** The statements about artifacts whose cost is bounded. */
import { ArtifactStore } from "@attestry/core/ArtifactStore"
import * as Fingerprint from "@attestry/core/Fingerprint"
import * as Identifier from "@attestry/core/Identifier"
import { Effect } from "effect"
import { fingerprint, page, type Statements } from "./Statement.js"
import * as World from "./World.js"

/** Reads about as much from a large org as from a small one. */
export const FLAT: Statements = {
  "artifact records by id": ({ org }) =>
    Effect.flatMap(ArtifactStore, (store) =>
      store.listByIds(
        org.id,
        [7, 8, 9].map((index) => Identifier.ArtifactId.make(`artifact-${index}`))
      )
    ),
  "artifacts of a flow": ({ org, flow }) =>
    Effect.flatMap(ArtifactStore, (store) => store.list({ org: org.id, flow: flow.id }, page)),
  "artifacts of an org": ({ org }) =>
    Effect.flatMap(ArtifactStore, (store) => store.list({ org: org.id }, page)),
  "artifacts of a content": ({ org }) =>
    Effect.flatMap(ArtifactStore, (store) =>
      store.listByContent({ org: org.id, fingerprint: fingerprint(7) })
    ),
  "artifacts of a commit": ({ org }) =>
    Effect.flatMap(ArtifactStore, (store) =>
      store.list({ org: org.id, commit: World.commitOf(7) })
    ),
  "fingerprints that begin alike": ({ org }) =>
    Effect.flatMap(ArtifactStore, (store) =>
      store.matchFingerprints({
        org: org.id,
        prefix: Fingerprint.FingerprintPrefix.make(World.fingerprintOf(7)),
        limit: 2
      })
    ),
  "the artifact before": ({ org, flow, size }) =>
    Effect.flatMap(ArtifactStore, (store) =>
      store.findPrevious({ org: org.id, flow: flow.id, fingerprint: fingerprint(size) })
    ),
  "earlier artifacts of a slot": ({ org, flow, size }) =>
    Effect.flatMap(ArtifactStore, (store) =>
      store.listEarlier({
        org: org.id,
        flow: flow.id,
        slot: Identifier.SlotName.make("backend"),
        before: size,
        limit: 50
      })
    )
}
