/** `attestry log ENV [A..B]`: what started and stopped running in an environment, newest first. */
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import { verdict } from "../shared/Style.js"
import * as Table from "../shared/Table.js"

const LIMIT = 20

/** Lists events. */
export const run: CommandModule["run"] = async ({ api }, args) => {
  const [environment = "", interval] = args.positionals
  const found = await (await api()).call("event.list", {
    path: { env_name: environment },
    urlParams: {
      page: 1,
      per_page: args.number("limit") ?? LIMIT,
      ...(interval === undefined ? {} : { interval })
    }
  })
  const events = Json.objects(found)
  return {
    value: events,
    items: events,
    lines: (style) =>
      events.length === 0
        ? ["no events"]
        : Table.lines(
            events.map((event) => [
              `#${style.text(event.snapshot_index)}`,
              style.instant(event.reported_at),
              style.text(event.artifact_name),
              style.short(event.sha256),
              style.text(event.description),
              verdict(style, event.artifact_compliance)
            ])
          )
  }
}
