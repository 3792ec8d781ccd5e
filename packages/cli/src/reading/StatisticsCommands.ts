/** `attestry get build-statistics` and `attestry get deployment-statistics REPO`: counts, and lead times. */
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Duration from "../shared/Duration.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import { instantOf } from "./ListFilters.js"

const windowOf = ({ host }: CommandContext, args: Arguments): Json.Fields => {
  const since = args.text("since")
  const until = args.text("until")
  return {
    ...(since === undefined ? {} : { start_ts: instantOf(host, "since", since) }),
    ...(until === undefined ? {} : { end_ts: instantOf(host, "until", until) })
  }
}

const DAY_SECONDS = 86_400
const WEEK_DAYS = 7

/** A count over a window, with its frequency. */
const countText = (count: number, { start_ts, end_ts }: Json.Fields, noun: string): string => {
  const days = Math.max(1, (Json.number(end_ts) - Json.number(start_ts)) / DAY_SECONDS)
  const weekly = ((count / days) * WEEK_DAYS).toFixed(1)
  return `${count} ${noun}${count === 1 ? "" : "s"} in ${Math.round(days)} days, ${weekly} a week`
}

/** Runs `attestry get build-statistics`. */
export const builds: CommandModule = {
  run: async (context, args) => {
    const repo = args.text("repo")
    const value = Json.object(
      await (await context.api()).call("build.statistics", {
        urlParams: {
          ...windowOf(context, args),
          ...(repo === undefined ? {} : { repo_name: repo })
        }
      })
    )
    const count = Json.number(value.count)
    return {
      value,
      quiet: String(count),
      lines: () => [countText(count, value, "build")]
    }
  }
}

/** The value below which a part of the values lie, by the nearest rank. */
const percentile = (values: ReadonlyArray<number>, part: number): number | undefined =>
  [...values].sort((left, right) => left - right)[Math.max(0, Math.ceil(values.length * part) - 1)]

const leadTime = (values: ReadonlyArray<number>, part: number): string => {
  const seconds = percentile(values, part)
  return seconds === undefined ? "–" : Duration.print(seconds * 1_000)
}

const MEDIAN = 0.5
const SLOW = 0.9

const rowOf = (series: Json.Fields, value: Json.Fields, style: Style): ReadonlyArray<string> => {
  const times = Json.list(series.lead_time_seconds).map(Json.number)
  const count = Json.list(series.deployed_at).length
  return [
    style.text(series.env_name),
    countText(count, value, "deployment"),
    leadTime(times, MEDIAN),
    leadTime(times, SLOW)
  ]
}

const HEADINGS = ["ENVIRONMENT", "DEPLOYMENTS", "LEAD TIME (MEDIAN)", "LEAD TIME (90 %)"]

/** Runs `attestry get deployment-statistics`. */
export const deployments: CommandModule = {
  run: async (context, args) => {
    const api = await context.api()
    const [repo_name = ""] = args.positionals
    const { id } = Json.object(await api.call("repo.get", { path: { repo_name } }))
    const env = args.texts("environment")
    const value = Json.object(
      await api.call("deployment.statistics", {
        path: { repo: id },
        urlParams: { ...windowOf(context, args), ...(env.length === 0 ? {} : { env }) }
      })
    )
    const all = Json.objects(value.environments)
    return {
      value,
      items: all,
      quiet: all.map(({ env_name }) => String(env_name)).join("\n"),
      lines: (style) =>
        all.length === 0
          ? ["no deployments"]
          : Table.lines([
              HEADINGS.map((heading) => style.tint("bold", heading)),
              ...all.map((series) => rowOf(series, value, style))
            ])
    }
  }
}
