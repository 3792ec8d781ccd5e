/**
 * Benchmarks 9 and 10: evaluating artifacts by policies, with whole decisions as the result.
 *
 * 9 compares our evaluator with itself at a moment, with a closure written by hand for just these policies, with
 * `@marcbachmann/cel-js` and with Cedar's wasm build; 10 with itself on more artifacts and more policies. Every
 * engine runs in a process of its own, and none is timed before all have answered the same. Cost is CPU time per
 * rule.
 */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { compare } from "./lib/compare.mjs"

const WORK = { artifacts: 1_000, policies: 5 }

// WHY: Node 20 can abort while it deoptimizes inlined calls into wasm.
const FLAGS = ["--no-turbo-inline-js-wasm-calls", "--max-semi-space-size=64"]

const startEngine = (name) => {
  const child = spawn(
    process.execPath,
    [...FLAGS, join(import.meta.dirname, "policy/worker.mjs"), name],
    {
      stdio: ["pipe", "pipe", "inherit"]
    }
  )
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const run = async (work) => {
    child.stdin.write(`${JSON.stringify(work)}\n`)
    const { done, value } = await answers.next()
    if (done) throw new Error(`the engine ${name} has ended`)
    return JSON.parse(value)
  }
  return { name, run, stop: () => child.stdin.end() }
}

/** A side of a comparison: so many passes over the work, after as many to warm up. */
const side = (engine, work, passes) => ({
  warmUp: () => engine.run({ ...work, passes }),
  cost: async () => (await engine.run({ ...work, passes })).nanos
})

const sameAnswers = async (ours, engine, field) => {
  const [one, other] = [
    await ours.run({ ...WORK, passes: 1 }),
    await engine.run({ ...WORK, passes: 1 })
  ]
  if (one[field] !== other[field]) throw new Error(`${engine.name} answers something else`)
}

/** Runs both benchmarks and gives their lines. */
export const run = async () => {
  const [ours, moment, waived, aged, closure, cel, cedar] = [
    "attestry",
    "moment",
    "waived",
    "aged",
    "closure",
    "cel",
    "cedar"
  ].map(startEngine)
  await sameAnswers(ours, closure, "digest")
  await sameAnswers(ours, moment, "digest")
  await sameAnswers(ours, waived, "digest")
  await sameAnswers(ours, aged, "failing")
  await sameAnswers(ours, cel, "failing")
  await sameAnswers(ours, cedar, "failing")
  const unit = "ns CPU/rule"
  const results = []
  const against = async (name, baseline, goal, passes) =>
    results.push(
      await compare({
        name: `9 policy evaluation against ${name}`,
        goal,
        unit,
        subject: side(ours, WORK, 300),
        baseline: side(baseline, WORK, passes)
      })
    )
  await against("a closure that builds the same decisions", closure, 0.7, 300)
  await against("@marcbachmann/cel-js", cel, 5, 30)
  await against("@cedar-policy/cedar-wasm", cedar, 100, 1)
  const scaling = async (name, more, less, passes) =>
    results.push(
      await compare({
        name: `10 ${name}`,
        goal: 0.83,
        unit,
        subject: side(ours, more, passes.more),
        baseline: side(ours, less, passes.less)
      })
    )
  await scaling(
    "5,000 artifacts against 100",
    { artifacts: 5_000, policies: 5 },
    { artifacts: 100, policies: 5 },
    { more: 60, less: 3_000 }
  )
  await scaling(
    "50 policies against 5",
    { artifacts: 1_000, policies: 50 },
    { artifacts: 1_000, policies: 5 },
    { more: 30, less: 300 }
  )
  const timed = async (name, subject, goal) =>
    results.push(
      await compare({
        name: `9 policy evaluation ${name}`,
        goal,
        unit,
        subject: side(subject, WORK, 300),
        baseline: side(ours, WORK, 300)
      })
    )
  await timed("at a moment against without one", moment, 0.97)
  await timed("at a moment with ten waivers against without", waived, 0.87)
  await timed("at a moment, three rules of four with ages, against without", aged, 0.87)
  for (const engine of [ours, moment, waived, aged, closure, cel, cedar]) engine.stop()
  return results
}
