/**
 * Environments by the policies that they enforce: counted and listed as a plain model does, also in parts of an org.
 */
import { archive, type Environment } from "@attestry/core/Environment"
import type { EnvironmentQuery } from "@attestry/core/EnvironmentList"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { PolicyId, SpaceId } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import { SpaceStore } from "@attestry/core/SpaceStore"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import * as Fixture from "../Fixture.js"
import * as Model from "../internal/model/ControlModel.js"
import { type SuiteOptions, suite } from "../Suite.js"

const policy = FastCheck.constantFrom("p1", "p2", "p3", "p4").map((id) => PolicyId.make(id))
const policies = FastCheck.array(policy, { maxLength: 3 })

/** What is attached to an environment, and which of these only warn. */
const settings = FastCheck.record({ policies, warning: policies })
type Settings = {
  readonly policies: ReadonlyArray<PolicyId>
  readonly warning: ReadonlyArray<PolicyId>
}

const drawn = FastCheck.record({
  type: FastCheck.constantFrom("K8S", "server", "logical"),
  space: FastCheck.constantFrom("a", "b", undefined),
  first: settings,
  later: FastCheck.option(settings, { nil: undefined }),
  archived: FastCheck.boolean()
})
type Drawn = typeof drawn extends FastCheck.Arbitrary<infer A> ? A : never

const SPACES: ReadonlyArray<ReadonlyArray<string> | undefined> = [undefined, [], ["a"], ["a", "b"]]

const withSettings = (environment: Environment, { policies, warning }: Settings): Environment => {
  const attached = [...new Set(policies)]
  const warns = warning.filter((id) => attached.includes(id))
  const { policy_modes: _, ...others } = environment
  return {
    ...others,
    policies: attached,
    ...(warns.length === 0
      ? {}
      : { policy_modes: Object.fromEntries(warns.map((id) => [id, "warn" as const])) })
  }
}

const place = (org: Org, id: string, space: string) =>
  Effect.flatMap(SpaceStore, (store) =>
    store.beginPlaces([
      {
        org_id: org.id,
        kind: "environment",
        thing_id: id,
        space_id: SpaceId.make(space),
        from_at: Fixture.AT,
        to_at: null
      }
    ])
  )

/** Stores one environment as it was drawn, and answers what it is at the end; undefined if it is archived. */
const store = (org: Org, { archived, first, later, space, type }: Drawn, at: number) =>
  Effect.gen(function* () {
    const environments = yield* EnvironmentStore
    const made = yield* Fixture.newEnvironment(org, `env-${at % 2 === 0 ? "A" : "b"}${at}`)
    const included = type === "logical" ? [] : null
    const environment = withSettings(
      { ...made, type: type as Environment["type"], included },
      first
    )
    yield* environments.insert(environment)
    if (space !== undefined) yield* place(org, environment.id, space)
    const last = later === undefined ? environment : withSettings(environment, later)
    if (later !== undefined) yield* environments.update(last)
    if (archived) yield* environments.rename(archive(last, Fixture.LATER), last.name)
    return archived ? [] : [{ environment: last, space }]
  })

const PAGES = [
  { page: 1, perPage: 2 },
  { page: 2, perPage: 2 },
  { page: 1, perPage: 100 }
]

/** States what lists and numbers of environments by their policies are. */
export const enforcingSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`environments by enforced policies (${name})`, ports, options, (it) => {
    it.effect.prop(
      "are counted and listed as the model does",
      {
        drawn: FastCheck.array(drawn, { maxLength: 9 }),
        asked: FastCheck.array(policies, { maxLength: 3 })
      },
      ({ asked, drawn: all }) =>
        Effect.gen(function* () {
          const environments = yield* EnvironmentStore
          const org = yield* Fixture.org
          const stored = (yield* Effect.forEach(all, (each, at) => store(org, each, at))).flat()
          yield* Effect.flatMap(Fixture.org, (other) => Fixture.environment(other))
          for (const spaces of SPACES) {
            const within = spaces?.map((id) => SpaceId.make(id))
            const seen = stored
              .filter(({ space }) => spaces === undefined || spaces.some((id) => id === space))
              .map(({ environment }) => environment)
            deepStrictEqual(
              yield* environments.countEnforcing(org.id, asked, within),
              Model.countEnforcing(seen, asked)
            )
            for (const is of [undefined, true, false])
              for (const search of [undefined, "NV-a"])
                for (const page of PAGES) {
                  const query: EnvironmentQuery = {
                    physical: true,
                    ...(within === undefined ? {} : { within }),
                    ...(search === undefined ? {} : { name: search }),
                    ...(is === undefined ? {} : { enforcing: { policies: asked[0] ?? [], is } })
                  }
                  const found = yield* environments.page(org.id, query, page)
                  deepStrictEqual(
                    { total: found.total, names: found.items.map((each) => each.name) },
                    Model.listEnforcing(seen, { policies: asked[0] ?? [], is, search }, page)
                  )
                }
          }
        }),
      { fastCheck: { numRuns: 15 } }
    )
  })
