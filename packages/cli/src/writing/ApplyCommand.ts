/**
 * `attestry apply DIR`: compares the documents with the server, and writes the differences. It never deletes, and
 * fields that a document omits stay unchanged.
 *
 * Every document is checked, also by the server, before the first write, and all problems are shown together.
 */
import type { CommandContext } from "../shared/CommandContext.js"
import { CommandFailure } from "../shared/CommandFailure.js"
import type { CommandResult } from "../shared/CommandResult.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import type { ExitWord } from "../shared/ExitCode.js"
import { failureOf } from "../shared/Output.js"
import * as Table from "../shared/Table.js"
import * as ApplyCheck from "./ApplyCheck.js"
import { stepFor } from "./ApplyCurrent.js"
import * as ApplyDocuments from "./ApplyDocuments.js"
import type { Step } from "./ApplyPlan.js"
import * as ApplyWrites from "./ApplyWrites.js"
import * as Write from "./Write.js"

type Wanted = ApplyDocuments.Wanted
type Problem = ApplyDocuments.Problem

/** The steps for all documents, and the problems of those that cannot be planned. */
const plannedOf = async (
  context: CommandContext,
  wanted: ReadonlyArray<Wanted>
): Promise<{ readonly steps: ReadonlyArray<Step>; readonly problems: ReadonlyArray<Problem> }> => {
  const steps: Array<Step> = []
  const problems: Array<Problem> = []
  for (const each of wanted) {
    try {
      steps.push(await stepFor(context, each))
    } catch (thrown) {
      if (!ApplyCheck.isAboutDocument(thrown) || thrown.word === "denied") throw thrown
      problems.push(...ApplyCheck.problemsOf(each, thrown))
    }
  }
  return { steps, problems }
}

