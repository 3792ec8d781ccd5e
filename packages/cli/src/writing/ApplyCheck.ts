/**
 * Checks the steps of `attestry apply` on the server before the first write: sends each write with `dry_run`, which
 * checks it and stores nothing.
 *
 * A step may refer to a resource of the same folder that does not exist yet; the request omits such references, and
 * they are checked against the documents.
 */
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure } from "../shared/CommandFailure.js"
import * as Json from "../shared/Json.js"
import { type Documents, type Problem, segments, type Wanted } from "./ApplyDocuments.js"
import type { Step } from "./ApplyPlan.js"
import * as ApplyWrites from "./ApplyWrites.js"
import * as Write from "./Write.js"

/** Members that requests name differently. */
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ["type", "kind"],
  ["template_file", "template"],
  ["type_schema", "schema"],
  ["evaluator", "jq"],
  ["triggers", "on"],
  ["targets", "to"],
  ["set_tags", "tags"],
  ["remove_tags", "tags"]
])

/** The exit codes of failures that concern a document. */
const ABOUT_DOCUMENTS: ReadonlyArray<string> = ["usage", "missing", "refused", "denied"]

/** Whether a failure concerns one document only. */
export const isAboutDocument = (thrown: unknown): thrown is CommandFailure =>
  thrown instanceof CommandFailure && ABOUT_DOCUMENTS.includes(thrown.word)

/** Members that contain names of other resources. */
const REFERENCES: ReadonlyArray<string> = ["policies", "included_environments"]

/** The path of the item that a message quotes; the whole document if it quotes none. */
const quotedIn = (fields: Json.Fields, message: string): ReadonlyArray<string | number> => {
  const paths = REFERENCES.flatMap((member) =>
    Json.list(fields[member]).map((name, index) => ({ name, path: [member, index] }))
  )
  return paths.find(({ name }) => message.includes(`'${name}'`))?.path ?? []
}

/** The problems of a document in a failure, each with its position. */
export const problemsOf = (
  { noun, at, fields }: Wanted,
  { message, details }: CommandFailure
): ReadonlyArray<Problem> => {
  const errors = Object.entries(details.errors ?? {})
  const hint = details.hint === undefined ? "" : `; ${details.hint}`
  if (errors.length === 0)
    return [{ place: at(quotedIn(fields, message)), message: `${message}${hint}` }]
  return errors.map(([field, problem]) => {
    const [head = "", ...rest] = segments(field)
    const member = MEMBERS.get(String(head)) ?? String(head)
    const isMember = noun !== "policy" && (member === "tags" || Object.hasOwn(fields, member))
    return isMember
      ? { place: at([member, ...rest]), message: problem }
      : { place: at([]), message: `${field}: ${problem}` }
  })
}

const keyOf = ({ noun, name }: Pick<Wanted, "noun" | "name">): string => `${noun}/${name}`

/** The step without references to resources that do not exist yet. */
const rehearsed = (step: Step, fresh: ReadonlySet<string>): Step => {
  const { noun, fields } = step.wanted
  if (noun !== "environment") return step
  const kept = (member: string, referred: Wanted["noun"]): Json.Fields =>
    fields[member] === undefined
      ? {}
      : {
          [member]: Json.list(fields[member]).filter(
            (name) => !fresh.has(keyOf({ noun: referred, name: String(name) }))
          )
        }
  return {
    ...step,
    wanted: {
      ...step.wanted,
      fields: {
        ...fields,
        ...kept("policies", "policy"),
        ...kept("included_environments", "environment")
      }
    }
  }
}

/** Members of a logical environment that the folder defines as logical too, which the server would refuse. */
const logicalMembers = (step: Step, steps: ReadonlyArray<Step>): ReadonlyArray<Problem> =>
  Json.list(step.wanted.fields.included_environments).flatMap((name, index) => {
    const member = steps.find(({ wanted }) => wanted.noun === "environment" && wanted.name === name)
    return member?.wanted.fields.kind === "logical"
      ? [
          {
            place: step.wanted.at(["included_environments", index]),
            message: `${name} is logical itself`
          }
        ]
      : []
  })

const DRY_RUN = { urlParams: { dry_run: true } }

const rehearse = async (context: CommandContext, step: Step): Promise<void> => {
  if (step.action === "create" || step.changed.length > 0) {
    const write = await ApplyWrites.of(context, step)
    await Write.send(context, { ...write, call: { ...write.call, ...DRY_RUN } })
  }
  const tags = ApplyWrites.tagsOf(step)
  if (tags === undefined) return
  const api = await context.api()
  // WHY: the server cannot check the tags of a resource that does not exist yet.
  if (step.action === "create") await api.check("tag.change", tags)
  else await api.write("tag.change", { ...tags, ...DRY_RUN })
}

/** The result of the server's checks. */
export interface Checked {
  readonly problems: ReadonlyArray<Problem>
  /** Refusals because the key may not write. */
  readonly denials: ReadonlyArray<Problem>
}

/** Checks the steps that write on the server. */
export const run = async (
  context: CommandContext,
  { named }: Documents,
  steps: ReadonlyArray<Step>
): Promise<Checked> => {
  const known = new Set(
    steps.filter(({ action }) => action !== "create").map(({ wanted }) => keyOf(wanted))
  )
  const fresh = new Set(named.map(keyOf).filter((key) => !known.has(key)))
  const problems: Array<Problem> = []
  const denials: Array<Problem> = []
  for (const step of steps.filter(({ action }) => action !== "same")) {
    problems.push(...logicalMembers(step, steps))
    try {
      await rehearse(context, rehearsed(step, fresh))
    } catch (thrown) {
      if (!isAboutDocument(thrown)) throw thrown
      const found = problemsOf(step.wanted, thrown)
      if (thrown.word === "denied") denials.push(...found)
      else problems.push(...found)
    }
  }
  return { problems, denials }
}
