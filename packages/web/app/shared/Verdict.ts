/** Verdicts and statuses: their words, and their spelling on the wire. */

/** The values that a mark can show. */
export type Verdict =
  | "compliant"
  | "non-compliant"
  | "unknown"
  | "incomplete"
  | "missing"
  | "allowed"
  | "not-applicable"

/** The word of each verdict, which is always shown or read aloud. */
export const WORDS: { readonly [verdict in Verdict]: string } = {
  compliant: "compliant",
  "non-compliant": "not compliant",
  unknown: "not evaluated",
  incomplete: "incomplete",
  missing: "missing",
  allowed: "allowed",
  "not-applicable": "not applicable"
}

/** The verdict of a `state` on the wire; null means that no policy evaluated it. */
export const fromState = (state: boolean | null | undefined): Verdict => {
  if (state === true) return "compliant"
  return state === false ? "non-compliant" : "unknown"
}

/** The verdict of a `status` or `compliance_state` on the wire; any other value means not evaluated. */
export const fromStatus = (status: string | null | undefined): Verdict => {
  switch (status) {
    case "COMPLIANT":
    case "Compliant":
      return "compliant"
    case "NON-COMPLIANT":
    case "NonCompliant":
      return "non-compliant"
    case "INCOMPLETE":
      return "incomplete"
    case "MISSING":
      return "missing"
    default:
      return "unknown"
  }
}
