/** Commands that change an existing resource: tags, policies, names, allow-lists and archiving. */
import * as ArtifactArgument from "../artifact/ArtifactArgument.js"
import { present } from "../attestation/EvidenceFields.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import { confirm } from "../shared/Confirmation.js"
import * as Instant from "../shared/Instant.js"
import * as Json from "../shared/Json.js"
import * as Write from "./Write.js"

/** The kinds of resources with tags. */
export const TAGGED = ["flow", "environment", "control", "repository"] as const

/** Parses changes of tags: `K=V` sets, `K-` removes. */
const tagChanges = (texts: ReadonlyArray<string>): Json.Fields => {
  const set: Array<readonly [string, string]> = []
  const removed: Array<string> = []
  for (const text of texts) {
    const at = text.indexOf("=")
    if (at > 0) set.push([text.slice(0, at), text.slice(at + 1)])
    else if (at < 0 && text.length > 1 && text.endsWith("-")) removed.push(text.slice(0, -1))
    else throw usage(`\`${text}\` is neither KEY=VALUE nor KEY-`)
  }
  return { set_tags: Object.fromEntries(set), remove_tags: removed }
}

/** WHY: names of repositories are not unique, so tags refer to the internal id. */
const tagId = async ({ api }: CommandContext, noun: string, name: string): Promise<string> => {
  if (noun !== "repository") return name
  const repo = Json.object(await (await api()).call("repo.get", { path: { repo_name: name } }))
  return Json.text(repo.id) ?? name
}

/** Runs `attestry tag`. */
export const tag: CommandModule = {
  run: async (context, args) => {
    const [noun = "", name = "", ...changes] = args.positionals
    const payload = tagChanges(changes)
    const resource_id = await tagId(context, noun, name)
    const resource_type = noun === "repository" ? "repo" : noun
    return Write.perform(context, args, {
      noun,
      name,
      operation: "tag.change",
      call: { path: { resource_type, resource_id }, payload }
    })
  }
}

/** Attaches or detaches a policy, one environment after another. */
const attaching = (operation: string): CommandModule => ({
  run: async (context, args) => {
    const [policy = "", ...environments] = args.positionals
    const isDetaching = operation === "environment.detach"
    if (isDetaching)
      await confirm(context, args, `${environments.join(", ")} will not be evaluated by ${policy}`)
    const payload = present({
      policy_names: [policy],
      mode: args.text("mode"),
      reason: args.text("reason")
    })
    const writes = environments.map((name) => ({
      noun: "environment",
      name,
      operation,
      call: { path: { env_name: name }, payload }
    }))
    const [first] = writes
    if (args.has("dry-run") && first !== undefined) return Write.perform(context, args, first)
    const all: Array<Write.Written> = []
    for (const write of writes) all.push(await Write.send(context, write))
    return Write.resultOfAll(all)
  }
})

/** Runs `attestry attach`. */
export const attach = attaching("environment.attach")

/** Runs `attestry detach`. */
export const detach = attaching("environment.detach")

/** Adds an environment to a logical one. */
export const join: CommandModule = {
  run: async (context, args) => {
    const [logical = "", physical = ""] = args.positionals
    return Write.perform(context, args, {
      noun: "environment",
      name: logical,
      operation: "environment.join",
      call: { path: { env_name: logical }, payload: { physical_env_name: physical } }
    })
  }
}

/** The operations of a noun that can be renamed or archived, and the path parameter with its name. */
interface Changeable {
  readonly parameter: string
  readonly rename?: string
  readonly archive: string
  readonly unarchive?: string
}

const CHANGEABLE: { readonly [noun: string]: Changeable } = {
  flow: { parameter: "flow_name", rename: "flow.rename", archive: "flow.archive" },
  environment: {
    parameter: "env_name",
    rename: "environment.rename",
    archive: "environment.archive"
  },
  control: {
    parameter: "identifier",
    archive: "control.archive",
    unarchive: "control.unarchive"
  },
  type: { parameter: "type_name", archive: "attestationType.archive" }
}

/** The operation of a change, and the path of the resource. */
const changeOf = (change: "rename" | "archive" | "unarchive", noun: string, name: string) => {
  const changeable = new Map(Object.entries(CHANGEABLE)).get(noun)
  const operation = changeable?.[change]
  if (changeable === undefined || operation === undefined)
    throw new Error(`there is no ${change} of ${noun}`)
  return { operation, path: { [changeable.parameter]: name } }
}

