/**
 * The commands for one environment, and all inputs of the verdicts of its rows.
 *
 * Policies are reduced to two that read provenance alone. The model of histories and the real decisions both
 * use this.
 */

/** One running unit of a report. */
export interface ModelUnit {
  readonly digests: { readonly [name: string]: string }
  readonly creationTimestamp: number
}

/** The view of one flow on a fingerprint. */
export interface ModelFlowView {
  readonly flow: string
  readonly trail: string
  readonly slot: string
  readonly artifact: string
  readonly status: string
}

/** `provenance` requires a flow that knows the artifact, `trail` requires all of them to be compliant. */
export type ModelPolicy = "provenance" | "trail"

/** A command for an environment. */
export type Command =
  | { readonly _tag: "Report"; readonly units: ReadonlyArray<ModelUnit> }
  | { readonly _tag: "Attach"; readonly policy: ModelPolicy }
  | { readonly _tag: "Detach"; readonly policy: ModelPolicy }
  | { readonly _tag: "NewVersion"; readonly policy: ModelPolicy }
  | { readonly _tag: "Allow"; readonly fingerprint: string }
  | { readonly _tag: "Disallow"; readonly fingerprint: string }
  | { readonly _tag: "Evidence"; readonly fingerprint: string; readonly view: ModelFlowView }
  | { readonly _tag: "Scaling"; readonly on: boolean }

/** A command and the clock at its arrival, in microseconds; clocks may go back. */
export interface Step {
  readonly at: number
  readonly command: Command
}

/** An evaluated row. */
export interface ModelRow {
  readonly name: string
  readonly fingerprint: string
  readonly creationTimestamp: ReadonlyArray<number>
  readonly verdict: "Compliant" | "NonCompliant" | "Unknown"
  readonly statuses: ReadonlyArray<{ readonly policy_name: string; readonly status: string }>
  readonly reasons: ReadonlyArray<unknown>
  readonly views: ReadonlyArray<ModelFlowView>
}

/** All inputs of the verdicts of an environment. */
export interface ModelWorld {
  readonly includeScaling: boolean
  readonly attached: ReadonlyArray<ModelPolicy>
  readonly versions: { readonly [P in ModelPolicy]: number }
  readonly allowed: ReadonlyArray<string>
  readonly views: ReadonlyArray<{ readonly fingerprint: string; readonly view: ModelFlowView }>
  readonly lastReportedAt: number | null
}

/** An environment before any command. */
export const emptyWorld: ModelWorld = {
  includeScaling: false,
  attached: [],
  versions: { provenance: 1, trail: 1 },
  allowed: [],
  views: [],
  lastReportedAt: null
}

/** The world after a command; reports only change the time of the last report. */
export const changeWorld = (world: ModelWorld, { at, command }: Step): ModelWorld => {
  switch (command._tag) {
    case "Report":
      return { ...world, lastReportedAt: at }
    case "Attach":
      return { ...world, attached: [...new Set([...world.attached, command.policy])].sort() }
    case "Detach":
      return { ...world, attached: world.attached.filter((policy) => policy !== command.policy) }
    case "NewVersion": {
      const version = world.versions[command.policy] + 1
      return { ...world, versions: { ...world.versions, [command.policy]: version } }
    }
    case "Allow":
      return { ...world, allowed: [...new Set([...world.allowed, command.fingerprint])] }
    case "Disallow":
      return { ...world, allowed: world.allowed.filter((one) => one !== command.fingerprint) }
    case "Evidence": {
      const others = world.views.filter(
        ({ fingerprint, view }) =>
          fingerprint !== command.fingerprint || view.flow !== command.view.flow
      )
      return { ...world, views: [...others, command] }
    }
    case "Scaling":
      return { ...world, includeScaling: command.on }
  }
}

/** The policies that apply, with their versions. */
export const policiesOf = (world: ModelWorld) =>
  world.attached.map((name) => ({ name, version: world.versions[name] }))

/** The verdict of the policies about one row; an unknown fingerprint has no flow. */
export const evaluate = (
  world: ModelWorld,
  row: Pick<ModelRow, "name" | "fingerprint" | "creationTimestamp">
): ModelRow => {
  const { name, fingerprint, creationTimestamp } = row
  const views = world.views
    .filter((known) => fingerprint !== "" && known.fingerprint === fingerprint)
    .map(({ view }) => view)
  const statuses = world.attached.map((policy_name) => {
    const passes =
      views.length > 0 &&
      (policy_name === "provenance" || views.every(({ status }) => status === "COMPLIANT"))
    return { policy_name, status: passes ? "COMPLIANT" : "NON-COMPLIANT" }
  })
  const isAllowed = fingerprint !== "" && world.allowed.includes(fingerprint)
  const failing = statuses.filter(({ status }) => status !== "COMPLIANT")
  const verdict = isAllowed
    ? "Compliant"
    : statuses.length === 0
      ? "Unknown"
      : failing.length === 0
        ? "Compliant"
        : "NonCompliant"
  const reasons = isAllowed
    ? []
    : failing.map(({ policy_name }) => ({
        policy_name,
        policy_version: policiesOf(world).find((policy) => policy.name === policy_name)?.version
      }))
  return { name, fingerprint, creationTimestamp, verdict, statuses, reasons, views }
}

/** Whether a command causes an evaluation of the environment. */
export const looksAgain = (before: ModelWorld, after: ModelWorld, { command }: Step): boolean => {
  switch (command._tag) {
    case "Report":
    case "Allow":
    case "Disallow":
      return true
    case "Attach":
    case "Detach":
      return before.attached.length !== after.attached.length
    case "NewVersion":
      return after.attached.includes(command.policy)
    case "Evidence":
    case "Scaling":
      return false
  }
}
