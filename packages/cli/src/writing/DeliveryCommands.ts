/** `attestry replay deliveries`: sends notifications again that could not be delivered. */
import { dryRun } from "../attestation/DryRun.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"

/** Runs `attestry replay deliveries`. */
export const replay: CommandModule = {
  run: async (context, args) => {
    const named = args.positionals
    if (args.has("all") === named.length > 0)
      throw usage("give the ids of deliveries, or --all", "see: attestry list failed-deliveries")
    const operation = "delivery.replay"
    const call = { payload: { ids: args.has("all") ? "all" : named } }
    if (args.has("dry-run")) return dryRun(context, operation, call)
    const answer = Json.object(await (await context.api()).call(operation, call))
    const replayed = Json.list(answer.replayed).map(String)
    const unknown = named.filter((id) => !replayed.includes(id))
    for (const id of unknown) context.output.warn(`${id} is no failed delivery`)
    return {
      exit: unknown.length === 0 ? "done" : "partial",
      value: { schema: "attestry.cli/replay/v1", replayed, unknown },
      items: replayed,
      quiet: replayed.join("\n"),
      lines: (style) => [
        `${replayed.length} deliver${replayed.length === 1 ? "y is" : "ies are"} tried again`,
        ...replayed.map((id) => `  ${style.text(id)}`)
      ]
    }
  }
}
