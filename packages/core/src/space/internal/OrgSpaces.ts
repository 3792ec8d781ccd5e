/**
 * The tree of an org's spaces for decisions, read at most once in 800 ms.
 *
 * A tree is younger than a second in every process (P-REVOKE); a change by this process acts at once.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CredentialLife } from "../../access/CredentialLife.js"
import { AccessEpoch } from "../../access/internal/AccessEpoch.js"
import * as CredentialCache from "../../access/internal/CredentialCache.js"
import type { OrgId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import { SpaceStore } from "../SpaceStore.js"
import * as SpaceTree from "../SpaceTree.js"

/** The trees of orgs. */
export class OrgSpaces extends Effect.Service<OrgSpaces>()("@attestry/core/OrgSpaces", {
  effect: Effect.gen(function* () {
    const store = yield* SpaceStore
    const epoch = yield* AccessEpoch
    const timeToLive = yield* CredentialLife

    const find = CredentialCache.make(
      (org: OrgId) =>
        Effect.suspend(() => {
          const current = epoch.current()
          return Effect.map(store.list(org), (spaces) =>
            Option.some({ tree: SpaceTree.make(org, spaces), epoch: current })
          )
        }),
      { timeToLive, isCurrent: (found) => found.epoch === epoch.current() }
    )

    /** The tree of an org. */
    const of = (org: OrgId): Effect.Effect<SpaceTree.SpaceTree, StoreError> =>
      Effect.map(
        find(org),
        Option.match({ onNone: () => SpaceTree.make(org, []), onSome: ({ tree }) => tree })
      )

    return { of } as const
  })
}) {}
