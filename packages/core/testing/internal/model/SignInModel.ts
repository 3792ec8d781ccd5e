/**
 * Who signs in as whom, from the words of the specification, on a world that is one list of people. Nothing is indexed:
 * every question goes through everything. SPEC §4.27
 */

/** A person of the world; logins and names do not matter, so there are none. */
export interface ModelPerson {
  readonly address: string | null
  readonly identities: ReadonlyArray<{ readonly provider: string; readonly subject: string }>
  readonly roles: { readonly [org: string]: string }
}

/** What a provider says about somebody. */
export interface ModelClaims {
  readonly provider: string
  readonly subject: string
  readonly address: string | null
  readonly isVerified: boolean
  readonly groups: ReadonlyArray<string> | null
}

/** A rule for joining an org. */
export interface ModelRule {
  readonly org: string
  readonly provider: string
  readonly group?: string
  readonly domain?: string
  readonly role: string
}

/** The rules of the world, in their order, and the domains in which a provider may link. */
export interface ModelRules {
  readonly join: ReadonlyArray<ModelRule>
  readonly linking: { readonly [provider: string]: ReadonlyArray<string> }
}

/** The place of the person who signed in, or `null` for a refusal, and the world afterwards. */
export interface ModelSignIn {
  readonly who: number | null
  readonly people: ReadonlyArray<ModelPerson>
}

const domainOf = (address: string | null): string => (address ?? "").split("@").at(-1) ?? ""

const fits = (rule: ModelRule, claims: ModelClaims): boolean =>
  rule.provider === claims.provider &&
  (rule.group === undefined || (claims.groups ?? []).includes(rule.group)) &&
  (rule.domain === undefined ||
    (claims.isVerified && claims.address !== null && rule.domain === domainOf(claims.address)))

const joined = (person: ModelPerson, claims: ModelClaims, { join }: ModelRules): ModelPerson => {
  const roles = { ...person.roles }
  for (const rule of join)
    if (fits(rule, claims) && roles[rule.org] === undefined) roles[rule.org] = rule.role
  return { ...person, roles }
}

/** One sign-in. */
export const signIn = (
  people: ReadonlyArray<ModelPerson>,
  claims: ModelClaims,
  rules: ModelRules
): ModelSignIn => {
  const { provider, subject, address } = claims
  const replaced = (who: number, person: ModelPerson): ModelSignIn => ({
    who,
    people: people.map((each, place) => (place === who ? joined(person, claims, rules) : each))
  })
  for (const [who, person] of people.entries())
    for (const identity of person.identities)
      if (identity.provider === provider && identity.subject === subject)
        return replaced(who, person)

  const identities = [{ provider, subject }]
  const alike = people.filter((person) => person.address !== null && person.address === address)
  const [only] = alike
  if (
    claims.isVerified &&
    alike.length === 1 &&
    only !== undefined &&
    only.identities.length === 0 &&
    !Object.values(only.roles).includes("admin") &&
    (rules.linking[provider] ?? []).includes(domainOf(address))
  )
    return replaced(people.indexOf(only), { ...only, identities })

  if (!rules.join.some((rule) => fits(rule, claims))) return { who: null, people }
  const person = joined({ address, identities, roles: {} }, claims, rules)
  return { who: people.length, people: [...people, person] }
}
