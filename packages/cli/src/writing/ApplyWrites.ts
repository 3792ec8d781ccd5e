/** The requests of `attestry apply`: the write of each step, and the change of its tags. */
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import * as Json from "../shared/Json.js"
import type { Call } from "../transport/Api.js"
import type { Wanted } from "./ApplyDocuments.js"
import type { Step } from "./ApplyPlan.js"
import { notificationWrite } from "./NotificationCommand.js"
import { controlWrite } from "./PutCommands.js"
import type * as Write from "./Write.js"

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
    throw usage(`the environment ${name} is new, and the document does not say its kind`)
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

/** The write of a step's fields; fails with `usage` if the document lacks a required field. */
export const of = async (context: CommandContext, step: Step): Promise<Write.Write> => {
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

/** The request that changes a step's tags; undefined if they do not change. */
export const tagsOf = ({ wanted, tags }: Step): Call | undefined =>
  tags === undefined
    ? undefined
    : {
        path: { resource_type: wanted.noun, resource_id: wanted.name },
        payload: { set_tags: tags.set, remove_tags: tags.removed }
      }
