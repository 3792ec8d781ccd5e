/** `ComponentStore` in memory: scans of every set and every snapshot, which is the model of the index. */
import {
  type Component,
  ComponentId,
  type StoredComponent,
  type VulnerableComponent
} from "@attestry/core/Component"
import { type ComponentQuery, ComponentStore } from "@attestry/core/ComponentStore"
import type { OrgId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { environments } from "../environment/EnvironmentRowsMemory.js"
import { exposuresOf } from "../exposure/ExposureReadsMemory.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"
import { histories } from "../snapshot/SnapshotStoreMemory.js"
import * as ComponentSets from "./ComponentSets.js"

interface Owned {
  readonly org_id: OrgId
}

const components = table<StoredComponent & Owned>("component")
const vulnerable = table<VulnerableComponent>("vulnerable_component")

const compare = (left: string | number, right: string | number): number =>
  left < right ? -1 : left > right ? 1 : 0

const byName = (left: Component, right: Component): number =>
  compare(left.name, right.name) || compare(left.type, right.type) || compare(left.purl, right.purl)

const isOf =
  (org: OrgId) =>
  ({ org_id }: Owned): boolean =>
    org_id === org

const shown = ({ id, name, purl, type, version }: StoredComponent) => ({
  id,
  purl,
  type,
  name,
  version
})

const passes = ({ purl, search }: ComponentQuery, component: Component): boolean =>
  (purl === undefined || (purl.name === component.name && purl.type === component.type)) &&
  (purl?.version == null || purl.version === component.version) &&
  (search === undefined || component.name.startsWith(search))

/** `ComponentStore` in memory. */
export const layer: Layer.Layer<ComponentStore, never, MemoryState> = Layer.effect(
  ComponentStore,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const rows = yield* MemoryRows.make(components)
    const setRows = yield* MemoryRows.make(ComponentSets.sets)
    const listings = yield* MemoryRows.make(ComponentSets.listings)
    const named = yield* MemoryRows.make(vulnerable)

    const ofOrg = (org: OrgId) => Effect.map(rows.values, (all) => all.filter(isOf(org)))

    const put = (org: OrgId, given: ReadonlyArray<Component>) =>
      state.modify(components, (all) => {
        let rows = all
        const ids = given.map((component) => {
          const at = key(org, component.purl)
          const known = HashMap.get(rows, at)
          if (Option.isSome(known)) return known.value.id
          const id = ComponentId.make(HashMap.size(rows) + 1)
          rows = HashMap.set(rows, at, { org_id: org, id, ...component })
          return id
        })
        return [ids, rows]
      })

    const contents = (org: OrgId, filter: Pick<ComponentQuery, "flows">) =>
      ComponentSets.contents(state, org, filter)

    /** What runs now, with the names of environments. */
    const running = (org: OrgId) =>
      Effect.gen(function* () {
        const snapshots = yield* state.read(histories)
        return Array.from(yield* state.read(environments))
          .filter(([, { environment }]) => environment.org_id === org)
          .flatMap(([at, { environment }]) =>
            exposuresOf(
              environment,
              Option.getOrElse(HashMap.get(snapshots, at), () => [])
            )
          )
          .filter(({ to }) => to === null)
      })

    return ComponentStore.of({
      put,
      hasSet: (org, digest) => Effect.map(setRows.find(key(org, digest)), Option.isSome),
      putSet: (org, set) =>
        Effect.asVoid(setRows.insert(key(org, set.digest), { org_id: org, ...set })),
      appendListing: (listing) => {
        const { attestation_id, fingerprint, org_id, set_digest } = listing
        return Effect.flatMap(setRows.find(key(org_id, set_digest)), (set) =>
          Option.isNone(set)
            ? Effect.void
            : listings.set(key(org_id, set_digest, fingerprint, attestation_id), listing)
        )
      },
      addVulnerable: (given) =>
        Effect.forEach(
          given,
          (each) => named.insert(key(each.org_id, each.vulnerability, each.component_id), each),
          { discard: true }
        ),
      list: (org, query, page) =>
        Effect.gen(function* () {
          const contained = yield* contents(org, query)
          const { environments: places } = query
          const exposures = (yield* running(org)).filter(
            ({ environmentId }) => places === undefined || places.includes(environmentId)
          )
          const all = new Set([...contained.values()].flatMap((ids) => [...ids]))
          const within =
            query.fingerprint === undefined ? undefined : contained.get(query.fingerprint)
          const isWithin = (id: number) =>
            (query.fingerprint === undefined || within?.has(id) === true) &&
            (query.flows === undefined || all.has(id))
          const meant = (yield* ofOrg(org))
            .filter((component) => passes(query, component) && isWithin(component.id))
            .sort(byName)
          return Page.map(Page.slice(meant, page), (component) => {
            const having = new Set(
              [...contained].flatMap(([print, ids]) => (ids.has(component.id) ? [print] : []))
            )
            const runs = exposures.filter(({ fingerprint }) => having.has(fingerprint))
            return {
              ...shown(component),
              artifacts: having.size,
              running_in: [...new Set(runs.map((each) => each.environmentName))].sort(compare)
            }
          })
        }),
      listVersions: (org, { name, type }) =>
        Effect.map(ofOrg(org), (all) =>
          all
            .filter((each) => each.name === name && each.type === type)
            .sort((left, right) => compare(left.purl, right.purl))
            .map(shown)
        ),
      listVulnerable: (org, vulnerability) =>
        Effect.map(named.values, (all) =>
          all
            .filter((each) => each.org_id === org && each.vulnerability === vulnerability)
            .sort((left, right) => left.component_id - right.component_id)
        ),
      listContained: (org, { components: asked, fingerprints, limit, ...filter }) =>
        Effect.gen(function* () {
          const contained = yield* contents(org, filter)
          const all = yield* ofOrg(org)
          const wanted = new Set<number>(asked)
          return fingerprints.flatMap((fingerprint) => {
            const ids = contained.get(fingerprint)
            const purls = all
              .filter(({ id }) => wanted.has(id) && ids?.has(id) === true)
              .map(({ purl }) => purl)
              .sort(compare)
              .slice(0, limit)
            return purls.length === 0 ? [] : [{ fingerprint, purls }]
          })
        })
    })
  })
)
