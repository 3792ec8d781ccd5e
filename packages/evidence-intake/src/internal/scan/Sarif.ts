/**
 * Reads SARIF 2.1.0. All results are counted, also millions; addresses are texts and lead nowhere.
 *
 * A result has the severity of its rule's score, else of its level. Suppressed results count apart; results of level
 * `none`, passed checks and results that only an older run had count for nothing.
 */
import {
  type AnalysisFinding,
  FINDINGS_LISTED_MAX,
  type Severity
} from "@attestry/core/EvidenceFacts"
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonFormat, JsonObject } from "../Format.js"
import type { ReadContent } from "../ReadContent.js"
import * as Fields from "./Fields.js"
import * as Instants from "./Instants.js"
import * as Listing from "./Listing.js"
import * as SarifRules from "./SarifRules.js"
import * as Severities from "./Severities.js"

/** The severities of levels; null counts for nothing. */
const LEVELS: ReadonlyMap<unknown, Severity | null> = new Map([
  ["error", "high"],
  ["warning", "medium"],
  ["note", "low"],
  ["none", null]
])

/** The kinds of results that are no findings. Open results and those to review are. */
const HARMLESS: ReadonlySet<unknown> = new Set(["pass", "notApplicable", "informational"])

const isHarmless = (result: JsonObject): boolean => {
  const level = Fields.member(result, "level") ?? "none"
  return (
    (HARMLESS.has(Fields.member(result, "kind")) && level === "none") ||
    Fields.member(result, "baselineState") === "absent"
  )
}

/** Whether one suppression is in force: accepted, or without a status. */
const isSuppressed = (result: JsonObject): boolean =>
  Fields.objects(Fields.member(result, "suppressions")).some((suppression) => {
    const status = Fields.member(suppression, "status") ?? "accepted"
    return status === "accepted"
  })

const placeOf = (result: JsonObject): { uri: string | null; line: number | null } => {
  const locations = Fields.member(result, "locations")
  const physical = Fields.member(Array.isArray(locations) ? locations[0] : null, "physicalLocation")
  return {
    uri: Fields.text(Fields.at(physical, "artifactLocation", "uri")),
    line: Fields.count(Fields.at(physical, "region", "startLine"))
  }
}

/** The level of a result, and its severity; null if it counts for nothing. */
const judge = (result: JsonObject, rule: SarifRules.SarifRule | undefined) => {
  const level = Fields.member(result, "level") ?? rule?.level ?? "warning"
  const ofLevel = LEVELS.has(level) ? (LEVELS.get(level) ?? null) : "unknown"
  return { level: Fields.text(level), severity: rule?.severity ?? ofLevel }
}

/** Counts and lists results while the runs are read. */
const makeCollector = () => {
  const counts = Severities.tally()
  const findings: Array<AnalysisFinding> = []
  const add = (result: JsonObject, rules: SarifRules.SarifRules): void => {
    if (isHarmless(result)) return
    const rule = rules.find(result)
    const { level, severity } = judge(result, rule)
    if (severity === null) return
    if (isSuppressed(result)) {
      counts.suppressed += 1
      return
    }
    Severities.add(counts, severity)
    if (findings.length < FINDINGS_LISTED_MAX)
      findings.push({
        rule_id: Fields.text(SarifRules.idOf(result)) ?? rule?.id ?? null,
        level,
        severity,
        ...placeOf(result)
      })
  }
  return { counts, findings, add }
}

/** The tools of all runs, each once; the version is the one of the first. */
const toolOf = (runs: ReadonlyArray<JsonObject>) => {
  const drivers = runs.map((run) => Fields.at(run, "tool", "driver"))
  const names = new Set(
    drivers.flatMap((driver) => Fields.text(Fields.member(driver, "name")) ?? [])
  )
  const [first] = drivers
  return Fields.named(
    [...names].join(", "),
    Fields.member(first, "semanticVersion") ?? Fields.member(first, "version")
  )
}

/** When the last run that says it ended. */
const createdAt = (runs: ReadonlyArray<JsonObject>): number | null => {
  let latest: number | null = null
  for (const run of runs)
    for (const invocation of Fields.objects(Fields.member(run, "invocations"))) {
      const ended = Instants.fromText(Fields.member(invocation, "endTimeUtc"))
      if (ended !== null && (latest === null || ended > latest)) latest = ended
    }
  return latest
}

const read = (input: JsonObject): Either.Either<ReadContent, EvidenceProblem> =>
  Either.gen(function* () {
    const version = Fields.member(input, "version")
    if (typeof version !== "string" || !version.startsWith("2.1"))
      return yield* Either.left(Fields.unreadable("this is not SARIF 2.1.0, which is read alone"))
    const given = Fields.member(input, "runs")
    // WHY: the standard says null for a tool that could not run, and that is not a clean result.
    if (!Array.isArray(given)) return yield* Either.left(Fields.unreadable("`runs` is not a list"))
    const runs = yield* Fields.list(given, "runs")
    const collector = makeCollector()
    for (const [index, run] of runs.entries()) {
      const part = `runs[${index}].results`
      const results = Fields.member(run, "results")
      if (!Array.isArray(results))
        return yield* Either.left(
          Fields.unreadable(`\`${part}\` is not a list; it is empty after a run without results`)
        )
      const rules = SarifRules.of(run)
      for (const result of yield* Fields.list(results, part)) collector.add(result, rules)
    }
    const { counts, findings } = collector
    const { listed, truncated } = Listing.cut("findings", findings, {
      max: FINDINGS_LISTED_MAX,
      total: counts.total
    })
    const facts = {
      kind: "analysis" as const,
      format: { name: "SARIF", version: Fields.storable(version) },
      tool: toolOf(runs),
      created_at: createdAt(runs),
      truncated,
      counts: { ...counts },
      findings: listed
    }
    return { facts, subjects: [] }
  })

const isLog = (input: unknown): boolean => {
  const version = Fields.member(input, "version")
  const runs = Fields.member(input, "runs")
  const schema = Fields.member(input, "$schema")
  return (
    ((Array.isArray(runs) || runs === null) &&
      typeof version === "string" &&
      version.startsWith("2.1")) ||
    (typeof schema === "string" && schema.toLowerCase().includes("sarif"))
  )
}

/** SARIF. */
export const format: JsonFormat = {
  rule: 8,
  name: "SARIF",
  isFormat: isLog,
  read: (input) => read(Fields.object(input))
}
