/**
 * `attestry put NOUN NAME`: creates or replaces a resource, and prints which of the two it did. Files are linted
 * before they are sent.
 */
import { present, readJson, readText } from "../attestation/EvidenceFields.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure, usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Duration from "../shared/Duration.js"
import * as Json from "../shared/Json.js"
import * as Write from "./Write.js"

const nameOf = (args: Arguments): string => args.positionals[0] ?? ""

const textsOf = (args: Arguments, flag: string): ReadonlyArray<string> | undefined => {
  const texts = args.texts(flag)
  return texts.length === 0 ? undefined : texts
}

/** Runs `attestry put flow`. */
export const flow: CommandModule = {
  run: async (context, args) => {
    const file = args.text("template")
    const template = file === undefined ? undefined : await readText(context.host, file)
    if (file !== undefined && template !== undefined)
      await (await import("../policy/TemplateLint.js")).check(file, template)
    const payload = present({
      name: nameOf(args),
      description: args.text("description"),
      visibility: args.text("visibility"),
      template_file: template
    })
    return Write.perform(context, args, {
      noun: "flow",
      name: nameOf(args),
      operation: "flow.putWithTemplate",
      call: { payload }
    })
  }
}

/** The kind from the flag, else that of the existing environment. */
const kindOf = async ({ api }: CommandContext, args: Arguments): Promise<string> => {
  const given = args.text("kind")
  if (given !== undefined) return given
  const name = nameOf(args)
  const found = await (await api()).find("environment.get", { path: { env_name: name } })
  const kind = Json.text(Json.object(found).type)
  if (kind !== undefined) return kind
  throw usage("--kind is missing", `there is no environment ${name} whose kind could be kept`)
}

/** The seconds of `--report-every`; null for `none`, undefined without the flag. */
const cadenceOf = (args: Arguments): number | null | undefined => {
  const text = args.text("report-every")
  if (text === undefined || text === "none") return text === undefined ? undefined : null
  const millis = Duration.parse(text)
  if (millis === undefined)
    throw usage(`--report-every expects 15m, 2h, 7d or none, not \`${text}\``)
  return millis / 1_000
}

/** Runs `attestry put environment`. */
export const environment: CommandModule = {
  run: async (context, args) => {
    const payload = present({
      name: nameOf(args),
      type: await kindOf(context, args),
      description: args.text("description"),
      include_scaling: args.boolean("include-scaling"),
      require_provenance: args.boolean("require-provenance"),
      included_environments: textsOf(args, "included-environment"),
      policies: textsOf(args, "policy"),
      report_every: cadenceOf(args),
      when_silent: args.text("when-silent")
    })
    return Write.perform(context, args, {
      noun: "environment",
      name: nameOf(args),
      operation: "environment.put",
      call: { payload }
    })
  }
}

/** Fails for a policy with problems. */
export const checkPolicy = async (file: string, text: string): Promise<void> => {
  const { policy: lint } = await import("../policy/DocumentLint.js")
  const { problems } = lint(text)
  if (problems.length === 0) return
  throw new CommandFailure("usage", `${file} is no valid policy`, {
    errors: Object.fromEntries(
      problems.map(({ line, column, message }) => [`${file}:${line}:${column}`, message])
    )
  })
}

/** The environments that the new version evaluates; empty if they cannot be read. */
const evaluatedIn = async ({ api, output }: CommandContext, name: string): Promise<string> => {
  if (output.options.isQuiet) return ""
  try {
    const policy = Json.object(await (await api()).call("policy.get", { path: { name } }))
    const environments = Json.list(policy.consuming_envs)
    return environments.length === 0 ? "" : `; evaluated at once in ${environments.join(", ")}`
  } catch (error) {
    // WHY: the version is stored; its environments are only information.
    output.trace(`the environments of the policy are not shown: ${error}`)
    return ""
  }
}

/** Runs `attestry put policy`. */
export const policy: CommandModule = {
  run: async (context, args) => {
    const [name = "", file = ""] = args.positionals
    const text = await readText(context.host, file)
    await checkPolicy(file, text)
    const payload = present({
      policy_yaml: text,
      description: args.text("description"),
      comment: args.text("comment"),
      unless: args.text("unless")
    })
    const write = {
      noun: "policy",
      name,
      operation: "policy.put",
      call: { path: { name }, payload }
    }
    if (args.has("dry-run")) return Write.perform(context, args, write)
    const written = await Write.send(context, write)
    const isNew = written.outcome === "updated"
    return Write.resultOf(written, isNew ? await evaluatedIn(context, name) : "")
  }
}

/** The write of a control: creates it, or changes the existing one. */
export const controlWrite = (
  identifier: string,
  fields: Json.Fields,
  found: unknown
): Write.Write =>
  found === undefined
    ? {
        noun: "control",
        name: identifier,
        operation: "control.create",
        call: { payload: { identifier, ...fields } },
        outcome: "created"
      }
    : {
        noun: "control",
        name: identifier,
        operation: "control.update",
        call: { path: { identifier }, payload: fields },
        outcome: "updated"
      }

/** Runs `attestry put control`. */
export const control: CommandModule = {
  run: async (context, args) => {
    const identifier = nameOf(args)
    const links = args.pairs("link")
    const fields = present({
      name: args.text("name"),
      description: args.text("description"),
      links: links.length === 0 ? undefined : Object.fromEntries(links)
    })
    const found = await (await context.api()).find("control.get", { path: { identifier } })
    if (found === undefined && fields.name === undefined)
      throw usage("--name is missing", `there is no control ${identifier} yet`)
    return Write.perform(context, args, controlWrite(identifier, fields, found))
  }
}

/** Runs `attestry put type`. */
export const type: CommandModule = {
  run: async (context, args) => {
    const schema = args.text("schema")
    const rules = textsOf(args, "jq")
    const summary = args.pairs("summary")
    const payload = present({
      name: nameOf(args),
      description: args.text("description"),
      type_schema: schema === undefined ? undefined : await readJson(context.host, schema),
      evaluator: rules === undefined ? undefined : { content_type: "jq", rules },
      summary:
        summary.length === 0
          ? undefined
          : summary.map(([name, expression]) => ({ name, expression }))
    })
    return Write.perform(context, args, {
      noun: "type",
      name: nameOf(args),
      operation: "attestationType.put",
      call: { payload }
    })
  }
}

/** Runs `attestry put account`. */
export const account: CommandModule = {
  run: async (context, args) => {
    const name = nameOf(args)
    const fields = present({
      privilege: args.text("privilege"),
      description: args.text("description")
    })
    const found = await (await context.api()).find("serviceAccount.get", { path: { name } })
    return Write.perform(
      context,
      args,
      found === undefined
        ? {
            noun: "account",
            name,
            operation: "serviceAccount.create",
            call: { payload: { name, ...fields, ...present({ space: args.text("space") }) } },
            outcome: "created"
          }
        : {
            noun: "account",
            name,
            operation: "serviceAccount.update",
            call: { path: { name }, payload: fields },
            outcome: "updated"
          }
    )
  }
}
