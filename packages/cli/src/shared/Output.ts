/**
 * Prints results on stdout and everything else on stderr, in the requested format.
 *
 * Every line passes a filter that removes known secrets.
 */
import { CommandFailure, toJson, toLines, usage } from "./CommandFailure.js"
import type { CommandResult } from "./CommandResult.js"
import type { FlagSpec } from "./CommandSpec.js"
import { type Host, variable } from "./Host.js"
import * as Style from "./Style.js"

/** The output formats. */
export const FORMATS = ["table", "json", "jsonl"] as const
/** One of `FORMATS`. */
export type Format = (typeof FORMATS)[number]

/** The output options of a command line. */
export interface OutputOptions {
  readonly format: Format
  readonly field: string | undefined
  readonly isQuiet: boolean
  readonly verbosity: number
  readonly color: string | undefined
  /** The flags of the command, which name the fields of failures. */
  readonly flags?: ReadonlyArray<FlagSpec>
}

/** The output of a command. */
export interface Output {
  readonly options: OutputOptions
  readonly result: (result: CommandResult) => void
  readonly failure: (failure: CommandFailure) => void
  readonly warn: (text: string) => void
  /** Shows a progress line, on terminals only; an empty text removes it. */
  readonly progress: (text: string) => void
  /** Prints a line for people in addition to the result. */
  readonly note: (text: string) => void
  /** Prints command lines for a CI, whose parts are escaped. */
  readonly command: (lines: ReadonlyArray<string>) => void
  /** Prints a line with `--verbose`. */
  readonly trace: (text: string) => void
  /** Hides a secret in all further output. */
  readonly hide: (secret: string) => void
}

const SECRET_LENGTH_MIN = 6

const isColoured = (
  host: Host,
  stream: "stdout" | "stderr",
  color: string | undefined
): boolean => {
  if (color === "always") return true
  if (color === "never") return false
  if (variable(host, "NO_COLOR") !== undefined || host.env.TERM === "dumb") return false
  return variable(host, "FORCE_COLOR") !== undefined || host[stream].isTerminal
}

/** A part of a result, by a path of names and indexes separated by dots; undefined if there is none. */
const pick = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (inner, name) =>
        typeof inner === "object" && inner !== null && Object.hasOwn(inner, name)
          ? Reflect.get(inner, name)
          : undefined,
      value
    )

const fieldOf = (value: unknown, path: string): string => {
  const found = pick(value, path)
  if (found === undefined) throw usage(`the result has no field \`${path}\``, "see: --output json")
  return typeof found === "string" ? found : JSON.stringify(found)
}

const linesOf = (
  { value, items, quiet, lines, isSilent }: CommandResult,
  { format, field, isQuiet }: OutputOptions,
  style: Style.Style
): ReadonlyArray<string> => {
  if (isSilent === true) return []
  if (field !== undefined) return [fieldOf(value, field)]
  if (format === "jsonl") return (items ?? [value]).map((item) => JSON.stringify(item))
  if (format === "json")
    return [style.isTerminal ? JSON.stringify(value, null, 2) : JSON.stringify(value)]
  if (isQuiet) return quiet === undefined ? [] : quiet.split("\n").map(style.text)
  return lines(style)
}

/** The output of a command. */
export const make = (host: Host, options: OutputOptions): Output => {
  const secrets: Array<string> = []
  const shown = { isProgress: false }
  const hidden = (text: string): string =>
    secrets.reduce((safe, secret) => safe.replaceAll(secret, "***"), text)
  const write = (stream: "stdout" | "stderr", lines: ReadonlyArray<string>): void => {
    if (lines.length > 0) host[stream].write(hidden(`${lines.join("\n")}\n`))
  }
  const styleOf = (stream: "stdout" | "stderr") =>
    Style.make({
      isTerminal: host[stream].isTerminal,
      isColoured: isColoured(host, stream, options.color),
      columns: host[stream].columns,
      nowMs: host.now()
    })
  return {
    options,
    result: (result) => write("stdout", linesOf(result, options, styleOf("stdout"))),
    failure: (failure) => {
      const style = styleOf("stderr")
      const isJson = options.format !== "table"
      const [first = "", ...rest] = toLines(failure, options.flags).map(style.text)
      write(
        "stderr",
        isJson ? [JSON.stringify(toJson(failure))] : [style.tint("red", first), ...rest]
      )
    },
    warn: (text) => {
      const style = styleOf("stderr")
      write("stderr", [style.tint("yellow", `warning: ${style.text(text)}`)])
    },
    progress: (text) => {
      if (options.isQuiet || options.format !== "table" || !host.stderr.isTerminal) return
      if (text === "" && !shown.isProgress) return
      shown.isProgress = text !== ""
      const { columns } = host.stderr
      host.stderr.write(
        hidden(
          `\r\u001b[K${styleOf("stderr")
            .text(text)
            .slice(0, columns - 1)}`
        )
      )
    },
    note: (text) => {
      if (!options.isQuiet && options.format === "table")
        write("stderr", [styleOf("stderr").text(text)])
    },
    command: (lines) => write("stderr", lines),
    trace: (text) => {
      if (options.verbosity > 0) write("stderr", [styleOf("stderr").text(text)])
    },
    hide: (secret) => {
      if (secret.length >= SECRET_LENGTH_MIN) secrets.push(secret)
    }
  }
}

/** Whether an unparsed command line asks for JSON. */
export const asksJson = (argv: ReadonlyArray<string>): boolean =>
  argv.some((text) => /^(?:-o|--output=)?jsonl?$/.test(text))

/** The output for failures before the command line is parsed. */
export const plain = (host: Host, argv: ReadonlyArray<string>): Output => {
  return make(host, {
    format: asksJson(argv) ? "json" : "table",
    field: undefined,
    isQuiet: false,
    verbosity: 0,
    color: undefined
  })
}

/** Converts any thrown value to a failure; anything but a `CommandFailure` is a defect. */
export const failureOf = (thrown: unknown): CommandFailure =>
  thrown instanceof CommandFailure
    ? thrown
    : new CommandFailure("defect", "this is a bug of attestry", {
        hint: "run it again with -v, and report what it prints: https://github.com/attestry/attestry/issues",
        cause: thrown
      })
