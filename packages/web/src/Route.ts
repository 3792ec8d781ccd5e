/**
 * Every URL of the web application as data: for links, for the address bar, and for the paths that the server answers
 * with the application. Links in mails must stay valid for years.
 *
 * A route has the parameters of its path and the pairs of its query. Unknown pairs are kept, so that a link
 * reproduces the page. This module does not choose the page of a route.
 */

const TEMPLATES = {
  Home: "/",
  SignIn: "/_/sign-in",
  SignedIn: "/_/signed-in",
  Invitation: "/_/invitation",
  Preferences: "/_/preferences",
  CommandLine: "/_/command-line",
  Overview: "/{org}",
  Decaying: "/{org}/decaying",
  Start: "/{org}/start",
  Environment: "/{org}/environments/{environment}",
  Snapshot: "/{org}/environments/{environment}/snapshots/{expression}",
  Events: "/{org}/environments/{environment}/events",
  EnvironmentSettings: "/{org}/environments/{environment}/settings",
  Diff: "/{org}/diff",
  Flows: "/{org}/flows",
  Flow: "/{org}/flows/{flow}",
  FlowArtifacts: "/{org}/flows/{flow}/artifacts",
  FlowDeployments: "/{org}/flows/{flow}/deployments",
  FlowSettings: "/{org}/flows/{flow}/settings",
  Trail: "/{org}/flows/{flow}/trails/{trail}",
  FlowArtifact: "/{org}/flows/{flow}/artifacts/{fingerprint}",
  Artifacts: "/{org}/artifacts",
  Artifact: "/{org}/artifacts/{fingerprint}",
  Attestations: "/{org}/attestations",
  Evidence: "/{org}/evidence",
  EvidenceDocument: "/{org}/evidence/{digest}",
  AttestationTypes: "/{org}/attestation-types",
  AttestationType: "/{org}/attestation-types/{type}",
  Components: "/{org}/components",
  Component: "/{org}/components/{purl...}",
  Policies: "/{org}/policies",
  NewPolicy: "/{org}/policies/_new",
  NewPolicyBacktest: "/{org}/policies/_new/backtest",
  Policy: "/{org}/policies/{policy}",
  PolicyVersion: "/{org}/policies/{policy}/versions/{version}",
  PolicyEditor: "/{org}/policies/{policy}/edit",
  PolicyBacktest: "/{org}/policies/{policy}/backtest",
  AllowLists: "/{org}/allow-lists",
  TrustPolicy: "/{org}/trust-policy",
  Waivers: "/{org}/waivers",
  NewWaiver: "/{org}/waivers/_new",
  WaiverInbox: "/{org}/waivers/inbox",
  WaiverDebt: "/{org}/waivers/debt",
  WaiverSettings: "/{org}/waivers/settings",
  Waiver: "/{org}/waivers/{number}",
  Proposals: "/{org}/proposals",
  Proposal: "/{org}/proposals/{number}",
  Protections: "/{org}/protections",
  BreakGlass: "/{org}/break-glass",
  Controls: "/{org}/controls",
  Control: "/{org}/controls/{identifier}",
  ControlDecisions: "/{org}/controls/{identifier}/decisions",
  ControlCoverage: "/{org}/controls/{identifier}/coverage",
  ControlVersions: "/{org}/controls/{identifier}/versions",
  Notifications: "/{org}/notifications",
  FailedDeliveries: "/{org}/notifications/failed",
  KeyExpiry: "/{org}/notifications/key-expiry",
  SigningSecret: "/{org}/notifications/signing-secret",
  WaiverExpiry: "/{org}/notifications/waiver-expiry",
  Notification: "/{org}/notifications/{number}",
  Members: "/{org}/members",
  Teams: "/{org}/teams",
  Team: "/{org}/teams/{team}",
  Spaces: "/{org}/spaces",
  MoveThings: "/{org}/spaces/move",
  PlacementRules: "/{org}/spaces/placement",
  AccessWho: "/{org}/access/who",
  SignInSettings: "/{org}/sign-in",
  ServiceAccounts: "/{org}/service-accounts",
  ServiceAccount: "/{org}/service-accounts/{account}",
  ApiKeys: "/{org}/api-keys",
  AuditLog: "/{org}/audit-log",
  MembershipHistory: "/{org}/audit-log/memberships",
  Erasures: "/{org}/audit-log/erasures",
  Log: "/{org}/log",
  Builds: "/{org}/builds",
  Deployments: "/{org}/deployments",
  ReleaseEvidence: "/{org}/release-evidence",
  Repos: "/{org}/repos",
  Repo: "/{org}/repos/{repo...}",
  Search: "/{org}/search",
  WhereItRan: "/{org}/where-it-ran",
  Graph: "/{org}/graph"
} as const

