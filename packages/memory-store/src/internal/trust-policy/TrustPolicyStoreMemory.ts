/** `TrustPolicyStore` in memory. A transaction is the only writer, so nothing needs a lock. */
import type { OrgId } from "@attestry/core/Identifier"
import { TrustPolicyStore } from "@attestry/core/TrustPolicyStore"
import type { TrustPolicyVersion } from "@attestry/core/TrustPolicyVersion"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"

const versions = table<TrustPolicyVersion>("trust_policy_version")

/** `TrustPolicyStore` in memory. */
export const layer: Layer.Layer<TrustPolicyStore, never, MemoryState> = Layer.effect(
  TrustPolicyStore,
  Effect.gen(function* () {
    const rows = yield* MemoryRows.make(versions)

    const list = (org: OrgId) =>
      Effect.map(rows.values, (all) =>
        all
          .filter(({ org_id }) => org_id === org)
          .sort((left, right) => right.version - left.version)
      )

    return TrustPolicyStore.of({
      append: (version) => rows.insert(key(version.org_id, version.version), version),
      findLatest: (org) => Effect.map(list(org), (all) => Option.fromNullable(all[0])),
      find: (org, version) => rows.find(key(org, version)),
      list
    })
  })
)
