/**
 * Facts about the people and programs of a pull-request attestation: its authors, its approvers, how many approvers are
 * neither author nor agent, and whether an agent is among the authors. Pure. SPEC §2.5
 *
 * Total: a body that was changed by an erasure is read as far as it has the form of its type.
 */
import * as Predicate from "effect/Predicate"
import * as Person from "./internal/PullRequestPerson.js"
import * as Reviews from "./internal/PullRequestReviews.js"

/** Facts of an attestation; names are logins, or e-mail addresses where only these are known, in lower case. */
export interface PullRequestFacts {
  /** Everyone who wrote one of the pull requests, sorted. */
  readonly authors: ReadonlyArray<string>
  /** Everyone whose approval of one of the pull requests stands, sorted. */
  readonly approvers: ReadonlyArray<string>
  /** The least number, over the pull requests, of approvers that are no author and no agent. */
  readonly independent_reviewers: number
  /** Whether one of the authors is an agent. */
  readonly is_agent: boolean
}

type Fields = { readonly [name: string]: unknown }

const objects = (value: unknown): ReadonlyArray<Fields> =>
  Array.isArray(value) ? value.filter(Predicate.isRecord) : []

const sorted = (names: Iterable<string>): ReadonlyArray<string> => [...new Set(names)].sort()

/** The people that a pull request names as its authors. */
interface Authorship {
  readonly people: ReadonlyArray<Person.Person>
  /** Whether it has an author, and each of its commits has one. */
  readonly isKnown: boolean
}

const authorshipOf = (pull: Fields): Authorship => {
  const opened = Person.ofLogin(pull.author)
  const commits = objects(pull.commits).map((commit) => ({
    own: Person.ofCommit(commit),
    coAuthors: Person.ofTrailers(commit.message)
  }))
  const people = [...opened, ...commits.flatMap(({ own, coAuthors }) => [...own, ...coAuthors])]
  return { people, isKnown: people.length > 0 && commits.every(({ own }) => own.length > 0) }
}

/** The names of people; an address is left out where a login with the same address is among them. */
const namesOf = (people: ReadonlyArray<Person.Person>): ReadonlyArray<string> => {
  const ofLogins = new Set(people.flatMap(({ hasLogin, keys }) => (hasLogin ? keys : [])))
  return sorted(
    people.flatMap(({ name, hasLogin }) => (hasLogin || !ofLogins.has(name) ? [name] : []))
  )
}

/**
 * The accounts that are among the authors and approvers of a body, in lower case, each once and sorted. The facts of
 * the body with these accounts are those with all accounts.
 */
export const among = (body: Fields, accounts: Iterable<string>): ReadonlyArray<string> => {
  const people = objects(body.pull_requests).flatMap((pull) => [
    ...authorshipOf(pull).people,
    ...Reviews.approversOf(pull)
  ])
  const keys = new Set(people.flatMap((person) => person.keys))
  const isThere = (account: string): boolean =>
    Person.ofLogin(account).some((person) => person.keys.some((key) => keys.has(key)))
  return sorted([...accounts].filter(isThere).map((account) => account.toLowerCase()))
}

/**
 * The facts of a body. `agents` has logins and e-mail addresses, in any case. A pull request whose authors are not
 * known has no independent reviewer, because an approver may be one of them.
 */
export const of = (body: Fields, agents: ReadonlySet<string>): PullRequestFacts => {
  const pulls = objects(body.pull_requests).map((pull) => ({
    ...authorshipOf(pull),
    programs: Array.isArray(pull.programs) ? pull.programs : [],
    approvers: Reviews.approversOf(pull)
  }))
  const marked = new Set(
    [...agents, ...pulls.flatMap(({ programs }) => programs)].flatMap((text) =>
      Person.ofLogin(text).flatMap(({ keys }) => keys)
    )
  )
  const isAgent = ({ keys }: Person.Person): boolean =>
    keys.some((key) => marked.has(key) || Person.isMarkedAsProgram(key))
  const people = pulls.flatMap((pull) => pull.people)
  const written = new Set(people.flatMap(({ keys }) => keys))
  const isIndependent = (approver: Person.Person): boolean =>
    !isAgent(approver) && !approver.keys.some((key) => written.has(key))
  const numbers = pulls.map(({ isKnown, approvers }) =>
    isKnown ? approvers.filter(isIndependent).length : 0
  )
  return {
    authors: namesOf(people),
    approvers: sorted(pulls.flatMap(({ approvers }) => approvers.map(({ name }) => name))),
    independent_reviewers: numbers.reduce(
      (least, number) => Math.min(least, number),
      numbers[0] ?? 0
    ),
    is_agent: people.some(isAgent)
  }
}
