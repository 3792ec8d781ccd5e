/**
 * What an API key leaves of its owner's access: some permissions, orgs, places and networks. Pure and total.
 *
 * A scope only takes away: a key without one has all that its owner has. It never changes, and no key makes one with
 * more than itself. A preset is kept as it was asked for and stands for its permissions whenever it is read.
 * DECISIONS.md, "Keys that narrow"
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { withInput } from "../shared/FieldErrors.js"
import { EnvironmentName, FlowName, OrgName, type SpaceId } from "../shared/Identifier.js"
import * as IpAddress from "../shared/IpAddress.js"
import { optional } from "../shared/OptionalField.js"
import { ROOT_PATH, SpacePath } from "../space/Space.js"
import { ofRole, type Permission, permissions } from "./Permission.js"
import type { BaseRole } from "./Role.js"

/** The most names of permissions in a scope. */
export const PERMISSIONS_MAX = 64
/** The most orgs of a scope. */
export const ORGS_MAX = 50
/** The most spaces, the most flows and the most environments of a scope. */
export const PLACES_MAX = 50
/** The most networks of a scope. */
export const NETWORKS_MAX = 20
/** The most characters of a network. */
export const NETWORK_LENGTH_MAX = 64

/** What each preset stands for. */
export const PRESETS = {
  pipeline: [
    "org.read",
    "flow.write",
    "trail.write",
    "artifact.write",
    "attestation.write",
    "evidence.write"
  ],
  reporter: ["org.read", "environment.put", "environment.report"],
  gate: ["org.read"],
  provision: ["scim.write"]
} as const satisfies { readonly [preset: string]: ReadonlyArray<Permission> }

/** A name that stands for some permissions. */
export type Preset = keyof typeof PRESETS

/** Every preset. */
export const presets: ReadonlyArray<Preset> = Object.keys(PRESETS).filter(
  (name): name is Preset => name in PRESETS
)

/**
 * A stored scope. Its names are texts: a permission that a later version does not know gives nothing, and the key goes
 * on.
 */
export const KeyScope = Schema.Struct({
  /** Permissions and presets; absent leaves all. */
  permissions: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /** Orgs in which a key of a person counts; absent leaves all. */
  orgs: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /** Blocks of addresses of clients; absent leaves all. */
  networks: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /** Spaces with all below them, by id; without any of the three, all places are left. */
  spaces: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /** Flows by id, wherever they are. */
  flows: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /** Environments by id, wherever they are. */
  environments: Schema.optionalWith(Schema.Array(Schema.String), { exact: true })
}).annotations({ identifier: "KeyScope" })
/** A stored scope. */
export type KeyScope = typeof KeyScope.Type

/** A permission or a preset. */
export const ScopeName = Schema.Literal(...presets, ...permissions).annotations({
  identifier: "ScopeName"
})

const given = {
  permissions: optional(
    Schema.Array(ScopeName).pipe(Schema.minItems(1), Schema.maxItems(PERMISSIONS_MAX))
  ),
  networks: optional(
    Schema.Array(
      Schema.String.pipe(Schema.minLength(1), Schema.maxLength(NETWORK_LENGTH_MAX))
    ).pipe(Schema.minItems(1), Schema.maxItems(NETWORKS_MAX))
  ),
  spaces: optional(
    Schema.Array(SpacePath).pipe(Schema.minItems(1), Schema.maxItems(PLACES_MAX))
  ).annotations({ description: "Only these spaces and what is below them." }),
  flows: optional(
    Schema.Array(FlowName).pipe(Schema.minItems(1), Schema.maxItems(PLACES_MAX))
  ).annotations({ description: "Only these flows, wherever they are moved." }),
  environments: optional(
    Schema.Array(EnvironmentName).pipe(Schema.minItems(1), Schema.maxItems(PLACES_MAX))
  ).annotations({ description: "Only these environments, wherever they are moved." })
}

/** A scope as a caller asks for it. */
export const GivenScope = Schema.Struct(given).annotations({ identifier: "GivenKeyScope" })
/** A scope as a caller asks for it. */
export type GivenScope = typeof GivenScope.Type

/** The scope of a person's own key as it is asked for. */
export const GivenPersonalScope = Schema.Struct({
  ...given,
  orgs: optional(Schema.Array(OrgName).pipe(Schema.minItems(1), Schema.maxItems(ORGS_MAX)))
}).annotations({ identifier: "GivenPersonalKeyScope" })

