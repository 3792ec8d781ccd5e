/** Reads SARIF, the result format of many scanners. Suppressed results do not count. Pure. */
import * as Json from "../shared/Json.js"

/** The levels, worst first. */
export const LEVELS = ["error", "warning", "note", "none"] as const
/** One of `LEVELS`. */
export type Level = (typeof LEVELS)[number]

/** One result. */
export interface SarifResult {
  readonly level: Level
  readonly rule: string
  readonly message: string
  readonly place: string
}

/** The results of all runs in a SARIF file. */
export interface SarifLog {
  readonly tool: string
  readonly version: string
  readonly results: ReadonlyArray<SarifResult>
  readonly suppressed: number
}

/** Whether a JSON value is a SARIF log. */
export const is = (value: unknown): boolean =>
  Json.isObject(value) && Array.isArray(value.runs) && typeof value.version === "string"

const levelOf = (text: unknown): Level | undefined => LEVELS.find((level) => level === text)

const rulesOf = (driver: Json.Fields): ReadonlyMap<string, Level> =>
  new Map(
    Json.objects(driver.rules).flatMap((rule) => {
      const level = levelOf(Json.object(rule.defaultConfiguration).level)
      return level === undefined ? [] : [[String(rule.id), level] as const]
    })
  )

const placeOf = (result: Json.Fields): string => {
  const [location] = Json.objects(result.locations)
  const physical = Json.object(Json.object(location).physicalLocation)
  const uri = Json.text(Json.object(physical.artifactLocation).uri) ?? ""
  const { startLine } = Json.object(physical.region)
  return typeof startLine === "number" ? `${uri}:${startLine}` : uri
}

const isSuppressed = (result: Json.Fields): boolean =>
  Json.objects(result.suppressions).some(
    ({ status }) => status === undefined || status === null || status === "accepted"
  )

const resultOf = (result: Json.Fields, rules: ReadonlyMap<string, Level>): SarifResult => {
  const rule = Json.text(result.ruleId) ?? Json.text(Json.object(result.rule).id) ?? ""
  return {
    level: levelOf(result.level) ?? rules.get(rule) ?? "warning",
    rule,
    message: Json.text(Json.object(result.message).text) ?? "",
    place: placeOf(result)
  }
}

/** Reads the results of all runs. */
export const read = (value: unknown): SarifLog => {
  const runs = Json.objects(Json.object(value).runs)
  const drivers = runs.map((each) => Json.object(Json.object(each.tool).driver))
  const all = runs.flatMap((each, at) =>
    Json.objects(each.results).map((result) => ({ result, rules: rulesOf(drivers[at] ?? {}) }))
  )
  const counted = all.filter(({ result }) => !isSuppressed(result))
  return {
    tool: drivers.map(({ name }) => Json.text(name) ?? "").join(", "),
    version: Json.text(drivers[0]?.semanticVersion) ?? Json.text(drivers[0]?.version) ?? "",
    results: counted.map(({ result, rules }) => resultOf(result, rules)),
    suppressed: all.length - counted.length
  }
}

/** The number of results per level. */
export const counts = ({ results }: SarifLog): { readonly [level in Level]: number } => {
  const of = (level: Level) => results.filter((result) => result.level === level).length
  return { error: of("error"), warning: of("warning"), note: of("note"), none: of("none") }
}

/** The results at a level or worse; empty for the threshold `none`. */
export const atLeast = ({ results }: SarifLog, threshold: Level): ReadonlyArray<SarifResult> => {
  const counting = LEVELS.slice(0, LEVELS.indexOf(threshold) + 1)
  return threshold === "none" ? [] : results.filter(({ level }) => counting.includes(level))
}
