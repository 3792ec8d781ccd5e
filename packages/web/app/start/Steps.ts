/** The steps from an empty org to an evaluated snapshot, and which records complete them. */
import type { Environment, ListedArtifact } from "../shared/Contract.js"
import { fromStatus, type Verdict } from "../shared/Verdict.js"

/** The known facts about an org. */
export interface Facts {
  readonly flow: string | undefined
  readonly trail: string | undefined
  readonly artifact: Pick<ListedArtifact, "filename" | "fingerprint"> | undefined
  readonly environments: ReadonlyArray<Environment>
}

/** The names of the steps, in order. */
export const STEPS = ["flow", "evidence", "environment", "report", "policy"] as const
export type StepName = (typeof STEPS)[number]

export interface Step {
  readonly name: StepName
  /** The record that completed the step, in a few words; undefined while it is open. */
  readonly done: string | undefined
}

const hasPolicy = ({ policies, require_provenance }: Environment): boolean =>
  policies.length > 0 || require_provenance

/** The environment of the steps: the one with the most steps done. */
export const environmentOf = (
  environments: ReadonlyArray<Environment>
): Environment | undefined => {
  const physical = environments.filter(({ type }) => type !== "logical")
  const reported = physical.filter(({ latest_snapshot }) => latest_snapshot)
  return reported.find(hasPolicy) ?? reported[0] ?? physical[0]
}

export const stepsOf = ({ flow, trail, artifact, environments }: Facts): ReadonlyArray<Step> => {
  const environment = environmentOf(environments)
  const latest = environment?.latest_snapshot
  const done: { readonly [name in StepName]: string | undefined } = {
    flow,
    evidence:
      artifact === undefined
        ? undefined
        : [trail, artifact.filename, artifact.fingerprint.slice(0, 6)]
            .filter((each) => each !== undefined)
            .join(" · "),
    environment: environment?.name,
    report: latest ? `${environment?.name} has snapshot ${latest.index}` : undefined,
    policy:
      environment !== undefined && latest && hasPolicy(environment)
        ? environment.policies.join(", ") || "provenance required"
        : undefined
  }
  return STEPS.map((name) => ({ name, done: done[name] }))
}

/** The first open step; undefined if all are done. */
export const nextOf = (steps: ReadonlyArray<Step>): StepName | undefined =>
  steps.find(({ done }) => done === undefined)?.name

/** The evaluated snapshot that completes the steps. */
export const resultOf = (
  facts: Facts
):
  | { readonly environment: string; readonly index: number; readonly verdict: Verdict }
  | undefined => {
  const environment = environmentOf(facts.environments)
  const latest = environment?.latest_snapshot
  return environment === undefined || !latest || !hasPolicy(environment)
    ? undefined
    : {
        environment: environment.name,
        index: latest.index,
        verdict: fromStatus(latest.verdict)
      }
}
