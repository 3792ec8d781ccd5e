/** Reads the current state of a resource for `attestry apply`, and plans the step that changes it. */
import * as YamlText from "@attestry/core/YamlText"
import * as Either from "effect/Either"
import * as Products from "../environment/cloud/Products.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure } from "../shared/CommandFailure.js"
import * as Json from "../shared/Json.js"
import type { Wanted } from "./ApplyDocuments.js"
import { type Current, type Step, stepOf } from "./ApplyPlan.js"

/** WHY parsed: templates may differ in spelling but mean the same. */
const templateValue = (text: unknown): unknown => {
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

/** The fields of a resource, in the form of documents. */
const currentFields = (noun: Wanted["noun"], found: Json.Fields): Json.Fields => {
  switch (noun) {
    case "type":
      return typeFields(found)
    case "policy":
      return { text: Json.objects(found.versions).at(-1)?.policy_yaml }
    case "flow":
      return { ...found, template: templateValue(found.template) }
    case "environment":
      return { ...found, kind: Products.kindOf(String(found.type)) }
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
  return { fields: currentFields(noun, fields), tags: Json.object(fields.tags) }
}

/** The step for a document; fails with `usage` if the environment has another kind. */
export const stepFor = async (context: CommandContext, wanted: Wanted): Promise<Step> => {
  const current = await find(context, wanted)
  const { kind } = wanted.fields
  const isOther = current !== undefined && kind !== undefined && kind !== current.fields.kind
  if (wanted.noun === "environment" && isOther)
    throw new CommandFailure("usage", "the kind of an environment never changes", {
      errors: {
        kind: `${wanted.name} is of kind ${Products.wordOf(String(current.fields.kind))}, which stays`
      }
    })
  const fields =
    wanted.fields.template === undefined
      ? wanted.fields
      : { ...wanted.fields, template: templateValue(wanted.fields.template) }
  const kindNow = wanted.noun === "environment" ? current?.fields.kind : undefined
  return {
    ...stepOf({ ...wanted, fields }, current),
    wanted:
      kindNow === undefined ? wanted : { ...wanted, fields: { ...wanted.fields, kind: kindNow } }
  }
}
