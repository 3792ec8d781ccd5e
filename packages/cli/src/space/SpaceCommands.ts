/** `attestry space …` and `attestry placement-rules …`: the tree of spaces, and where things and new names go. */
import { dryRun } from "../attestation/DryRun.js"
import { present, readJson } from "../attestation/EvidenceFields.js"
import { command as listCommand } from "../reading/ListCommand.js"
import { type ListNoun, listed, text } from "../reading/ListNoun.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import { confirm } from "../shared/Confirmation.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import type { Call } from "../transport/Api.js"
import * as Write from "../writing/Write.js"

const count =
  (name: string) =>
  ({ things }: Json.Fields): string =>
    String(Json.object(things)[name] ?? 0)

const SPACES: ListNoun = listed({
  noun: "spaces",
  brief: "List the spaces of the org that you read",
  operation: "space.list",
  items: "spaces",
  columns: [
    ["PATH", text("path")],
    ["FLOWS", count("flows")],
    ["ENVIRONMENTS", count("environments")],
    ["POLICIES", count("policies")],
    ["CONTROLS", count("controls")],
    ["ACCOUNTS", count("service_accounts")],
    ["DESCRIPTION", text("description")]
  ]
})

/** Lists spaces. */
export const list: CommandModule = listCommand(SPACES)

/** The id of the space of a path. */
const idOf = async ({ api }: CommandContext, path: string): Promise<string> => {
  const answer = Json.object(await (await api()).call("space.list"))
  const found = Json.objects(answer.spaces).find((space) => space.path === path)
  if (found !== undefined) return String(found.id)
  throw new CommandFailure("missing", `there is no space \`${path}\``, {
    hint: "see: attestry space list"
  })
}

/** Sends a write about a space and prints its path; with `--dry-run`, prints the request. */
const written = async (
  context: CommandContext,
  args: Arguments,
  write: { readonly operation: string; readonly call: Call; readonly outcome: string }
): Promise<CommandResult> => {
  if (args.has("dry-run")) return dryRun(context, write.operation, write.call)
  const value = Json.object(await (await context.api()).call(write.operation, write.call))
  return {
    value,
    quiet: String(value.path),
    lines: (style) => [
      `space ${style.text(value.path)}: ${style.tint("green", style.text(write.outcome))}`
    ]
  }
}

/** Creates a space. */
export const create: CommandModule = {
  run: (context, args) =>
    written(context, args, {
      operation: "space.create",
      call: {
        payload: present({ path: args.positionals[0], description: args.text("description") })
      },
      outcome: "created"
    })
}

/** Renames, moves or describes a space. */
export const change: CommandModule = {
  run: async (context, args) => {
    const [path = ""] = args.positionals
    const payload = present({
      name: args.text("name"),
      parent: args.text("parent"),
      description: args.text("description")
    })
    if (Object.keys(payload).length === 0)
      throw usage("nothing to change", "give --name, --parent or --description")
    return written(context, args, {
      operation: "space.change",
      call: { path: { space_id: await idOf(context, path) }, payload },
      outcome: "changed"
    })
  }
}

/** Deletes an empty space. */
export const remove: CommandModule = {
  run: async (context, args) => {
    const [path = ""] = args.positionals
    await confirm(context, args, `space ${path} will be deleted`)
    return Write.perform(context, args, {
      noun: "space",
      name: path,
      operation: "space.delete",
      call: { path: { space_id: await idOf(context, path) } },
      outcome: "deleted"
    })
  }
}

const movedLines = (
  value: Json.Fields,
  isPreview: boolean,
  style: Style
): ReadonlyArray<string> => {
  const [moved, losing] = [Json.objects(value.moved), Json.objects(value.losing)]
  const done = isPreview ? "would move" : "moved"
  return [
    ...(moved.length === 0
      ? ["nothing to move"]
      : moved.map(({ name, type }) => `${style.text(type)} ${style.text(name)}: ${done}`)),
    ...losing.map(({ role, subject }) => {
      const { kind, name } = Json.object(subject)
      const who = kind === "everyone" ? "everyone" : `${style.text(kind)} ${style.text(name)}`
      return `${who} ${isPreview ? "would lose" : "loses"} the role ${style.text(role)} there`
    })
  ]
}

/** Moves things to another space, or says what a move would do. */
export const move: CommandModule = {
  run: async (context, args) => {
    const [to = "", type = "", ...names] = args.positionals
    const [matching, tags] = [args.text("matching"), args.texts("tag")]
    const isMatch = matching !== undefined || tags.length > 0
    if (isMatch === names.length > 0)
      throw usage("give either names, or --matching and --tag", "see: attestry space move --help")
    const isPreview = args.has("preview")
    const call = {
      payload: {
        to,
        preview: isPreview,
        ...(isMatch
          ? {
              match: present({
                type,
                name: matching,
                tags: tags.length === 0 ? undefined : tags.map((each) => each.replace("=", ":"))
              })
            }
          : { things: names.map((name) => ({ type, name })) })
      }
    }
    if (args.has("dry-run")) return dryRun(context, "space.move", call)
    const value = Json.object(await (await context.api()).call("space.move", call))
    return {
      value,
      quiet: Json.objects(value.moved)
        .map(({ name }) => String(name))
        .join("\n"),
      lines: (style) => movedLines(value, isPreview, style)
    }
  }
}

const rulesResult = (value: Json.Fields): CommandResult => {
  const rules = Json.objects(value.rules)
  return {
    value,
    items: rules,
    quiet: rules.map(({ name }) => String(name)).join("\n"),
    lines: (style) =>
      rules.length === 0
        ? ["there are no placement rules"]
        : Table.lines([
            ["TYPE", "NAME", "SPACE"].map((heading) => style.tint("bold", heading)),
            ...rules.map(({ name, space, type }) => [
              style.text(type),
              style.text(name),
              style.text(space)
            ])
          ])
  }
}

/** Shows the placement rules. */
export const getRules: CommandModule = {
  run: async ({ api }) => rulesResult(Json.object(await (await api()).call("placementRule.get")))
}

/** Replaces the placement rules by those of a file, in the form that `get` prints. */
export const setRules: CommandModule = {
  run: async (context, args) => {
    const [file = ""] = args.positionals
    const call = { payload: await readJson(context.host, file) }
    if (args.has("dry-run")) return dryRun(context, "placementRule.put", call)
    return rulesResult(Json.object(await (await context.api()).call("placementRule.put", call)))
  }
}