/** Renames a resource. */
export const rename = (noun: string): CommandModule => ({
  run: async (context, args) => {
    const [name = "", newName = ""] = args.positionals
    const { operation, path } = changeOf("rename", noun, name)
    return Write.perform(context, args, {
      noun,
      name: newName,
      operation,
      call: { path, payload: { new_name: newName } }
    })
  }
})

/** Archives a resource after a confirmation, or unarchives it. */
export const archive = (verb: "archive" | "unarchive", noun: string): CommandModule => ({
  run: async (context, args) => {
    const [name = ""] = args.positionals
    const { operation, path } = changeOf(verb, noun, name)
    if (verb === "archive") await confirm(context, args, `${noun} ${name} will be archived`)
    return Write.perform(context, args, {
      noun,
      name,
      operation,
      call: { path },
      outcome: `${verb}d`
    })
  }
})

/** The name of an artifact in its flows; its fingerprint if no flow has it. */
const artifactName = async ({ api }: CommandContext, fingerprint: string): Promise<string> => {
  const found = await (await api()).find("search.sha", { path: { value: fingerprint } })
  const [artifact] = Json.objects(Json.object(found).artifacts)
  return Json.text(artifact?.name) ?? fingerprint
}

/** The end that `--until` gives; undefined without it. */
const endOf = ({ host }: CommandContext, args: Arguments): number | undefined => {
  const text = args.text("until")
  if (text === undefined) return undefined
  const end = Instant.parse(host, text, "after")
  if (end === undefined)
    throw usage(`--until expects 3d, 2026-11-21 or 2026-11-21T14:00:00Z, not \`${text}\``)
  return end
}

/** Allows an artifact in an environment; its name is that of the path or image, or that of a flow. */
export const allow: CommandModule = {
  run: async (context, args) => {
    const [environment = "", text = ""] = args.positionals
    const description = args.required("reason")
    const [expires_at, owner] = [endOf(context, args), args.text("owner")]
    const { fingerprint, name } = await ArtifactArgument.named(context, args, text)
    const artifact_name = args.text("name") ?? name ?? (await artifactName(context, fingerprint))
    return Write.perform(context, args, {
      noun: "allowed",
      name: `${artifact_name} in ${environment}`,
      operation: "allowList.put",
      more:
        expires_at === undefined ? "" : `, until ${Instant.print(expires_at, context.host.now())}`,
      call: {
        path: { env_name: environment },
        payload: {
          artifact_fingerprint: fingerprint,
          artifact_name,
          description,
          ...(expires_at === undefined ? {} : { expires_at }),
          ...(owner === undefined ? {} : { owner })
        }
      }
    })
  }
}

/** Removes an artifact from the allow-list. */
export const disallow: CommandModule = {
  run: async (context, args) => {
    const [environment = "", text = ""] = args.positionals
    const { fingerprint, name } = await ArtifactArgument.named(context, args, text)
    const shown = name ?? fingerprint.slice(0, 12)
    await confirm(context, args, `${shown} will not be allowed in ${environment}`)
    return Write.perform(context, args, {
      noun: "allowed",
      name: `${fingerprint} in ${environment}`,
      operation: "allowList.remove",
      call: { path: { env_name: environment, fingerprint } }
    })
  }
}

/** Deletes a service account with its keys. */
export const deleteAccount: CommandModule = {
  run: async (context, args) => {
    const [name = ""] = args.positionals
    await confirm(context, args, `account ${name} and its keys will be deleted`)
    return Write.perform(context, args, {
      noun: "account",
      name,
      operation: "serviceAccount.delete",
      call: { path: { name } }
    })
  }
}

/** The number of the notification. */
const notificationOf = (args: Arguments): string => {
  const [number = ""] = args.positionals
  if (!/^\d{1,9}$/.test(number))
    throw usage(`\`${number}\` is no number of a notification`, "see: attestry list notifications")
  return number
}

/** Sends a test message to the targets of a notification. */
export const testNotification: CommandModule = {
  run: async (context, args) => {
    const number = notificationOf(args)
    return Write.perform(context, args, {
      noun: "notification",
      name: number,
      operation: "action.test",
      outcome: "test message queued",
      call: { path: { action_number: Number(number) } }
    })
  }
}

/** Deletes a notification by its number. */
export const deleteNotification: CommandModule = {
  run: async (context, args) => {
    const number = notificationOf(args)
    await confirm(context, args, `notification ${number} will be deleted`)
    return Write.perform(context, args, {
      noun: "notification",
      name: number,
      operation: "action.delete",
      call: { path: { action_number: Number(number) } }
    })
  }
}
