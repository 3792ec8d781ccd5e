/** `attestry preview ENV [POLICY…]`: the rows that would turn non-compliant under the policies. Writes nothing. */
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"

const countsText = (value: unknown): string => {
  const counts = Json.object(value)
  const [compliant, not, unknown] = [counts.true, counts.false, counts.null].map(Json.number)
  return `${compliant} compliant, ${not} not, ${unknown} not evaluated`
}

const rowLines = (row: Json.Fields, style: Style): ReadonlyArray<string> => [
  `${style.tint("red", "would turn red")}: ${style.text(row.name)} (${style.short(row.fingerprint)}) ` +
    `in ${style.text(row.environment)}`,
  ...Json.objects(row.reasons_for_incompliance).map(
    ({ description, policy_name }) => `  ${style.text(policy_name)}: ${style.text(description)}`
  )
]

/** Runs `attestry preview`. */
export const run: CommandModule["run"] = async ({ api }, args) => {
  const [environment = "", ...policies] = args.positionals
  const mode = args.text("mode")
  const answer = Json.object(
    await (await api()).call("environment.preview", {
      path: { env_name: environment },
      urlParams: {
        ...(policies.length === 0 ? {} : { policy_name: policies }),
        ...(mode === undefined ? {} : { mode })
      }
    })
  )
  const rows = Json.objects(answer.turning_red)
  const left = Json.number(answer.left_out)
  const hidden = Json.number(answer.hidden_rows)
  const total = rows.length + left
  return {
    exit: args.has("exit-code") && total > 0 ? "no" : "done",
    value: answer,
    items: rows,
    quiet: String(total),
    lines: (style) => [
      ...rows.flatMap((row) => rowLines(row, style)),
      ...(left === 0 ? [] : [`and ${left} more`]),
      `now      ${countsText(answer.now)}`,
      `then     ${countsText(answer.after)}`,
      `warned   ${Json.number(answer.rows_warning)}`,
      ...(hidden === 0 ? [] : [`hidden   ${hidden}, which a flow knows that you may not read`])
    ]
  }
}