/** The name of a route. */
export type Tag = keyof typeof TEMPLATES

// WHY: `TEMPLATES` has exactly these keys.
const tags = Object.keys(TEMPLATES) as ReadonlyArray<Tag>

/** Every route name except `NotFound`. */
export const TAGS: ReadonlyArray<Tag> = tags

type NameOf<Text extends string> = Text extends `${infer Name}...` ? Name : Text
type NamesOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? NameOf<Name> | NamesOf<Rest>
  : never

/** The parameters in the path of a route. */
export type ParamsOf<T extends Tag> = { readonly [Name in NamesOf<(typeof TEMPLATES)[T]>]: string }

/** The pairs of a query, in their order. */
export type Query = ReadonlyArray<readonly [name: string, value: string]>

/** A path without a page. */
export interface NotFound {
  readonly _tag: "NotFound"
  readonly params: { readonly path: string }
  readonly query: Query
}

/** A route of one name. */
export interface RouteOf<T extends Tag> {
  readonly _tag: T
  readonly params: ParamsOf<T>
  readonly query: Query
}

/** A page with the parameters of its address. */
export type Route = { readonly [T in Tag]: RouteOf<T> }[Tag] | NotFound

/** New values of query parameters; undefined removes one. */
export interface QueryChange {
  readonly [name: string]: string | undefined
}

const ORG = /^[a-zA-Z0-9][a-zA-Z0-9-]{0,63}$/
const RESERVED: ReadonlySet<string> = new Set([
  "api",
  "docs",
  "live",
  "ready",
  "metrics",
  "session",
  "default-org",
  "system-attestation-types"
])

/** Whether a path parameter may have this value; parameters without a rule accept any segment. */
const isAllowed = (name: string, value: string): boolean => {
  switch (name) {
    case "org":
      return ORG.test(value) && !RESERVED.has(value)
    case "policy":
      return !value.startsWith("_")
    case "number":
    case "version":
      return /^[1-9][0-9]{0,8}$/.test(value)
    default:
      return true
  }
}

/** Whether a text can be a path segment. Browsers resolve `.` and `..` before they send a request. */
const isSegment = (text: string): boolean => text !== "" && text !== "." && text !== ".."

/** WHY: a lone surrogate cannot be encoded. */
const encode = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\uFFFD"))

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Encodes the rest of a path; slashes stay unless a segment would be empty. */
const encodeRest = (text: string): string =>
  text.split("/").every(isSegment) ? text.split("/").map(encode).join("/") : encode(text)

const segmentsOf = (template: string): ReadonlyArray<string> =>
  template.split("/").filter((segment) => segment !== "")

const parameterOf = (
  segment: string
): { readonly name: string; readonly isRest: boolean } | undefined => {
  const name = /^\{([a-z]+)(\.\.\.)?\}$/.exec(segment)
  return name?.[1] === undefined ? undefined : { name: name[1], isRest: name[2] !== undefined }
}

type Pairs = ReadonlyArray<readonly [string, string]>

