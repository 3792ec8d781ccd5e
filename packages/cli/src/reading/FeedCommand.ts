/**
 * `attestry events`: the accepted writes of the org by their index in the evidence log, once or as they happen.
 *
 * The order is the same for every reader and has no gaps, so a program continues with `--after` and the `next` of the
 * previous answer.
 */
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"
import * as Table from "../shared/Table.js"

const LIMIT = 20
const LIMIT_MAX = 1_000
const FOLLOW_MS = 5_000

/** Entries of the log, the cursor after them, and the size of the log. */
interface Feed {
  readonly events: ReadonlyArray<Json.Fields>
  readonly next: number
  readonly size: number
}

const read = async (
  { api }: CommandContext,
  args: Arguments,
  urlParams: { readonly after: number; readonly limit: number }
): Promise<Feed> => {
  const kinds = args.texts("kind")
  const subjects = args.texts("subject")
  const body = Json.object(
    await (await api()).call("log.events", {
      urlParams: {
        ...urlParams,
        ...(kinds.length === 0 ? {} : { kind: kinds }),
        ...(subjects.length === 0 ? {} : { subject_type: subjects })
      }
    })
  )
  return {
    events: Json.objects(body.events),
    next: Json.number(body.next),
    size: Json.number(body.size)
  }
}

const rowOf = (event: Json.Fields, style: Style): ReadonlyArray<string> => {
  const { type, id } = Json.object(event.subject)
  return [
    style.text(event.index),
    style.instant(event.at),
    style.text(event.kind),
    style.text(`${type} ${id}`),
    style.text(Json.object(event.actor).name)
  ]
}

const resultOf = (feed: Feed): CommandResult => ({
  value: { ...feed },
  items: feed.events,
  quiet: String(feed.next),
  lines: (style) =>
    feed.events.length === 0
      ? ["no events"]
      : Table.lines(feed.events.map((event) => rowOf(event, style)))
})

/** Reads on while a filter leaves out entries, until there are enough or the log ends. */
const collect = async (
  context: CommandContext,
  args: Arguments,
  { after, limit }: { readonly after: number; readonly limit: number }
): Promise<Feed> => {
  const events: Array<Json.Fields> = []
  let feed = await read(context, args, { after, limit })
  events.push(...feed.events)
  while (events.length < limit && feed.next < feed.size - 1) {
    feed = await read(context, args, { after: feed.next, limit: LIMIT_MAX })
    events.push(...feed.events)
  }
  if (events.length <= limit) return { ...feed, events }
  const kept = events.slice(0, limit)
  return { ...feed, events: kept, next: Json.number(kept.at(-1)?.index) }
}

/** The index before the newest entries. */
const newest = async (context: CommandContext, args: Arguments, limit: number): Promise<number> => {
  const { size } = await read(context, args, { after: -1, limit: 1 })
  return Math.max(-1, size - 1 - limit)
}

const follow = async (context: CommandContext, args: Arguments, from: number): Promise<never> => {
  const { host, output } = context
  let after = from
  for (;;) {
    const feed = await read(context, args, { after, limit: LIMIT_MAX })
    if (feed.events.length > 0) output.result(resultOf(feed))
    const isBehind = feed.next > after && feed.next < feed.size - 1
    after = feed.next
    if (isBehind) continue
    await host.sleep(FOLLOW_MS, host.signal)
    host.signal.throwIfAborted()
  }
}

/** Runs `attestry events`. */
export const run: CommandModule["run"] = async (context, args) => {
  const limit = Math.min(LIMIT_MAX, args.number("limit") ?? LIMIT)
  const isFollowing = args.has("follow")
  const after = args.number("after") ?? (await newest(context, args, isFollowing ? 0 : limit))
  return isFollowing
    ? follow(context, args, after)
    : resultOf(await collect(context, args, { after, limit }))
}
