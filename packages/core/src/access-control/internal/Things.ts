/** Finds things that have a place, by name, or by a pattern of names and tags. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { ControlStore } from "../../control/ControlStore.js"
import { EnvironmentStore } from "../../environment/EnvironmentStore.js"
import { FlowStore } from "../../flow/FlowStore.js"
import { PolicyStore } from "../../policy/PolicyStore.js"
import { ServiceAccountStore } from "../../service-account/ServiceAccountStore.js"
import {
  ControlIdentifier,
  EnvironmentName,
  FlowName,
  type OrgId,
  PolicyName,
  ServiceAccountName
} from "../../shared/Identifier.js"
import * as WildcardPattern from "../../shared/internal/WildcardPattern.js"
import type { StoreError } from "../../shared/StoreError.js"
import * as Tags from "../../shared/Tags.js"
import type { NamedThing } from "../../space/internal/PlaceRecords.js"
import type { ThingKind } from "../../space/ThingPlace.js"

/** Which things of a kind are meant; all conditions must hold. */
export interface ThingMatch {
  readonly kind: ThingKind
  /** A pattern of names: `*` is any run of characters. */
  readonly name?: string | undefined
  /** `key` or `key:value`, each of which the thing must have; accounts and policies have none. */
  readonly tags?: ReadonlyArray<string> | undefined
}

const EVERY_PAGE = { page: 1, perPage: Number.MAX_SAFE_INTEGER }
const BY_NAME = { sort: "name", direction: "asc" } as const

interface TaggedThing extends NamedThing {
  readonly tags: Tags.Tags
}

const isFlow = Schema.is(FlowName)
const isEnvironment = Schema.is(EnvironmentName)
const isPolicy = Schema.is(PolicyName)
const isControl = Schema.is(ControlIdentifier)
const isAccount = Schema.is(ServiceAccountName)

const isMeant =
  ({ name, tags = [] }: ThingMatch) =>
  (thing: TaggedThing): boolean =>
    (name === undefined || WildcardPattern.matches(name, thing.name, "/")) &&
    tags.every((filter) => Tags.matches(thing.tags, filter))

/** Finds things that have a place. */
export class Things extends Effect.Service<Things>()("@attestry/core/Things", {
  effect: Effect.gen(function* () {
    const flows = yield* FlowStore
    const environments = yield* EnvironmentStore
    const policies = yield* PolicyStore
    const controls = yield* ControlStore
    const accounts = yield* ServiceAccountStore

    type Found = Effect.Effect<Option.Option<{ id: string; name: string }>, StoreError>
    const nothing: Found = Effect.succeedNone

    const findNames: {
      readonly [kind in ThingKind]: (org: OrgId, name: string) => Found
    } = {
      flow: (org, name) => (isFlow(name) ? flows.findByName({ org, name }) : nothing),
      environment: (org, name) =>
        isEnvironment(name)
          ? Effect.map(
              environments.findByName({ org, name }),
              Option.map(({ environment }) => environment)
            )
          : nothing,
      policy: (org, name) => (isPolicy(name) ? policies.findByName({ org, name }) : nothing),
      control: (org, name) =>
        isControl(name)
          ? Effect.map(
              controls.find({ org, identifier: name }),
              Option.map(({ identifier }) => ({ id: identifier, name: identifier }))
            )
          : nothing,
      "service-account": (org, name) =>
        isAccount(name) ? accounts.findByName({ org, name }) : nothing
    }

    /** The thing of a name; none when there is none. */
    const find = (
      org: OrgId,
      kind: ThingKind,
      name: string
    ): Effect.Effect<Option.Option<NamedThing>, StoreError> =>
      Effect.map(
        findNames[kind](org, name),
        Option.map(({ id, name: current }) => ({ kind, id, name: current }))
      )

    const withoutTags = ({ id, name }: { readonly id: string; readonly name: string }) => ({
      id,
      name,
      tags: {}
    })

    const listAll: {
      readonly [kind in ThingKind]: (
        org: OrgId
      ) => Effect.Effect<ReadonlyArray<Omit<TaggedThing, "kind">>, StoreError>
    } = {
      flow: (org) =>
        Effect.map(flows.list(org, BY_NAME, Option.none()), ({ items }) =>
          items.map(({ flow }) => flow)
        ),
      environment: (org) => environments.list(org),
      policy: (org) => Effect.map(policies.list(org), (all) => all.map(withoutTags)),
      control: (org) =>
        Effect.map(
          controls.list(org, { archived: false, tags: [], direction: "asc" }, EVERY_PAGE),
          ({ items }) =>
            items.map(({ identifier, tags }) => ({ id: identifier, name: identifier, tags }))
        ),
      "service-account": (org) => Effect.map(accounts.list(org), (all) => all.map(withoutTags))
    }

    /** The things of a kind that are meant, by name; archived ones are not. */
    const list = (
      org: OrgId,
      match: ThingMatch
    ): Effect.Effect<ReadonlyArray<NamedThing>, StoreError> =>
      Effect.map(listAll[match.kind](org), (all) =>
        all
          .map(({ id, name, tags }) => ({ kind: match.kind, id, name, tags }))
          .filter(isMeant(match))
          .map(({ id, kind, name }): NamedThing => ({ kind, id, name }))
          .sort((left, right) => (left.name < right.name ? -1 : 1))
      )

    return { find, list } as const
  })
}) {}
