/** The formats that are read, in the order in which they are tried. A package of formats is one line in each list. */
import type * as Either from "effect/Either"
import type { EvidenceProblem } from "../EvidenceProblem.js"
import * as BomFormats from "./bom/BomFormats.js"
import type { JsonFormat, PredicateReader, TextFormat, XmlElement, XmlFormat } from "./Format.js"
import * as ScanFormats from "./scan/ScanFormats.js"
import * as Provenance from "./statement/Provenance.js"
import * as VerificationSummary from "./statement/VerificationSummary.js"
import * as CsafVex from "./vex/CsafVex.js"
import * as OpenVex from "./vex/OpenVex.js"
import * as XmlReader from "./xml/XmlReader.js"

/** Formats by the form of the file; formats that wrap others are not among them. */
export interface Formats {
  readonly json: ReadonlyArray<JsonFormat>
  readonly xml: ReadonlyArray<XmlFormat>
  readonly text: ReadonlyArray<TextFormat>
  readonly predicates: ReadonlyArray<PredicateReader>
  readonly parseXml: (text: string) => Either.Either<XmlElement, EvidenceProblem>
}

const byRule = <Format extends { readonly rule: number }>(
  ...lists: ReadonlyArray<ReadonlyArray<Format>>
): ReadonlyArray<Format> => lists.flat().sort((a, b) => a.rule - b.rule)

/** All formats that are read. */
export const ALL: Formats = {
  json: byRule(BomFormats.JSON, OpenVex.FORMATS, ScanFormats.JSON, CsafVex.FORMATS),
  xml: byRule(BomFormats.XML, ScanFormats.XML),
  text: byRule(ScanFormats.TEXT),
  predicates: [
    ...Provenance.PREDICATES,
    ...VerificationSummary.PREDICATES,
    ...BomFormats.PREDICATES,
    ...ScanFormats.PREDICATES,
    ...OpenVex.PREDICATES
  ],
  parseXml: XmlReader.parse
}