/** One failure for all problems of the documents. */
const failureOfAll = (
  folder: string,
  problems: ReadonlyArray<Problem>,
  word: "usage" | "denied"
): CommandFailure => {
  const errors = new Map<string, string>()
  for (const { place, message } of problems) {
    const earlier = errors.get(place)
    errors.set(place, earlier === undefined ? message : `${earlier}; ${message}`)
  }
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`
  return new CommandFailure(word, `${folder}: ${count}, and nothing was written`, {
    errors: Object.fromEntries(errors)
  })
}

/** The steps to write; fails with every problem that the documents and the server report. */
const checkedSteps = async (
  context: CommandContext,
  folder: string,
  isDry: boolean
): Promise<ReadonlyArray<Step>> => {
  const documents = ApplyDocuments.read(context, folder)
  const attempt = async () => {
    const planned = await plannedOf(context, documents.wanted)
    return { planned, checked: await ApplyCheck.run(context, documents, planned.steps) }
  }
  const { planned, checked } = await attempt().catch((thrown: unknown) => {
    if (context.host.signal.aborted || documents.problems.length === 0) throw thrown
    // WHY: an unreachable server must not hide the problems of the files.
    throw failureOfAll(folder, documents.problems, "usage")
  })
  const problems = [...documents.problems, ...planned.problems, ...checked.problems]
  if (problems.length > 0)
    throw failureOfAll(folder, [...problems, ...(isDry ? [] : checked.denials)], "usage")
  const [denial] = checked.denials
  if (denial === undefined) return planned.steps
  if (!isDry) throw failureOfAll(folder, checked.denials, "denied")
  // WHY: a key that may only read can still show the plan.
  context.output.warn(`the server has not checked everything: ${denial.message}`)
  return planned.steps
}

/** The outcome of a step: `in part` wrote the fields but not the tags, `unknown` got no answer. */
type Outcome = "same" | "planned" | "written" | "in part" | "failed" | "unknown" | "not written"

interface Applied {
  readonly step: Step
  readonly outcome: Outcome
}

/** The steps that were written, and the failure that stopped the rest. */
interface Written {
  readonly applied: ReadonlyArray<Applied>
  readonly failure: CommandFailure | undefined
}

const filesOf = (applied: ReadonlyArray<Applied>): string =>
  applied
    .filter(({ outcome }) => outcome === "written")
    .map(({ step }) => step.wanted.file)
    .join(", ")

/** The failure of a write, with the position of its document. */
const failureAt = (wanted: Wanted, thrown: unknown): CommandFailure => {
  const { word, message, details } = failureOf(thrown)
  const problems = ApplyCheck.problemsOf(
    wanted,
    new CommandFailure(word, message, {
      errors: details.errors
    })
  )
  return new CommandFailure(word, `${wanted.file}: ${message}`, {
    ...details,
    errors:
      details.errors === undefined
        ? undefined
        : Object.fromEntries(problems.map(({ place, message: said }) => [place, said]))
  })
}

/** Writes the steps in order, up to the first failure. */
const writeAll = async (context: CommandContext, steps: ReadonlyArray<Step>): Promise<Written> => {
  const applied: Array<Applied> = []
  let failure: CommandFailure | undefined
  for (const step of steps) {
    if (step.action === "same" || failure !== undefined) {
      applied.push({ step, outcome: step.action === "same" ? "same" : "not written" })
      continue
    }
    const done: Array<string> = []
    try {
      if (step.action === "create" || step.changed.length > 0) {
        await Write.send(context, await ApplyWrites.of(context, step))
        done.push("fields")
      }
      const tags = ApplyWrites.tagsOf(step)
      if (tags !== undefined) await (await context.api()).write("tag.change", tags)
      applied.push({ step, outcome: "written" })
    } catch (thrown) {
      if (context.host.signal.aborted) {
        context.output.warn(`written before the end: ${filesOf(applied) || "nothing"}`)
        throw thrown
      }
      failure = failureAt(step.wanted, thrown)
      const none = failure.word === "unanswered" ? "unknown" : "failed"
      applied.push({ step, outcome: done.length > 0 ? "in part" : none })
    }
  }
  return { applied, failure }
}

const SIGNS = { create: "+", update: "~", same: "=" } as const

const countOf = (applied: ReadonlyArray<Applied>, ...outcomes: ReadonlyArray<Outcome>): number =>
  applied.filter(({ outcome }) => outcomes.includes(outcome)).length

const endOf = (applied: ReadonlyArray<Applied>): ReadonlyArray<string> => {
  const changing = applied.filter(({ outcome }) => outcome !== "same")
  const written = countOf(applied, "written")
  if (changing.length === 0) return []
  if (countOf(applied, "planned") > 0) return [`${changing.length} would be written`]
  return [
    written === changing.length
      ? `${written} written`
      : `${written} written, ${changing.length - written} not; run it again when the cause is removed`
  ]
}

const exitOf = ({ applied, failure }: Written, isNo: boolean): ExitWord => {
  if (failure !== undefined)
    return countOf(applied, "written", "in part") > 0 ? "partial" : failure.word
  return isNo && applied.some(({ outcome }) => outcome !== "same") ? "no" : "done"
}

const resultOf = (written: Written, isWritten: boolean, isNo: boolean): CommandResult => {
  const { applied, failure } = written
  const changing = applied.filter(({ outcome }) => outcome !== "same")
  const items = applied.map(({ step: { wanted, action, changes }, outcome }) => ({
    noun: wanted.noun,
    name: wanted.name,
    file: wanted.file,
    action,
    outcome,
    changes
  }))
  return {
    exit: exitOf(written, isNo),
    value: { schema: "attestry.cli/apply/v1", written: isWritten, steps: items },
    items,
    quiet: String(failure === undefined ? changing.length : countOf(applied, "written")),
    lines: (style) => [
      ...Table.lines(
        changing.map(({ step: { wanted, action, changes }, outcome }) => [
          `  ${style.tint(action === "create" ? "green" : "yellow", SIGNS[action])} ${wanted.noun}`,
          style.text(wanted.name),
          ...(failure === undefined ? [] : [style.text(wanted.file), outcome]),
          changes.map(style.text).join("; ")
        ])
      ),
      `  = ${applied.length - changing.length} as they are`,
      ...endOf(applied)
    ]
  }
}

const plan = (steps: ReadonlyArray<Step>): Written => ({
  applied: steps.map((step) => ({ step, outcome: step.action === "same" ? "same" : "planned" })),
  failure: undefined
})

/** Runs `attestry apply`. */
export const run: CommandModule["run"] = async (context, args) => {
  const [folder = ""] = args.positionals
  const isDry = args.has("dry-run")
  const steps = await checkedSteps(context, folder, isDry)
  const written = isDry ? plan(steps) : await writeAll(context, steps)
  if (written.failure !== undefined) context.output.failure(written.failure)
  return resultOf(written, !isDry && written.failure === undefined, args.has("exit-code"))
}
