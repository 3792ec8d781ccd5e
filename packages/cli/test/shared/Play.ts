/** Runs one command line for programs, for people and in a pipe, and compares each with its golden file. */
import { assert } from "vitest"
import { golden } from "./Golden.js"
import { type Machine, type Ran, run } from "./Run.js"
import type { Deployment } from "./TestDeployment.js"

/** The forms of output. */
export type Form = "json" | "tty" | "pipe"

/** A command line; one that cannot be repeated says it for each form. */
export type Line = ReadonlyArray<string> | ((form: Form) => ReadonlyArray<string>)

/** What a player is made of. */
export interface Stage {
  readonly cwd: string
  readonly deployment: () => Deployment
  readonly role?: keyof Deployment["keys"]
  readonly env?: { readonly [name: string]: string }
}

/** The machine of a deployment. */
export const machineOf =
  ({ cwd, deployment, role = "admin", env = {} }: Stage) =>
  (more: Machine = {}): Machine => ({
    cwd,
    ...more,
    env: {
      ATTESTRY_URL: deployment().url,
      ATTESTRY_API_KEY: deployment().keys[role],
      ...env,
      ...more.env
    }
  })

/** The expected exit code of a command line, and the machine to run it on. */
export interface Playing {
  readonly code?: number
  readonly machine?: (form: Form) => Machine
}

/** Runs command lines in every output form; returns the output for programs. */
export const player = (stage: Stage) => {
  const machine = machineOf(stage)
  return async (name: string, line: Line, playing: number | Playing = {}): Promise<Ran> => {
    const { code = 0, machine: more = () => ({}) } =
      typeof playing === "number" ? { code: playing } : playing
    const argv = (form: Form) => (typeof line === "function" ? line(form) : line)
    const json = await run([...argv("json"), "-o", "json"], machine(more("json")))
    assert.strictEqual(json.code, code, json.stderr + json.stdout)
    const tty = await run(argv("tty"), machine({ tty: true, ...more("tty") }))
    assert.strictEqual(tty.code, code, tty.stderr + tty.stdout)
    const pipe = await run(argv("pipe"), machine(more("pipe")))
    assert.strictEqual(pipe.code, code, pipe.stderr + pipe.stdout)
    golden(`${name}.json`, json.stdout === "" ? json.stderr : json.stdout)
    golden(`${name}.tty`, tty.stdout + tty.stderr)
    golden(`${name}.pipe`, pipe.stdout + pipe.stderr)
    return json
  }
}
