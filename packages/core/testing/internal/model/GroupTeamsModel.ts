/**
 * Who is in the teams of one org by what tokens and admins say, from the words of the specification: one list of rules
 * and one set of teams. SPEC §4.27
 */

/** A team that follows a group. */
export interface ModelGroupTeam {
  readonly provider: string
  readonly group: string
  readonly team: string
}

/** Teams of the org, each with the people in it. */
export type ModelTeams = ReadonlyMap<string, ReadonlySet<string>>

/** A change. */
export type ModelStep =
  | { readonly _tag: "Set"; readonly rules: ReadonlyArray<ModelGroupTeam> }
  | {
      readonly _tag: "SignIn"
      readonly person: string
      readonly provider: string
      readonly groups: ReadonlyArray<string> | null
    }

/** The rules and the teams. */
export interface ModelOrg {
  readonly rules: ReadonlyArray<ModelGroupTeam>
  readonly teams: ModelTeams
}

/** The org after a step. */
export const apply = ({ rules, teams }: ModelOrg, step: ModelStep): ModelOrg => {
  const next = new Map(teams)
  if (step._tag === "Set") {
    for (const { team } of step.rules) if (!next.has(team)) next.set(team, new Set())
    return { rules: step.rules, teams: next }
  }
  if (step.groups === null) return { rules, teams }
  for (const [team, people] of teams) {
    const own = rules.filter((rule) => rule.team === team && rule.provider === step.provider)
    if (own.length === 0) continue
    const others = [...people].filter((person) => person !== step.person)
    const isIn = own.some(({ group }) => step.groups?.includes(group))
    next.set(team, new Set(isIn ? [...others, step.person] : others))
  }
  return { rules, teams: next }
}
