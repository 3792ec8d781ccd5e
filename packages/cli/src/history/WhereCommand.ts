/** `attestry where`: the environments in which artifacts run or ran. SPEC §4.3 */
import { instantOf } from "../reading/ListFilters.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Duration from "../shared/Duration.js"
import type { Host } from "../shared/Host.js"
import * as Json from "../shared/Json.js"
import { type Style, verdict } from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import * as BaseImage from "./BaseImage.js"

/** The flags that select artifacts, and their query parameters. */
const SUBJECTS = [
  ["commit", "commit"],
  ["flow", "flow_name"],
  ["repo", "repo_name"],
  ["author", "author"],
  ["builder", "builder"],
  ["component", "purl"],
  ["base-image", "purl"],
  ["vulnerability", "vulnerability"]
] as const

const PER_PAGE = 100
const LIMIT = 20

const FINGERPRINT = /^[0-9a-f]{5,64}$/
const COMMIT = /^[0-9a-f]{40}$/

/** The package and the range of a purl whose version is a range, such as `pkg:npm/lodash@<4.17.21`. */
const componentOf = (component: string | undefined): Json.Fields => {
  const at = component?.search(/@\s*[<>=]/) ?? -1
  return component === undefined || at === -1
    ? {}
    : { purl: component.slice(0, at), versions: component.slice(at + 1) }
}

const subjectOf = (args: Arguments): Json.Fields => {
  const [fingerprint] = args.positionals
  const named = SUBJECTS.flatMap(([flag, parameter]) => {
    const value = args.text(flag)
    return value === undefined ? [] : [[parameter, value] as const]
  })
  const all = [
    ...(fingerprint === undefined ? [] : [["fingerprint", fingerprint] as const]),
    ...named
  ]
  if (all.length !== 1)
    throw usage(
      "give exactly one of FINGERPRINT, --commit, --flow, --repo, --author, --builder, --component, --base-image " +
        "and --vulnerability",
      "see: attestry where --help"
    )
  if (fingerprint !== undefined && !FINGERPRINT.test(fingerprint))
    throw usage(`\`${fingerprint}\` is no fingerprint`, "5 to 64 hexadecimal characters")
  const commit = args.text("commit")
  if (commit !== undefined && !COMMIT.test(commit))
    throw usage(`\`${commit}\` is no commit`, "40 hexadecimal characters: git rev-parse REV")
  const image = args.text("base-image")
  return {
    ...Object.fromEntries(all),
    ...componentOf(args.text("component")),
    ...(image === undefined ? {} : { purl: BaseImage.purlOf(image) })
  }
}

const queryOf = (host: Host, args: Arguments): Json.Fields => {
  const [slot, since, until] = ["slot", "since", "until"].map((flag) => args.text(flag))
  if (slot !== undefined && args.text("flow") === undefined)
    throw usage("--slot goes with --flow alone")
  const environments = args.texts("environment")
  const running = args.boolean("now")
  return {
    ...subjectOf(args),
    ...(slot === undefined ? {} : { template_reference_name: slot }),
    ...(environments.length === 0 ? {} : { environment: environments }),
    ...(since === undefined ? {} : { from_timestamp: instantOf(host, "since", since) }),
    ...(until === undefined ? {} : { to_timestamp: instantOf(host, "until", until) }),
    ...(running === undefined ? {} : { running })
  }
}

interface Found {
  readonly exposures: ReadonlyArray<Json.Fields>
  readonly summary: Json.Fields
  readonly total: number
}

const read = async (
  { api }: CommandContext,
  urlParams: Json.Fields,
  limit: number
): Promise<Found> => {
  const exposures: Array<Json.Fields> = []
  for (let page = 1; ; page++) {
    const per_page = Math.min(limit, PER_PAGE)
    const answer = Json.object(
      await (await api()).call("exposure.list", { urlParams: { ...urlParams, page, per_page } })
    )
    const found = Json.objects(answer.exposures)
    exposures.push(...found)
    const total = Json.number(answer.total_count)
    if (found.length < per_page || exposures.length >= Math.min(limit, total))
      return { exposures: exposures.slice(0, limit), summary: Json.object(answer.summary), total }
  }
}

/** The last verdict, and how long it was a different one. */
const verdictOf = (row: Json.Fields, style: Style): string => {
  const { at_end, seconds_non_compliant } = Json.object(row.compliant)
  const seconds = Json.number(seconds_non_compliant)
  const red = seconds > 0 ? `, not compliant for ${Duration.print(seconds * 1_000)}` : ""
  return `${verdict(style, at_end)}${at_end === false ? "" : red}`
}

const isContained = ({ components }: Json.Fields): boolean => components !== undefined

const isAboutVulnerability = ({ mitigated }: Json.Fields): boolean => mitigated !== undefined

const rowOf = (row: Json.Fields, style: Style): ReadonlyArray<string> => {
  const flow = Json.text(row.flow_name)
  return [
    style.text(row.environment),
    style.text(row.name),
    style.short(row.fingerprint),
    style.instant(row.from),
    row.to === null ? style.tint("bold", "runs") : style.instant(row.to),
    `${style.text(row.first_index)}..${style.text(row.last_index ?? "")}`,
    verdictOf(row, style),
    flow === undefined ? "–" : `${style.text(flow)}/${style.text(row.trail_name)}`,
    ...(isContained(row)
      ? [
          Json.list(row.components)
            .map((purl) => style.text(purl))
            .join(" ")
        ]
      : []),
    ...(isAboutVulnerability(row) ? [row.mitigated === true ? "mitigated" : "–"] : [])
  ]
}

const HEADINGS = [
  "ENVIRONMENT",
  "NAME",
  "FINGERPRINT",
  "FROM",
  "TO",
  "SNAPSHOTS",
  "VERDICT",
  "FLOW"
]

const headingsOf = (exposures: ReadonlyArray<Json.Fields>): ReadonlyArray<string> => [
  ...HEADINGS,
  ...(exposures.some(isContained) ? ["COMPONENTS"] : []),
  ...(exposures.some(isAboutVulnerability) ? ["VEX"] : [])
]

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`

/** How many artifacts the answer knows nothing about. */
const blindLine = ({ summary }: Found): ReadonlyArray<string> =>
  Json.number(summary.without_sbom) === 0
    ? []
    : [`${plural(Json.number(summary.without_sbom), "artifact")} without a bill of materials`]

const summaryLine = ({ summary, total }: Found): string => {
  if (total === 0) return "it ran nowhere"
  const hours = Duration.print(Json.number(summary.total_seconds) * 1_000)
  return (
    `${plural(total, "time")} in ${plural(Json.number(summary.environments), "environment")}, ` +
    `${Json.number(summary.running_now)} running now, ${hours} in all`
  )
}

/** Runs `attestry where`. */
export const run: CommandModule["run"] = async (context, args) => {
  const limit = args.has("all") ? Number.MAX_SAFE_INTEGER : (args.number("limit") ?? LIMIT)
  const found = await read(context, queryOf(context.host, args), limit)
  const { exposures, summary, total } = found
  const left = total - exposures.length
  return {
    value: { schema: "attestry.cli/exposures/v1", exposures, summary, total },
    items: exposures,
    quiet: [...new Set(exposures.map(({ environment }) => String(environment)))].join("\n"),
    lines: (style) => [
      ...(total === 0
        ? []
        : Table.lines([headingsOf(exposures), ...exposures.map((row) => rowOf(row, style))])),
      ...(left > 0 ? [`and ${left} more: --all`] : []),
      summaryLine(found),
      ...blindLine(found)
    ]
  }
}
