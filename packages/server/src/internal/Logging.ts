/** The server log, on standard error: text on a terminal, lines of JSON elsewhere. */
import * as Cause from "effect/Cause"
import * as HashMap from "effect/HashMap"
import * as Inspectable from "effect/Inspectable"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import type { ServerConfig } from "../ServerConfig.js"

const LEVELS = {
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warning: LogLevel.Warning,
  error: LogLevel.Error,
  none: LogLevel.None
} as const

const LABEL_WIDTH = 5

const field = (name: string, value: unknown): string => {
  const text = typeof value === "string" ? value : Inspectable.stringifyCircular(value)
  return `${name}=${/[\s"=]/.test(text) ? JSON.stringify(text) : text}`
}

const part = (message: unknown): string =>
  typeof message === "object" && message !== null && !Array.isArray(message)
    ? Object.entries(message)
        .map(([name, value]) => field(name, value))
        .join(" ")
    : Inspectable.toStringUnknown(message, 0)

/** One line with time, level, message and fields; a cause is on indented lines below it. */
export const textLogger = Logger.make<unknown, string>(
  ({ annotations, cause, date, logLevel, message }) => {
    const line = [
      date.toISOString(),
      logLevel.label.padEnd(LABEL_WIDTH),
      ...(Array.isArray(message) ? message : [message]).map(part),
      ...HashMap.toEntries(annotations).map(([name, value]) => field(name, value))
    ].join(" ")
    return Cause.isEmpty(cause)
      ? line
      : `${line}\n    ${Cause.pretty(cause, { renderErrorCause: true }).replaceAll("\n", "\n    ")}`
  }
)

/** WHY constants: Effect has a set of loggers, and a second instance would write each line again. */
const TEXT = Logger.withConsoleError(textLogger)
const JSON_LINES = Logger.withConsoleError(Logger.jsonLogger)

/** The logger that the settings ask for. */
export const layer = ({
  ATTESTRY_LOG_LEVEL: level,
  ATTESTRY_LOG_FORMAT: format
}: Pick<ServerConfig, "ATTESTRY_LOG_LEVEL" | "ATTESTRY_LOG_FORMAT">): Layer.Layer<never> => {
  const isText = format === "text" || (format === "auto" && process.stderr.isTTY === true)
  return Layer.merge(
    Logger.replace(Logger.defaultLogger, isText ? TEXT : JSON_LINES),
    Logger.minimumLogLevel(LEVELS[level])
  )
}