const isName = Schema.is(ScopeName)

/** A scope that cannot be given, with a sentence for each field. */
export class InvalidKeyScope extends Schema.TaggedError<InvalidKeyScope>()("InvalidKeyScope", {
  problems: Schema.Record({ key: Schema.String, value: Schema.String })
}) {
  override get message(): string {
    return "this scope is not possible"
  }
}

const PREFIX = /^(?:0|[1-9][0-9]{0,2})$/

const printed = (range: IpAddress.Range): string =>
  `${IpAddress.print(IpAddress.firstOf(range))}/${range.bits}`

const isSame = (left: IpAddress.Address, right: IpAddress.Address): boolean =>
  left.every((byte, index) => byte === right[index])

const rangeOf = (text: string): Option.Option<IpAddress.Range> => {
  const [address = "", length = "", ...rest] = text.split("/")
  return IpAddress.parse(address).pipe(
    Option.filter((prefix) => rest.length === 0 && Number(length) <= prefix.length * 8),
    Option.filter(() => PREFIX.test(length)),
    Option.map((prefix) => IpAddress.unmappedRange({ prefix, bits: Number(length) }))
  )
}

/** What keeps a text from being a network; `null` where nothing does. */
const networkProblem = (text: string): string | null => {
  const range = rangeOf(text)
  if (Option.isNone(range)) {
    return Option.isSome(IpAddress.parse(text))
      ? `A network has a length: a single address is \`${text}/${text.includes(":") ? 128 : 32}\``
      : "A network is an address and a length, as `10.0.0.0/8` or `2001:db8::/32`"
  }
  if (range.value.bits === 0) return "A network of all addresses takes nothing away: leave it out"
  return isSame(IpAddress.firstOf(range.value), range.value.prefix)
    ? null
    : `A network begins with its first address: \`${printed(range.value)}\``
}

const isEmpty = (scope: KeyScope): boolean =>
  [
    scope.permissions,
    scope.orgs,
    scope.networks,
    scope.spaces,
    scope.flows,
    scope.environments
  ].every((part) => part === undefined)

/** Whether a scope names places, and so leaves no other. */
export const namesPlaces = (scope: KeyScope | undefined): boolean =>
  scope !== undefined &&
  [scope.spaces, scope.flows, scope.environments].some((part) => part !== undefined)

/** Whether a scope names a permission, by itself or by a preset. A key without permissions in its scope names none. */
export const isNamed = (scope: KeyScope | undefined, permission: Permission): boolean =>
  scope?.permissions !== undefined && leaves(scope, permission)

type Problem = readonly [field: string, message: string | null, input: unknown]

const spaceProblem = (path: string): string | null =>
  path === ROOT_PATH ? "The root takes nothing away: leave it out" : null

/** What keeps a scope from being given, by field; `at` is the place of the scope. */
export const problems = (given: KeyScope, at: string): { readonly [field: string]: string } => {
  const found: ReadonlyArray<Problem> = [
    [at, isEmpty(given) ? "A scope has permissions, networks, or places" : null, given],
    ...(given.permissions ?? []).map(
      (name, index): Problem => [
        `${at}.permissions[${index}]`,
        isName(name) ? null : "There is no such permission and no such preset",
        name
      ]
    ),
    ...(given.networks ?? []).map(
      (text, index): Problem => [`${at}.networks[${index}]`, networkProblem(text), text]
    ),
    ...(given.spaces ?? []).map(
      (path, index): Problem => [`${at}.spaces[${index}]`, spaceProblem(path), path]
    )
  ]
  return Object.fromEntries(
    found.flatMap(([field, message, input]) =>
      message === null ? [] : [[field, withInput(message, input)]]
    )
  )
}

/** The scope that is stored, with places as they are given. INVARIANT: the scope has no `problems`. */
const make = ({ networks, ...given }: KeyScope): KeyScope => ({
  ...given,
  ...(networks === undefined
    ? {}
    : {
        networks: networks.map((text) =>
          Option.match(rangeOf(text), { onNone: () => text, onSome: printed })
        )
      })
})

