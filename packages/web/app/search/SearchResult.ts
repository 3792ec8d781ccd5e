/**
 * Search results: records found by name in loaded lists, and the server's results for a fingerprint, a commit or a
 * text.
 */
import * as Route from "@attestry/web/Route"
import type * as Contract from "../shared/Contract.js"
import * as Fuzzy from "../shared/Fuzzy.js"
import * as Shorten from "../shared/Shorten.js"
import { fromStatus, type Verdict } from "../shared/Verdict.js"

/** The kinds of results, in the order of their groups. */
export const KINDS = [
  ...(["command", "environment", "flow", "policy", "control", "service account"] as const),
  ...(["artifact", "trail"] as const)
]

export type Kind = (typeof KINDS)[number]

/** A record to open, or a command to run. */
export interface SearchResult {
  readonly kind: Kind
  /** Unique among results. */
  readonly key: string
  readonly name: string
  /** Where it is: the flow of a trail, or the environments of an artifact. */
  readonly place?: string
  readonly verdict?: Verdict
  /** Its page; absent for a command. */
  readonly to?: Route.Route
  readonly run?: () => void
}

/** The lists that are searched in the browser. */
export interface Lists {
  readonly environments: ReadonlyArray<Pick<Contract.Environment, "name">>
  readonly flows: ReadonlyArray<Pick<Contract.ListedFlow, "name">>
  readonly policies: ReadonlyArray<Pick<Contract.Policy, "name">>
  readonly controls: ReadonlyArray<
    Pick<Contract.Controls["controls"][number], "identifier" | "name">
  >
  readonly accounts: ReadonlyArray<Pick<Contract.ServiceAccount, "name">>
  readonly commands: ReadonlyArray<SearchResult>
}

/** WHY: the compiler does not see that a route of one name is a member of the union. */
const routeTo = <T extends Route.Tag>(tag: T, params: Route.ParamsOf<T>): Route.Route =>
  Route.make(tag, params) as unknown as Route.Route

/** Every record of the lists as a result. */
const localOf = (org: string, lists: Lists): ReadonlyArray<SearchResult> => [
  ...lists.environments.map(({ name }): SearchResult => {
    const to = routeTo("Environment", { org, environment: name })
    return { kind: "environment", key: `environment ${name}`, name, to }
  }),
  ...lists.flows.map(({ name }): SearchResult => {
    const to = routeTo("Flow", { org, flow: name })
    return { kind: "flow", key: `flow ${name}`, name, to }
  }),
  ...lists.policies.map(({ name }): SearchResult => {
    const to = routeTo("Policy", { org, policy: name })
    return { kind: "policy", key: `policy ${name}`, name, to }
  }),
  ...lists.controls.map(({ identifier, name }): SearchResult => {
    const to = routeTo("Control", { org, identifier })
    return { kind: "control", key: `control ${identifier}`, name: `${identifier} ${name}`, to }
  }),
  ...lists.accounts.map(({ name }): SearchResult => {
    const to = routeTo("ServiceAccount", { org, account: name })
    return { kind: "service account", key: `account ${name}`, name, to }
  }),
  ...lists.commands
]

/** The records and commands that match a text, best first. */
export const local = (
  org: string,
  lists: Lists,
  { query, limit }: { readonly query: string; readonly limit: number }
): ReadonlyArray<SearchResult> =>
  Fuzzy.best(localOf(org, lists), query, { textOf: ({ name }) => name, limit })

/** The queries for a text. */
export interface Questions {
  readonly sha: string | undefined
  readonly commit: string | undefined
  /** Part of the name of a trail or an artifact. */
  readonly name: string | undefined
}

/**
 * Five or more hexadecimal characters are the start of a fingerprint or a commit; any other text is part of the name
 * of a trail or an artifact.
 */
export const questionsOf = (text: string): Questions => {
  const query = text.trim()
  const isHex = /^[0-9a-f]{5,64}$/i.test(query)
  const isCommit = /^[0-9a-f]{40}$/i.test(query)
  return {
    sha: isHex ? query.toLowerCase() : undefined,
    commit: isCommit ? query.toLowerCase() : undefined,
    name: query.length < 2 || isHex ? undefined : query
  }
}

const runningText = (running: ReadonlyArray<string>): string => {
  const [first, ...others] = running
  if (first === undefined) return "runs nowhere"
  return others.length === 0 ? `runs in ${first}` : `runs in ${first} and ${others.length} more`
}

/** The artifacts that match a fingerprint or a commit. */
export const fromSha = (
  org: string,
  { artifacts }: Contract.ShaSearch
): ReadonlyArray<SearchResult> =>
  artifacts.map(({ fingerprint, name, flow, compliance_state, running_in }) => ({
    kind: "artifact",
    key: `artifact ${flow} ${fingerprint}`,
    name: `${name} ${Shorten.fingerprint(fingerprint)}`,
    place: [...(flow === "" ? [] : [flow]), runningText(running_in)].join(" · "),
    ...(compliance_state === "" ? {} : { verdict: fromStatus(compliance_state) }),
    to:
      flow === ""
        ? routeTo("Artifact", { org, fingerprint })
        : routeTo("FlowArtifact", { org, flow, fingerprint })
  }))

/** The artifacts that match a text; each flow's record of a fingerprint appears once. */
export const fromArtifacts = (
  org: string,
  artifacts: ReadonlyArray<Contract.Artifact>
): ReadonlyArray<SearchResult> =>
  artifacts.map(({ fingerprint, filename, flow_name: flow, state, running }) => ({
    kind: "artifact",
    key: `artifact ${flow} ${fingerprint}`,
    name: `${filename} ${Shorten.fingerprint(fingerprint)}`,
    place: `${flow} · ${runningText(running.map(({ environment_name }) => environment_name))}`,
    verdict: fromStatus(state),
    to: routeTo("FlowArtifact", { org, flow, fingerprint })
  }))

/** The trails with a commit. */
export const fromCommit = (
  org: string,
  { trails }: Contract.CommitTrails
): ReadonlyArray<SearchResult> =>
  trails.map(({ flow_name, trail_name, branch }) => ({
    kind: "trail",
    key: `trail ${flow_name} ${trail_name}`,
    name: trail_name,
    place: [flow_name, ...(branch === "" ? [] : [branch])].join(" · "),
    to: routeTo("Trail", { org, flow: flow_name, trail: trail_name })
  }))

/** The trails that match a text. */
export const fromTrails = (org: string, { data }: Contract.Trails): ReadonlyArray<SearchResult> =>
  data.map(({ flow, name, compliance_state }) => ({
    kind: "trail",
    key: `trail ${flow.name} ${name}`,
    name,
    place: flow.name,
    verdict: fromStatus(compliance_state),
    to: routeTo("Trail", { org, flow: flow.name, trail: name })
  }))

/** Results without duplicates, ordered by kind. */
export const grouped = (
  results: ReadonlyArray<SearchResult>
): ReadonlyArray<readonly [Kind, ReadonlyArray<SearchResult>]> => {
  const unique = [...new Map(results.map((result) => [result.key, result])).values()]
  return KINDS.flatMap((kind) => {
    const ofKind = unique.filter((result) => result.kind === kind)
    return ofKind.length === 0 ? [] : [[kind, ofKind] as const]
  })
}
