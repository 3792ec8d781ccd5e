/**
 * The notifications of a history of snapshots as a plain fold over the table of triggers.
 *
 * Shares nothing with the module under test: annotations and verdicts are compared as words. SPEC §6.1
 */

/** The fields of a snapshot that triggers depend on. */
export interface ModelSnapshot {
  readonly index: number
  readonly verdict: string
  readonly rows: ReadonlyArray<{
    readonly name: string
    readonly fingerprint: string
    readonly annotation: string
  }>
}

/** One expected notification; without a row for the environment itself. */
export interface Owed {
  readonly trigger: string
  readonly index: number
  readonly row: string
}

const triggerOfRow = (annotation: string): string => {
  if (annotation.startsWith("started-")) return "ON_STARTED_ARTIFACT"
  if (annotation === "exited") return "ON_EXITED_ARTIFACT"
  return annotation === "scaled" ? "ON_SCALED_ARTIFACT" : ""
}

const triggerOfVerdict = (before: string, after: string): string => {
  if (after === "NonCompliant" && before !== "NonCompliant") return "ON_NON_COMPLIANT_ENV"
  return after === "Compliant" && before === "NonCompliant" ? "ON_COMPLIANT_ENV" : ""
}

/** All expected notifications of a history, from its first snapshot to its last. */
export const fold = (snapshots: ReadonlyArray<ModelSnapshot>): ReadonlyArray<Owed> => {
  const owed: Array<Owed> = []
  let before = "no snapshot yet"
  for (const { index, verdict, rows } of snapshots) {
    for (const { name, fingerprint, annotation } of rows) {
      owed.push({ trigger: triggerOfRow(annotation), index, row: `${fingerprint}:${name}` })
    }
    owed.push({ trigger: triggerOfVerdict(before, verdict), index, row: "" })
    before = verdict
  }
  return owed.filter(({ trigger }) => trigger !== "")
}
