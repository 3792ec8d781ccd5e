/** The form of a request for a waiver: its parameters in the URL, its fields, and the body that it sends. */
import * as Route from "@attestry/web/Route"
import type { SnapshotRow, Waiver } from "../shared/Contract.js"

const DAY = 86_400

export type AskedRule = NonNullable<Waiver["rule"]>

/** The fields of the form, as typed. Days are in UTC, as `YYYY-MM-DD`. */
export interface Draft {
  readonly policy: string
  /** The key of the rule; empty for every rule. */
  readonly rule: string
  /** Empty for every environment. */
  readonly environment: string
  readonly fingerprint: string
  readonly condition: string
  readonly reason: string
  readonly owner: string
  readonly ticket: string
  /** The first day; empty for at once. */
  readonly from: string
  /** The last day, which counts whole. */
  readonly until: string
}

/** The rule as one text, for options and the URL. Equal rules have equal keys. */
export const keyOf = (rule: AskedRule | null): string => {
  if (rule === null) return ""
  if (rule.type !== "attestation") return rule.type
  const { attestation_name = "*", attestation_type = "*", for_control } = rule
  return JSON.stringify([
    attestation_type,
    attestation_name,
    ...(for_control === undefined ? [] : [for_control])
  ])
}

const partsOf = (key: string): ReadonlyArray<unknown> => {
  try {
    const parts: unknown = JSON.parse(key)
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

/** The rule of a key; null for every rule, and for a text that is no key. */
export const ruleOf = (key: string): AskedRule | null => {
  if (key === "provenance" || key === "trail-compliance") return { type: key }
  const [attestation_type, attestation_name, for_control] = partsOf(key)
  if (typeof attestation_type !== "string" || typeof attestation_name !== "string") return null
  return {
    type: "attestation",
    attestation_type,
    attestation_name,
    ...(typeof for_control === "string" ? { for_control } : {})
  }
}

type Rule = SnapshotRow["policy_decisions"][number]["rule_evaluations"][number]["rule"]

/** The rule of a decision, as a waiver names it. */
export const askedBy = ({ definition, type }: Rule): AskedRule =>
  "name" in definition
    ? {
        type: "attestation",
        attestation_type: definition.type,
        attestation_name: definition.name,
        ...(definition.for_control === null ? {} : { for_control: definition.for_control })
      }
    : { type: type === "provenance" ? "provenance" : "trail-compliance" }

/** The form for a failing rule of a row. */
export const routeFor = (
  org: string,
  {
    policy,
    rule,
    environment,
    fingerprint
  }: {
    readonly policy: string
    readonly rule: Rule
    readonly environment: string
    readonly fingerprint: string
  }
) =>
  Route.make(
    "NewWaiver",
    { org },
    {
      policy,
      rule: keyOf(askedBy(rule)),
      environment,
      fingerprint: fingerprint === "" ? undefined : fingerprint
    }
  )

/** A day of UTC. */
export const dayOf = (seconds: number): string =>
  new Date(seconds * 1_000).toISOString().slice(0, 10)

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000

/** The last day that a waiver may have whole, if it starts at an instant. */
export const lastDay = (startsAt: number, maxDays: number): string =>
  dayOf(Math.max(startsAt, startsAt + (maxDays - 1) * DAY))

/** The days of a waiver that the form proposes. */
const USUAL_DAYS = 14

/** The form as it opens: from the URL, or from the waiver that is extended. */
export const fromRoute = (
  route: Pick<Route.Route, "query">,
  {
    extended,
    maxDays,
    nowSeconds
  }: {
    readonly extended: Waiver | undefined
    readonly maxDays: number
    readonly nowSeconds: number
  }
): Draft => {
  const value = (name: string) => Route.parameter(route, name) ?? ""
  const until = lastDay(nowSeconds, Math.min(USUAL_DAYS, maxDays))
  const empty = { reason: "", owner: "", ticket: "", from: "", until }
  if (extended === undefined)
    return {
      ...empty,
      policy: value("policy"),
      rule: value("rule"),
      environment: value("environment"),
      fingerprint: value("fingerprint"),
      condition: value("if")
    }
  return {
    ...empty,
    policy: extended.policy_name,
    rule: keyOf(extended.rule),
    environment: extended.environment ?? "",
    fingerprint: "",
    condition: extended.if ?? "",
    reason: extended.reason,
    owner: extended.owner,
    ticket: extended.ticket_url ?? ""
  }
}

const given = (name: string, text: string): { readonly [name: string]: string } =>
  text.trim() === "" ? {} : { [name]: text.trim() }

/** The body of the request. A day that is no date is left out, and the server answers what is missing. */
export const bodyOf = (draft: Draft, extended: Waiver | undefined) => {
  const rule = ruleOf(draft.rule)
  const end = startOf(draft.until) + DAY
  const start = startOf(draft.from)
  return {
    policy_name: draft.policy,
    ...(rule === null ? {} : { rule }),
    ...given("environment", draft.environment),
    ...given("artifact_fingerprint", draft.fingerprint),
    ...given("if", draft.condition),
    reason: draft.reason,
    ...given("owner", draft.owner),
    ...given("ticket_url", draft.ticket),
    ...(Number.isFinite(start) ? { starts_at: start } : {}),
    ...(Number.isFinite(end) ? { expires_at: end } : {}),
    ...(extended === undefined ? {} : { extends: extended.number })
  }
}