/** The parameters of a path that matches a template; undefined otherwise. */
const match = (template: string, path: ReadonlyArray<string>): Pairs | undefined => {
  const expected = segmentsOf(template)
  const found: Array<readonly [string, string]> = []
  for (const [index, segment] of expected.entries()) {
    const parameter = parameterOf(segment)
    const isRest = parameter?.isRest === true
    const value = isRest ? path.slice(index).join("/") : path[index]
    if (value === undefined || value === "") return undefined
    if (parameter === undefined) {
      if (value !== segment) return undefined
    } else if (isAllowed(parameter.name, value)) found.push([parameter.name, value])
    else return undefined
    if (isRest) return found
  }
  return path.length === expected.length ? found : undefined
}

/** WHY this order: fixed segments must match before parameters, such as `_new` before the name of a policy. */
const byFixedSegments: ReadonlyArray<Tag> = [...TAGS].sort(
  (a, b) => TEMPLATES[a].split("{").length - TEMPLATES[b].split("{").length
)

/** The path below a base; undefined if it is not below it. */
const below = (path: string, base: string): string | undefined => {
  if (!path.startsWith(base)) return undefined
  const rest = path.slice(base.length)
  return rest === "" || rest.startsWith("/") ? rest : undefined
}

const queryOf = (text: string): Query => [...new URLSearchParams(text)]

/** The route of a path with its query. `base` is the path of the public URL, without a trailing slash. */
export const parse = (url: string, base = ""): Route => {
  const [address = ""] = url.split("#")
  const [path = "", ...search] = address.split("?")
  const query = queryOf(search.join("?"))
  const notFound: NotFound = { _tag: "NotFound", params: { path }, query }
  const rest = below(path, base)?.replace(/\/$/, "")
  if (rest === undefined || (rest === "" && !path.startsWith("/"))) return notFound
  const segments = rest.split("/").slice(1).map(decode)
  if (!segments.every((segment) => segment !== undefined)) return notFound
  if (!segments.every(isSegment)) return notFound
  for (const tag of byFixedSegments) {
    const params = match(TEMPLATES[tag], segments)
    // WHY: `match` returns exactly the parameters of this template.
    if (params !== undefined)
      return { _tag: tag, params: Object.fromEntries(params), query } as unknown as Route
  }
  return notFound
}

const printQuery = (query: Query): string => {
  const text = new URLSearchParams(query.map(([name, value]) => [name, value])).toString()
  return text === "" ? "" : `?${text}`
}

/** The path and the query of a route. */
export const print = (route: Route, base = ""): string => {
  if (route._tag === "NotFound") return `${base}${route.params.path}${printQuery(route.query)}`
  const values = new Map<string, string>(Object.entries(route.params))
  const path = segmentsOf(TEMPLATES[route._tag])
    .map((segment) => {
      const parameter = parameterOf(segment)
      if (parameter === undefined) return segment
      const value = values.get(parameter.name) ?? ""
      return parameter.isRest ? encodeRest(value) : encode(value)
    })
    .join("/")
  return `${base}/${path}${printQuery(route.query)}`
}

/** A route with query values; undefined values are omitted. */
export const make = <T extends Tag>(
  tag: T,
  params: ParamsOf<T>,
  query: QueryChange = {}
): RouteOf<T> => ({
  _tag: tag,
  params,
  query: Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const]
  )
})

/** The path of a page, below the base. */
export const to = <T extends Tag>(base: string, tag: T, params: ParamsOf<T>): string =>
  // WHY: the compiler does not see that a route of one name is a member of the union.
  print(make(tag, params) as unknown as Route, base)

/** The first value of a query parameter. */
export const parameter = ({ query }: Pick<Route, "query">, name: string): string | undefined =>
  query.find(([each]) => each === name)?.[1]

/** The same page with changed query values; the other values keep their positions. */
export const withQuery = <R extends Pick<Route, "query">>(route: R, change: QueryChange): R => {
  const kept = route.query.filter(([name]) => !Object.hasOwn(change, name))
  const added = Object.entries(change).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const]
  )
  return { ...route, query: [...kept, ...added] }
}

/** The org of a route; undefined if it has none. */
export const orgOf = (route: Route): string | undefined =>
  "org" in route.params ? route.params.org : undefined

/** The path of a public URL, below which every route is printed; empty at the root. */
export const baseOf = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/+$/, "")
