/** Stored versions of policies by id and number, parsed. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import * as PolicyDocument from "./PolicyDocument.js"
import * as PolicyEvaluation from "./PolicyEvaluation.js"
import type { PolicyStore } from "./PolicyStore.js"

/** The id and the number of a version. */
export interface VersionId {
  readonly id: string
  readonly version: number
}

/** Finds a version that was read; undefined for an unknown one. */
export type VersionOf = (key: VersionId) => PolicyEvaluation.PolicyVersion | undefined

const keyOf = ({ id, version }: VersionId): string => `${id} ${version}`

/** Reads versions. Version 0 is the implied policy, and unknown versions are left out. */
export const read = (
  store: Pick<PolicyStore["Type"], "listVersions">,
  org: OrgId,
  keys: ReadonlyArray<VersionId & { readonly name: string }>
): Effect.Effect<VersionOf, StoreError> =>
  Effect.gen(function* () {
    const stored = keys.filter(({ version }) => version > 0)
    const found = stored.length === 0 ? [] : yield* store.listVersions(org, { keys: stored })
    const named = new Map(keys.map((key) => [keyOf(key), key.name]))
    const known = new Map<string, PolicyEvaluation.PolicyVersion>(
      found.map(({ policy_id: id, policy_yaml, version }) => [
        keyOf({ id, version }),
        {
          id,
          name: named.get(keyOf({ id, version })) ?? "",
          version,
          document: Either.merge(PolicyDocument.parse(policy_yaml))
        }
      ])
    )
    return (key) =>
      key.version === 0 ? PolicyEvaluation.REQUIRE_PROVENANCE : known.get(keyOf(key))
  })
