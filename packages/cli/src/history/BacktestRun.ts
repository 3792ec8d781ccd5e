/** Runs a backtest to its end: passes on each line once, and continues an interrupted stream from its last cursor. */
import * as BacktestReading from "@attestry/client/BacktestReading"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure } from "../shared/CommandFailure.js"
import * as Json from "../shared/Json.js"

const PAUSE_MS = 250
const PAUSE_MS_MAX = 30_000

/** The result of a backtest. */
export interface BacktestResult {
  readonly horizon: Json.Fields
  readonly flips: ReadonlyArray<Json.Fields>
  readonly environments: ReadonlyArray<Json.Fields>
  readonly totals: Json.Fields
  readonly truncated: boolean
  /** Notes for the reader; absent if there are none. */
  readonly notes?: ReadonlyArray<Json.Fields>
}

/** A line of the stream, with its type and cursor. */
const lineOf = (line: Json.Fields): Json.Fields & BacktestReading.AnyFlip => {
  const { continued, continues, cursor, type, ...rest } = line
  return {
    type: Json.text(type) ?? "",
    ...rest,
    ...(cursor === undefined ? {} : { cursor: Json.text(cursor) ?? null }),
    ...(continued === true ? { continued } : {}),
    ...(continues === true ? { continues } : {})
  }
}

const failedLine = (line: Json.Fields): CommandFailure =>
  new CommandFailure("unanswered", Json.text(line.message) ?? "the server gave up", {
    operation: "policyLab.backtest"
  })

/** WHY only these: an error answer is final, while silence, a rate limit and a broken connection are temporary. */
const mayPass = (error: unknown): error is CommandFailure =>
  error instanceof CommandFailure &&
  error.word === "unanswered" &&
  (error.details.status === undefined || [429, 503].includes(error.details.status))

const withCursor = (error: unknown, cursor: string | undefined): unknown =>
  error instanceof CommandFailure && cursor !== undefined && error.details.hint === undefined
    ? new CommandFailure(error.word, error.message, {
        ...error.details,
        hint: `go on with: --cursor ${cursor}`
      })
    : error

/** Collects all lines into a result. */
const resultOf = (lines: ReadonlyArray<Json.Fields>): BacktestResult => {
  const of = (type: string) => lines.filter((line) => line.type === type)
  const [started] = of("started")
  const [done] = of("done")
  const notes = Json.objects(started?.notes)
  return {
    horizon: Json.object(started?.horizon),
    flips: of("flip"),
    environments: of("environment"),
    totals: Json.object(done?.totals),
    truncated: done?.truncated === true,
    ...(notes.length === 0 ? {} : { notes })
  }
}

/** Runs a backtest, and passes every line to `each` once. */
export const play = async (
  { api, host, settings, output }: CommandContext,
  payload: Json.Fields,
  each: (line: Json.Fields) => void
): Promise<BacktestResult> => {
  const { retries } = await settings()
  const deployment = await api()
  const lines: Array<Json.Fields> = []
  let reading = BacktestReading.start<ReturnType<typeof lineOf>>(Json.text(payload.cursor))
  for (let failures = 0; ; failures += 1) {
    const { cursor } = reading
    const asked = cursor === undefined ? payload : { ...payload, cursor }
    try {
      for await (const line of deployment.lines("policyLab.backtest", { payload: asked })) {
        if (line.type === "failed") throw failedLine(line)
        const [next, given] = BacktestReading.take(reading, lineOf(line))
        reading = next
        for (const settled of given) {
          if (settled.type !== "progress") lines.push(settled)
          each(settled)
        }
      }
      if (reading.isDone) return resultOf(lines)
      throw new CommandFailure("unanswered", "the answer broke off before its last line")
    } catch (error) {
      if (!mayPass(error) || failures >= retries) throw withCursor(error, reading.cursor)
      output.trace(`${error.message}; asked again`)
      await host.sleep(Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** failures), host.signal)
      reading = BacktestReading.resumed(reading)
    }
  }
}
