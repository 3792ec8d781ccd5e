/**
 * `attestry apply DIR`: reads what the server has, compares, and writes what differs. It never deletes, and fields that
 * a document does not say stay as they are. DECISION B-307
 */
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Json from "../shared/Json.js"
import * as Table from "../shared/Table.js"
import * as ApplyDocuments from "./ApplyDocuments.js"
import { type Current, type Step, stepOf } from "./ApplyPlan.js"
import { controlWrite, notificationWrite } from "./PutCommands.js"
import * as Write from "./Write.js"

type Wanted = ApplyDocuments.Wanted

/** WHY parsed: a template that says the same in other words is the same. */
const templateValue = async (text: unknown): Promise<unknown> => {
  const YamlText = await import("@attestry/core/YamlText")
  const Either = await import("effect/Either")
  const parsed = YamlText.parse(String(text ?? ""))
  return Either.isRight(parsed) ? parsed.right.value : text
}

const typeFields = (type: Json.Fields): Json.Fields => {
  const [newest = {}] = Json.objects(type.versions)
  return {
    description: type.description,
    schema: newest.type_schema,
    jq: Json.list(Json.object(newest.evaluator).rules),
    summary: Object.fromEntries(
      Json.objects(newest.summary).map(({ name, expression }) => [String(name), expression])
    )
  }
}

/** A target without the times of its deliveries. */
const targetFields = ({ type, webhook, emails, payload_version }: Json.Fields): Json.Fields =>
  type === "EMAIL"
    ? { type, emails }
    : { type, webhook, ...(payload_version === undefined ? {} : { payload_version }) }

/** The fields of a resource as documents have them. */
const currentFields = async (noun: Wanted["noun"], found: Json.Fields): Promise<Json.Fields> => {
  switch (noun) {
    case "type":
      return typeFields(found)
    case "policy":
      return { text: Json.objects(found.versions).at(-1)?.policy_yaml }
    case "flow":
      return { ...found, template: await templateValue(found.template) }
    case "environment":
      return { ...found, kind: found.type }
    case "notification":
      return { ...found, targets: Json.objects(found.targets).map(targetFields) }
    default:
      return found
  }
}

const OPERATIONS = {
  type: ["attestationType.get", "type_name"],
  control: ["control.get", "identifier"],
  policy: ["policy.get", "name"],
  flow: ["flow.get", "flow_name"],
  environment: ["environment.get", "env_name"]
} as const

const find = async (
  { api }: CommandContext,
  { noun, name }: Wanted
): Promise<Current | undefined> => {
  const found =
    noun === "notification"
      ? Json.objects(await (await api()).call("environmentNotification.list")).find(
          (each) => each.name === name
        )
      : await (await api()).find(OPERATIONS[noun][0], { path: { [OPERATIONS[noun][1]]: name } })
  if (found === undefined) return undefined
  const fields = Json.object(found)
  return { fields: await currentFields(noun, fields), tags: Json.object(fields.tags) }
}

const planOf = async (context: CommandContext, wanted: Wanted): Promise<Step> => {
  const current = await find(context, wanted)
  const { kind } = wanted.fields
  const isOther = current !== undefined && kind !== undefined && kind !== current.fields.kind
  if (wanted.noun === "environment" && isOther)
    throw usage(`${wanted.file}: ${wanted.name} is of kind ${current.fields.kind}, which stays`)
  const fields =
    wanted.fields.template === undefined
      ? wanted.fields
      : { ...wanted.fields, template: await templateValue(wanted.fields.template) }
  const kindNow = wanted.noun === "environment" ? current?.fields.kind : undefined
  return {
    ...stepOf({ ...wanted, fields }, current),
    wanted:
      kindNow === undefined ? wanted : { ...wanted, fields: { ...wanted.fields, kind: kindNow } }
  }
}

const typeWrite = ({ name, fields }: Wanted): Write.Write => ({
  noun: "type",
  name,
  operation: "attestationType.put",
  call: {
    payload: {
      name,
      ...(fields.description === undefined ? {} : { description: fields.description }),
      ...(fields.schema === undefined ? {} : { type_schema: fields.schema }),
      ...(Json.list(fields.jq).length === 0
        ? {}
        : { evaluator: { content_type: "jq", rules: fields.jq } }),
      ...(fields.summary === undefined
        ? {}
        : {
            summary: Json.members(fields.summary).map(([each, expression]) => ({
              name: each,
              expression
            }))
          })
    }
  }
})

