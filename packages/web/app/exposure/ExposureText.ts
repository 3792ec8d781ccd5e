/** Sentences about exposures of components and vulnerabilities. */
import type { Exposure } from "../shared/Contract.js"
import * as Shorten from "../shared/Shorten.js"
import type { Subject } from "./ExposureSubject.js"

/** The mark of an exposure of which verified VEX takes the vulnerability away. */
export const MITIGATED = "mitigated by VEX"

/** How many artifacts the answer knows nothing about; undefined if there is none, or no component was asked for. */
export const withoutSbomText = (count: number | undefined): string | undefined => {
  if (count === undefined || count === 0) return undefined
  const [who, what] =
    count === 1
      ? ["1 artifact that ran has", "it contains"]
      : [`${Shorten.count(count)} artifacts that ran have`, "they contain"]
  return `${who} no bill of materials; this answer does not know what ${what}.`
}

/** Why an answer is empty. */
export const nothingText = ({ name }: Pick<Subject, "name">): string => {
  switch (name) {
    case "fingerprint":
      return "No report of an environment listed such an artifact."
    case "purl":
      return "No report of an environment listed an artifact whose bill of materials has it."
    case "vulnerability":
      return (
        "No report of an environment listed an artifact whose bill of materials has a component " +
        "that a scan names with it."
      )
    default:
      return "No report of an environment listed an artifact of which a flow recorded that."
  }
}

/** Whether every exposure is mitigated. */
export const isMitigated = (exposures: ReadonlyArray<Exposure>): boolean =>
  exposures.length > 0 && exposures.every(({ mitigated }) => mitigated === true)
