/** The formats of scans, analyses, results of tests and coverage, each in the order of recognition. */
import type { JsonFormat, PredicateReader, TextFormat, XmlFormat } from "../Format.js"
import * as Clover from "./Clover.js"
import * as Cobertura from "./Cobertura.js"
import * as CoverageSummary from "./CoverageSummary.js"
import * as Ctrf from "./Ctrf.js"
import * as Grype from "./Grype.js"
import * as Jacoco from "./Jacoco.js"
import * as Junit from "./Junit.js"
import * as Lcov from "./Lcov.js"
import * as Sarif from "./Sarif.js"
import * as Snyk from "./Snyk.js"
import * as TestResultPredicate from "./TestResultPredicate.js"
import * as Trivy from "./Trivy.js"
import * as VulnerabilityPredicate from "./VulnerabilityPredicate.js"

const json: ReadonlyArray<JsonFormat> = [
  Sarif.format,
  Ctrf.format,
  Trivy.format,
  Grype.format,
  Snyk.format,
  CoverageSummary.format
]

/** The formats of JSON. */
export { json as JSON }

/** The formats of XML. */
export const XML: ReadonlyArray<XmlFormat> = [
  Junit.format,
  Cobertura.format,
  Jacoco.format,
  Clover.format
]

/** The formats of text. */
export const TEXT: ReadonlyArray<TextFormat> = [Lcov.format]

/** The readers of predicates. */
export const PREDICATES: ReadonlyArray<PredicateReader> = [
  VulnerabilityPredicate.reader,
  TestResultPredicate.reader
]