/** WHY two operations: only `put` takes `require_provenance`, and only `patch` clears a description. */
const environmentWrite = ({ wanted, action, changed }: Step): Write.Write => {
  const { name, fields } = wanted
  const { kind, ...others } = fields
  if (kind === undefined)
    throw usage(`environment ${name} is new, and ${wanted.file} does not say its kind`)
  const { require_provenance: _required, ...patched } = others
  return action === "create" || changed.includes("require_provenance")
    ? {
        noun: "environment",
        name,
        operation: "environment.put",
        call: { payload: { name, type: kind, ...others } }
      }
    : {
        noun: "environment",
        name,
        operation: "environment.patch",
        call: { path: { env_name: name }, payload: patched }
      }
}

const flowWrite = ({ name, fields }: Wanted): Write.Write => {
  const { template, ...others } = fields
  return {
    noun: "flow",
    name,
    operation: "flow.putWithTemplate",
    call: {
      payload: { name, ...others, ...(template === undefined ? {} : { template_file: template }) }
    }
  }
}

const writeOf = async (context: CommandContext, step: Step): Promise<Write.Write> => {
  const { wanted, action } = step
  const { noun, name, fields } = wanted
  switch (noun) {
    case "type":
      return typeWrite(wanted)
    case "control":
      return controlWrite(name, fields, action === "create" ? undefined : fields)
    case "policy":
      return {
        noun,
        name,
        operation: "policy.put",
        call: { path: { name }, payload: { policy_yaml: fields.text } }
      }
    case "flow":
      return flowWrite(wanted)
    case "environment":
      return environmentWrite(step)
    case "notification":
      return notificationWrite(context, name, fields)
  }
}

const writeStep = async (context: CommandContext, step: Step): Promise<void> => {
  const { wanted, action, changed, tags } = step
  if (action === "create" || changed.length > 0)
    await Write.send(context, await writeOf(context, step))
  if (tags === undefined) return
  await (await context.api()).write("tag.change", {
    path: { resource_type: wanted.noun, resource_id: wanted.name },
    payload: { set_tags: tags.set, remove_tags: tags.removed }
  })
}

const SIGNS = { create: "+", update: "~", same: "=" } as const

const resultOf = (steps: ReadonlyArray<Step>, isWritten: boolean, isNo: boolean): CommandResult => {
  const changing = steps.filter(({ action }) => action !== "same")
  const items = steps.map(({ wanted, action, changes }) => ({
    noun: wanted.noun,
    name: wanted.name,
    file: wanted.file,
    action,
    changes
  }))
  return {
    exit: isNo && changing.length > 0 ? "no" : "done",
    value: { schema: "attestry.cli/apply/v1", written: isWritten, steps: items },
    items,
    quiet: String(changing.length),
    lines: (style) => [
      ...Table.lines(
        changing.map(({ wanted, action, changes }) => [
          `  ${style.tint(action === "create" ? "green" : "yellow", SIGNS[action])} ${wanted.noun}`,
          style.text(wanted.name),
          changes.map(style.text).join("; ")
        ])
      ),
      `  = ${steps.length - changing.length} as they are`,
      ...(changing.length === 0
        ? []
        : [isWritten ? `${changing.length} written` : `${changing.length} would be written`])
    ]
  }
}

/** Plans, and writes unless it is a dry run. */
export const run: CommandModule["run"] = async (context, args) => {
  const [folder = ""] = args.positionals
  const wanted = await ApplyDocuments.read(context, folder)
  const steps: Array<Step> = []
  for (const each of wanted) steps.push(await planOf(context, each))
  const isDry = args.has("dry-run")
  // WHY before anything is written: a document that cannot be written stops all of them.
  for (const step of steps) if (step.wanted.noun === "environment") environmentWrite(step)
  if (!isDry)
    for (const step of steps.filter(({ action }) => action !== "same"))
      await writeStep(context, step)
  return resultOf(steps, !isDry, args.has("exit-code"))
}
