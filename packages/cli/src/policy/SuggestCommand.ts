/** `attestry policy suggest ENV…`: suggests a policy that all running artifacts satisfy. */
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"

/** Runs `attestry policy suggest`. */
export const run: CommandModule["run"] = async ({ api }, args) => {
  const [least] = args.texts("min-artifacts")
  const days = args.number("days")
  const answer = Json.object(
    await (await api()).call("policyAuthoring.suggest", {
      payload: {
        environments: args.positionals,
        ...(least === undefined ? {} : { min_artifacts: Number(least) }),
        ...(days === undefined ? {} : { days })
      }
    })
  )
  const text = String(answer.policy_yaml ?? "")
  const left = Json.objects(answer.left_out)
  return {
    value: answer,
    quiet: text,
    lines: (style) => [
      ...text.trimEnd().split("\n").map(style.text),
      ...left.map(({ failing, rule }) => {
        const some = Array.isArray(failing) ? failing.map((one) => String(one).slice(0, 12)) : []
        const why = some.length === 0 ? "" : ` (fails for ${style.text(some.join(", "))})`
        return `# left out: ${style.text(rule)}${why}`
      })
    ]
  }
}
