/** Triggers and targets in words. Target addresses are secrets, so lists show only a part of each. */
import type { ActionTarget, NotificationConfig } from "../shared/Contract.js"

/** The triggers of environments, in the order of the form. */
export const ENVIRONMENT_TRIGGERS: ReadonlyArray<readonly [trigger: string, text: string]> = [
  ["ON_NON_COMPLIANT_ENV", "becomes non-compliant"],
  ["ON_COMPLIANT_ENV", "becomes compliant"],
  ["ON_WARNED_ENV", "policies on trial warn"],
  ["ON_DECAYING_ENV", "becomes non-compliant within a day"],
  ["ON_SILENT_ENV", "misses its reports"],
  ["ON_REPORTING_ENV", "reports again"],
  ["ON_WAIVER_CHANGED", "waiver changed"],
  ["ON_STARTED_ARTIFACT", "artifact started"],
  ["ON_EXITED_ARTIFACT", "artifact exited"],
  ["ON_SCALED_ARTIFACT", "artifact scaled"],
  ["ON_ALLOWED_ARTIFACT", "artifact allowed"]
]

/** The triggers of flows, in the order of the form. */
export const FLOW_TRIGGERS: ReadonlyArray<readonly [trigger: string, text: string]> = [
  ["ON_STARTED_TRAIL", "trail started"],
  ["ON_ATTESTED_PROVENANCE", "artifact reported"],
  ["ON_ATTESTATION", "attestation reported"],
  ["ON_APPROVAL", "approval reported"]
]

const TEXTS = new Map([...ENVIRONMENT_TRIGGERS, ...FLOW_TRIGGERS])

export const triggerText = (trigger: string): string => TEXTS.get(trigger) ?? trigger

export const TARGET_TEXTS = { WEBHOOK: "webhook", CHAT: "Slack", EMAIL: "mail" } as const

/** A short form that still distinguishes addresses: the host and the last characters. */
export const shortAddress = (address: string): string => {
  let host: string
  try {
    host = new URL(address).host
  } catch {
    return "…"
  }
  const rest = address.slice(address.indexOf(host) + host.length)
  return rest.length <= 7 ? `${host}${rest}` : `${host}/…${rest.slice(-6)}`
}

type AnyTarget = ActionTarget | NotificationConfig["targets"][number]

/** A target in words. */
export const targetText = (target: AnyTarget): string => {
  if (target.type !== "EMAIL") return `${TARGET_TEXTS[target.type]} ${shortAddress(target.webhook)}`
  const [first = "", ...others] = target.emails
  return others.length === 0 ? `mail ${first}` : `mail ${first} and ${others.length} more`
}

/** Targets as lines of a form: one address per line, with a prefix for Slack. */
export const linesOf = (targets: ReadonlyArray<AnyTarget>): string =>
  targets
    .flatMap((target) => {
      if (target.type === "EMAIL") return target.emails
      return target.type === "CHAT" ? [`slack ${target.webhook}`] : [target.webhook]
    })
    .join("\n")

export type TargetInput =
  | { readonly type: "WEBHOOK" | "CHAT"; readonly webhook: string }
  | { readonly type: "EMAIL"; readonly emails: ReadonlyArray<string> }

/** Parses lines: an address with an @ is a mail address, one with the prefix `slack` is an address of Slack. */
export const targetsOf = (text: string): ReadonlyArray<TargetInput> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line): TargetInput => {
      const chat = /^(?:slack|chat)\s+(.*)$/i.exec(line)?.[1]
      if (chat !== undefined) return { type: "CHAT", webhook: chat }
      return line.includes("@") && !/^https?:/i.test(line)
        ? { type: "EMAIL", emails: [line] }
        : { type: "WEBHOOK", webhook: line }
    })

const ERRORS: ReadonlyMap<string, string> = new Map([
  ["blocked destination", "the address is not allowed"],
  ["resolution", "the name of the host was not found"],
  ["connection", "no connection"],
  ["tls", "no secure connection"],
  ["timeout", "no answer in time"]
])

/** Why a delivery failed, in words; a status or an unknown class stays as the API spells it. */
export const errorText = (error: string): string =>
  ERRORS.get(error) ?? error.replace(/^status (\d+)$/, "it answered $1")

const EVENTS: ReadonlyMap<string, string> = new Map([
  ["API_KEY_EXPIRY", "key ends"],
  ["WAIVER_EXPIRY", "waiver ends"],
  ["EMERGENCY_KEY_USED", "key for emergencies used"],
  ["ACCESS_CHANGED", "access changed"],
  ["BREAK_GLASS", "break-glass"],
  ["PROPOSAL", "proposal"],
  ["TEST", "test message"],
  ["ENVIRONMENT_NON_COMPLIANT", "became non-compliant"],
  ["ENVIRONMENT_COMPLIANT", "became compliant"],
  ["ENVIRONMENT_WARNED", "policies on trial warn"],
  ["ENVIRONMENT_DECAYING", "becomes non-compliant within a day"],
  ["ENVIRONMENT_SILENT", "missed its reports"],
  ["ENVIRONMENT_REPORTING", "reports again"],
  ["WAIVER_CHANGED", "waiver changed"]
])

export const eventText = (event: string): string =>
  EVENTS.get(event) ?? event.toLowerCase().replaceAll("_", " ")
