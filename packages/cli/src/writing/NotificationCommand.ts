/** `attestry put notification NAME`: creates or replaces a notification about environments, or about flows. */
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import * as NotificationTargets from "./NotificationTargets.js"
import * as Write from "./Write.js"

/** The only notification of a name and an owner; fails with exit code 2 if several have them. */
const onlyOf = (
  all: unknown,
  { name, team }: Json.Fields,
  isOfKind: (each: Json.Fields) => boolean
): Json.Fields | undefined => {
  const found = Json.objects(all).filter(
    (each) => each.name === name && each.team === team && isOfKind(each)
  )
  if (found.length > 1)
    throw usage(
      `${found.length} notifications are named \`${name}\``,
      `delete all but one: attestry delete notification ${found.map(({ number }) => number).join(" or ")}`
    )
  return found[0]
}

/** The write of a notification about environments, which replaces the one with the same name. */
export const notificationWrite = async (
  { api }: CommandContext,
  name: string,
  fields: Json.Fields
): Promise<Write.Write> => {
  const payload: Json.Fields = { name, ...fields }
  const only = onlyOf(await (await api()).call("environmentNotification.list"), payload, () => true)
  return only === undefined
    ? { noun: "notification", name, operation: "environmentNotification.create", call: { payload } }
    : {
        noun: "notification",
        name,
        operation: "environmentNotification.update",
        call: { path: { number: only.number }, payload }
      }
}

/** The values of a flag that must be given. */
const needed = (args: Arguments, flag: string): ReadonlyArray<string> => {
  const values = args.texts(flag)
  if (values.length === 0) throw usage(`--${flag} is missing`)
  return values
}

/** The owner that is asked for; the org without one. */
const ownerOf = (args: Arguments): { readonly team?: string } => {
  const team = args.text("team")
  return team === undefined ? {} : { team }
}

const triggersOf = (args: Arguments, isOfFlows: boolean): ReadonlyArray<string> => {
  const own = isOfFlows ? NotificationTargets.FLOW_TRIGGERS : NotificationTargets.TRIGGERS
  const words = needed(args, "on")
  const foreign = words.find((word) => !own.includes(word))
  if (foreign !== undefined)
    throw usage(
      `--on ${foreign} is not for ${isOfFlows ? "flows" : "environments"}`,
      `it is one of ${own.join(", ")}`
    )
  return words.map(NotificationTargets.triggerOf)
}

/**
 * Writes a notification about flows. The API has no update of one, so the new one is created and the old one of the
 * name is deleted after it; the server keeps an equal one as it is.
 */
const putForFlows: CommandModule["run"] = async (context, args) => {
  const [name = ""] = args.positionals
  const payload = {
    name,
    flows: args.texts("flow"),
    triggers: triggersOf(args, true),
    targets: NotificationTargets.parse(context, needed(args, "to")),
    ...ownerOf(args)
  }
  const write = {
    noun: "notification",
    name,
    operation: "action.createForFlows",
    call: { payload }
  }
  if (args.has("dry-run")) return Write.perform(context, args, write)
  const api = await context.api()
  const old = onlyOf(await api.call("action.list"), payload, ({ type }) => type === "flow")
  const written = await Write.send(context, write)
  if (old === undefined) return Write.resultOf({ ...written, outcome: "created" })
  const isReplaced = Json.objects(await api.call("action.list")).some(
    (each) =>
      each.name === name &&
      each.team === old.team &&
      each.type === "flow" &&
      each.number !== old.number
  )
  if (isReplaced) await api.call("action.delete", { path: { action_number: old.number } })
  return Write.resultOf({ ...written, outcome: isReplaced ? "updated" : "unchanged" })
}

/** Runs `attestry put notification`. */
export const run: CommandModule["run"] = async (context, args) => {
  if (args.texts("flow").length > 0) {
    if (args.texts("environment").length > 0)
      throw usage("--environment and --flow exclude each other", "write one notification for each")
    return putForFlows(context, args)
  }
  const environments = args.texts("environment")
  if (environments.length === 0) throw usage("--environment or --flow is missing")
  const triggers = triggersOf(args, false)
  const targets = NotificationTargets.parse(context, needed(args, "to"))
  const [name = ""] = args.positionals
  const write = await notificationWrite(context, name, {
    environments,
    triggers,
    targets,
    ...ownerOf(args)
  })
  return Write.perform(context, args, write)
}
