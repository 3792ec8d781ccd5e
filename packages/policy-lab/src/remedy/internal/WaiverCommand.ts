/** The command that requests a waiver of a rule, with a placeholder for each value that only a person knows. */
import type { WaivedRule } from "@attestry/core/ActiveWaiver"
import * as Placeholder from "@attestry/core/Placeholder"
import * as ShellWord from "@attestry/core/ShellWord"

/** The waiver to request. */
interface Requested {
  readonly policy_name: string
  readonly rule: WaivedRule
  readonly environment_name: string
  readonly fingerprint: string
}

const flag = (name: string, value: string | undefined): ReadonlyArray<string> =>
  value === undefined || value === "*" ? [] : [`--${name}`, value]

/** The command as a line of a shell. */
export const lineOf = ({ environment_name, fingerprint, policy_name, rule }: Requested): string =>
  ShellWord.line([
    "attestry",
    "waiver",
    "request",
    policy_name,
    "--rule",
    rule.type,
    ...flag("attestation-type", rule.attestation_type),
    ...flag("attestation-name", rule.attestation_name),
    ...flag("control", rule.for_control),
    "--environment",
    environment_name,
    "--fingerprint",
    fingerprint,
    "--until",
    Placeholder.of("END"),
    "--reason",
    Placeholder.of("REASON")
  ])