/** The scope that is stored, with its networks in one spelling; absent stays absent. */
export const read = (
  given: KeyScope | undefined,
  at = "scope"
): Either.Either<KeyScope | undefined, InvalidKeyScope> => {
  if (given === undefined) return Either.right(undefined)
  const found = problems(given, at)
  return Object.keys(found).length === 0
    ? Either.right(make(given))
    : Either.left(new InvalidKeyScope({ problems: found }))
}

/** The permissions of a preset; none of a text that names no preset. */
const presetOf = (name: string): ReadonlyArray<Permission> =>
  Object.hasOwn(PRESETS, name)
    ? presets.filter((preset) => preset === name).flatMap((preset) => PRESETS[preset])
    : []

/** Whether a scope leaves a permission. */
export const leaves = (scope: KeyScope | undefined, permission: Permission): boolean =>
  scope?.permissions === undefined ||
  scope.permissions.some((name) => name === permission || presetOf(name).includes(permission))

/** A place: the ids of a space and of all above it, and the flow or the environment that it is about, if any. */
export interface Place {
  readonly path: ReadonlyArray<SpaceId>
  readonly flow?: string | undefined
  readonly environment?: string | undefined
}

/** Whether a scope leaves a permission at a place. */
export const leavesAt = (
  scope: KeyScope | undefined,
  permission: Permission,
  { environment, flow, path }: Place
): boolean =>
  leaves(scope, permission) &&
  (scope === undefined ||
    !namesPlaces(scope) ||
    path.some((space) => scope.spaces?.includes(space)) ||
    (flow !== undefined && scope.flows?.includes(flow) === true) ||
    (environment !== undefined && scope.environments?.includes(environment) === true))

/** Whether a scope leaves a permission in the whole org. */
export const leavesWhole = (scope: KeyScope | undefined, permission: Permission): boolean =>
  leaves(scope, permission) && !namesPlaces(scope)

/** Whether a key of that scope counts in an org. */
export const countsIn = (scope: KeyScope | undefined, org: OrgName): boolean =>
  scope?.orgs?.includes(org) ?? true

/** The permissions of a role in the whole org that a scope leaves, in the order of the list. */
export const leftOf = (scope: KeyScope | undefined, role: BaseRole): ReadonlyArray<Permission> =>
  ofRole(role).filter((permission) => leavesWhole(scope, permission))

/** Whether a key of that scope may be used from an address; an unknown one is the empty text. */
export const isUsableFrom = (scope: KeyScope | undefined, address: string): boolean => {
  if (scope?.networks === undefined) return true
  const client = Option.map(IpAddress.parse(address), IpAddress.unmapped)
  return (
    Option.isSome(client) &&
    scope.networks.some((text) =>
      Option.exists(rangeOf(text), (range) => IpAddress.contains(range, client.value))
    )
  )
}

const isNetworkWithin = (text: string, outer: ReadonlyArray<string>): boolean =>
  Option.exists(rangeOf(text), (inner) =>
    outer.some((each) => Option.exists(rangeOf(each), (range) => IpAddress.covers(range, inner)))
  )

/** Whether places are among others. A place below another is not: it may be moved away. */
const arePlacesWithin = (inner: KeyScope | undefined, outer: KeyScope): boolean => {
  if (inner === undefined || !namesPlaces(inner)) return false
  const isAmong = (
    some: ReadonlyArray<string> | undefined,
    all: ReadonlyArray<string> | undefined
  ): boolean => (some ?? []).every((id) => all?.includes(id) === true)
  return (
    isAmong(inner.spaces, outer.spaces) &&
    isAmong(inner.flows, outer.flows) &&
    isAmong(inner.environments, outer.environments)
  )
}

/** Whether one scope leaves nothing that another takes away; both are as they are stored. */
export const isWithin = (inner: KeyScope | undefined, outer: KeyScope | undefined): boolean => {
  const hasPermissions =
    outer?.permissions === undefined ||
    (inner?.permissions !== undefined &&
      permissions.every((each) => !leaves(inner, each) || leaves(outer, each)))
  const orgs = outer?.orgs
  const networks = outer?.networks
  return (
    hasPermissions &&
    (outer === undefined || !namesPlaces(outer) || arePlacesWithin(inner, outer)) &&
    (orgs === undefined || (inner?.orgs?.every((org) => orgs.includes(org)) ?? false)) &&
    (networks === undefined ||
      (inner?.networks?.every((text) => isNetworkWithin(text, networks)) ?? false))
  )
}
