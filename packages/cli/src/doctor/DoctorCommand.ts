/**
 * `attestry doctor`: checks what commands need, with a hint for each problem. It exits with the code of the first
 * failure.
 */
import type { CommandModule } from "../shared/CommandSpec.js"
import type { Style, Tint } from "../shared/Style.js"
import type { Check } from "./Check.js"
import { hereChecks, jobChecks, settingsCheck } from "./MachineChecks.js"
import * as ServerChecks from "./ServerChecks.js"

const TINTS: { readonly [S in Check["state"]]: Tint } = {
  ok: "green",
  warn: "yellow",
  fail: "red",
  skip: "dim"
}

const NAME_WIDTH = 11

const linesOf = ({ state, name, text, todo }: Check, style: Style): ReadonlyArray<string> => [
  `${style.tint(TINTS[state], state.padEnd(4))}  ${name.padEnd(NAME_WIDTH)} ${style.text(text)}`,
  ...(todo === null ? [] : [`${" ".repeat(NAME_WIDTH + 7)}do: ${style.text(todo)}`])
]

/** Runs `attestry doctor`. */
export const run: CommandModule["run"] = async (context) => {
  const { check, settings } = await settingsCheck(context)
  const reached = settings === undefined ? [] : await ServerChecks.reach(context, settings)
  const isReached = reached.some(({ name, state }) => name === "reach" && state === "ok")
  const access =
    settings === undefined ? [] : await ServerChecks.access(context, settings, isReached)
  const checks = [
    check,
    ...reached,
    ...access,
    ...(await jobChecks(context)),
    ...hereChecks(context)
  ]
  const first = checks.find(({ word }) => word !== null)
  return {
    exit: first?.word ?? "done",
    value: {
      schema: "attestry.cli/doctor/v1",
      checks: checks.map(({ name, state, text, todo }) => ({ name, state, text, todo }))
    },
    items: checks,
    quiet: first === undefined ? "OK" : `${first.name}: ${first.text}`,
    lines: (style) => checks.flatMap((each) => linesOf(each, style))
  }
}
