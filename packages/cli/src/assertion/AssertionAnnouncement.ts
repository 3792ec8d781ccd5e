/** Formats an assertion for a CI job: a summary, one annotation per reason, and step outputs. Pure. */
import type { Announcement } from "../job/JobSummary.js"
import type { Assertion, Reason } from "./Assertion.js"
import { markdown } from "./AssertionReports.js"
import { originOf } from "./AssertionView.js"

const annotationOf = (reason: Reason): Announcement["annotations"][number] => ({
  level: "error",
  title: originOf(reason),
  message: reason.description,
  file: reason.position?.file ?? null,
  line: reason.position?.line ?? 1,
  column: reason.position?.column ?? 1
})

/** The output for the job. */
export const of = (assertion: Assertion): Announcement => {
  const { compliant, subject, scope, answer, url, reasons } = assertion
  return {
    markdown: `${markdown(assertion)}\n`,
    annotations: compliant ? [] : reasons.map(annotationOf),
    outputs: {
      compliant: String(compliant),
      ...(subject.fingerprint === null ? {} : { fingerprint: subject.fingerprint }),
      ...(scope === "snapshot" ? { snapshot: String(answer.index ?? "") } : {}),
      ...(url === null ? {} : { url })
    }
  }
}
