/** Serves SCIM 2.0. SPEC §4.26 */
import { ScimGroupApi, ScimMetaApi, type ScimParams, ScimUserApi } from "@attestry/api/ScimApi"
import * as ScimFilter from "@attestry/core/ScimFilter"
import { type ScimGroup, ScimGroups } from "@attestry/core/ScimGroups"
import { type Fields, type Read, refuse } from "@attestry/core/ScimJson"
import type { ScimUser } from "@attestry/core/ScimUser"
import { ScimUsers } from "@attestry/core/ScimUsers"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Reply } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"
import * as ScimAnswer from "./ScimAnswer.js"
import * as ScimDocuments from "./ScimDocuments.js"
import { withRefusals } from "./ScimReplies.js"

/** The most resources of a list. */
export const COUNT_MAX = 200

const COUNT_DEFAULT = 100

type Params = typeof ScimParams.Type

const integer = (text: string | undefined, name: string, otherwise: number): Read<number> => {
  if (text === undefined || text === "") return Either.right(otherwise)
  return /^[+-]?\d{1,9}$/.test(text)
    ? Either.right(Number(text))
    : refuse("invalidValue", `\`${name}\` must be a whole number`)
}

/** The slice and the filter of a list; numbers out of their bounds count as the nearest one. */
const listOf = (params: Params, known: ReadonlySet<ScimFilter.FilterAttribute>) =>
  Either.gen(function* () {
    const startIndex = Math.max(1, yield* integer(params.startIndex, "startIndex", 1))
    const count = yield* integer(params.count, "count", COUNT_DEFAULT)
    const text = params.filter?.trim() ?? ""
    const filter: ScimFilter.ScimFilter = text === "" ? [] : yield* ScimFilter.parse(text, known)
    const slice = { offset: startIndex - 1, limit: Math.min(COUNT_MAX, Math.max(0, count)) }
    return { filter, slice, startIndex } as const
  })

const reply =
  (status: number) =>
  (resource: Fields): Reply<string> => ({
    status,
    value: JSON.stringify(resource),
    ...(status === 201 ? { headers: locationOf(resource) } : {})
  })

const locationOf = ({ meta }: Fields): { readonly [name: string]: string } => {
  const location =
    typeof meta === "object" && meta !== null && "location" in meta ? String(meta.location) : ""
  return { location }
}

const NOTHING: Reply<string> = { status: 204, value: "" }

/** Serves the users of an org. */
export const ScimUserHandlers = group(
  ScimUserApi,
  Effect.gen(function* () {
    const users = yield* ScimUsers
    const base = yield* PublicUrl
    const resourceOf = (org: string) => (user: ScimUser) =>
      ScimAnswer.userOf(user, ScimAnswer.addressOf(base, org))
    return {
      list: ({ path: { org }, urlParams }) =>
        Effect.gen(function* () {
          const { filter, slice, startIndex } = yield* listOf(urlParams, ScimFilter.OF_USERS)
          const { items, total } = yield* users.list(org, filter, slice)
          const shown = items.map((user) => ScimAnswer.shown(resourceOf(org)(user), urlParams))
          return { status: 200, value: ScimAnswer.listText(shown, { startIndex, total }) }
        }).pipe(withRefusals, toWire),
      create: ({ path: { org }, payload }) =>
        users
          .create(org, payload)
          .pipe(Effect.map(resourceOf(org)), Effect.map(reply(201)), withRefusals, toWire),
      get: ({ path, urlParams }) =>
        users.get(path).pipe(
          Effect.map(resourceOf(path.org)),
          Effect.map((resource) => reply(200)(ScimAnswer.shown(resource, urlParams))),
          withRefusals,
          toWire
        ),
      replace: ({ path, payload }) =>
        users
          .replace(path, payload)
          .pipe(Effect.map(resourceOf(path.org)), Effect.map(reply(200)), withRefusals, toWire),
      patch: ({ path, payload }) =>
        users
          .patch(path, payload)
          .pipe(Effect.map(resourceOf(path.org)), Effect.map(reply(200)), withRefusals, toWire),
      delete: ({ path }) => users.remove(path).pipe(Effect.as(NOTHING), withRefusals, toWire)
    }
  })
)

/** Serves the groups of an org. */
export const ScimGroupHandlers = group(
  ScimGroupApi,
  Effect.gen(function* () {
    const groups = yield* ScimGroups
    const base = yield* PublicUrl
    const resourceOf = (org: string) => (found: ScimGroup) =>
      ScimAnswer.groupOf(found, ScimAnswer.addressOf(base, org))
    return {
      list: ({ path: { org }, urlParams }) =>
        Effect.gen(function* () {
          const { filter, slice, startIndex } = yield* listOf(urlParams, ScimFilter.OF_GROUPS)
          const withMembers = ScimAnswer.isShown("members", urlParams)
          const { items, total } = yield* groups.list(org, { filter, withMembers }, slice)
          const shown = items.map((found) => ScimAnswer.shown(resourceOf(org)(found), urlParams))
          return { status: 200, value: ScimAnswer.listText(shown, { startIndex, total }) }
        }).pipe(withRefusals, toWire),
      create: ({ path: { org }, payload }) =>
        groups
          .create(org, payload)
          .pipe(Effect.map(resourceOf(org)), Effect.map(reply(201)), withRefusals, toWire),
      get: ({ path, urlParams }) =>
        groups.get(path, { withMembers: ScimAnswer.isShown("members", urlParams) }).pipe(
          Effect.map(resourceOf(path.org)),
          Effect.map((resource) => reply(200)(ScimAnswer.shown(resource, urlParams))),
          withRefusals,
          toWire
        ),
      replace: ({ path, payload }) =>
        groups
          .replace(path, payload)
          .pipe(Effect.map(resourceOf(path.org)), Effect.map(reply(200)), withRefusals, toWire),
      patch: ({ path, payload }) =>
        groups.patch(path, payload).pipe(Effect.as(NOTHING), withRefusals, toWire),
      delete: ({ path }) => groups.remove(path).pipe(Effect.as(NOTHING), withRefusals, toWire)
    }
  })
)

/** Serves what this service provider offers. */
export const ScimMetaHandlers = group(
  ScimMetaApi,
  Effect.map(PublicUrl, (base) => {
    const documents = (org: string) => ScimDocuments.make(ScimAnswer.addressOf(base, org))
    const listed = (resources: ReadonlyArray<Fields>): Reply<string> => ({
      status: 200,
      value: ScimAnswer.listText(resources, { startIndex: 1, total: resources.length })
    })
    return {
      config: ({ path }) => Effect.succeed(reply(200)(documents(path.org).config)),
      resourceTypes: ({ path }) => Effect.succeed(listed(documents(path.org).resourceTypes)),
      schemas: ({ path }) => Effect.succeed(listed(documents(path.org).schemas))
    }
  })
)
