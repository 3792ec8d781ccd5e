/**
 * The facts of pull requests, by asking about every pair of names.
 *
 * Slow and plain; `PullRequestFacts` must agree with it. A body has only logins of letters and digits, and addresses
 * without an account of the forge.
 */

/** A commit of the model. */
export interface Commit {
  readonly author_username?: string
  readonly author?: string
  /** The people of its trailers, as `Name <address>`. */
  readonly with: ReadonlyArray<string>
}

/** A review of the model. */
export interface Review {
  readonly username: string
  readonly state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED"
  readonly timestamp: number
}

/** A pull request of the model. */
export interface Pull {
  readonly author: string
  readonly commits: ReadonlyArray<Commit>
  readonly approvers: ReadonlyArray<string>
  readonly reviews: ReadonlyArray<Review>
}

const addressOf = (author: string): string => author.slice(author.indexOf("<") + 1, -1)

const wrote = (name: string, pulls: ReadonlyArray<Pull>): boolean => {
  for (const { author, commits } of pulls) {
    if (author.toLowerCase() === name) return true
    for (const commit of commits) {
      if (commit.author_username?.toLowerCase() === name) return true
      for (const person of [
        ...(commit.author === undefined ? [] : [commit.author]),
        ...commit.with
      ])
        if (addressOf(person).toLowerCase() === name) return true
    }
  }
  return false
}

const approves = (name: string, { approvers, reviews }: Pull): boolean => {
  const own = reviews.filter(
    ({ username, state }) => username.toLowerCase() === name && state !== "COMMENTED"
  )
  const refused = own.filter(({ state }) => state === "CHANGES_REQUESTED")
  const approved = own.filter(({ state }) => state === "APPROVED")
  const isListed = approvers.some((each) => each.toLowerCase() === name)
  if (refused.length === 0) return isListed || approved.length > 0
  return approved.some((last) => refused.every(({ timestamp }) => timestamp < last.timestamp))
}

const isUnknown = ({ author_username, author }: Commit): boolean =>
  author_username === undefined && author === undefined

/** The least number of independent reviewers, for names that may be reviewers or authors. */
export const independentReviewers = (
  pulls: ReadonlyArray<Pull>,
  agents: ReadonlyArray<string>
): number => {
  let least: number | undefined
  for (const pull of pulls) {
    const names = new Set(
      [...pull.approvers, ...pull.reviews.map(({ username }) => username)].map((name) =>
        name.toLowerCase()
      )
    )
    let count = 0
    const nobody = pull.author === "" && pull.commits.length === 0
    if (!nobody && !pull.commits.some(isUnknown))
      for (const name of names)
        if (
          approves(name, pull) &&
          !wrote(name, pulls) &&
          !agents.some((agent) => agent.toLowerCase() === name)
        )
          count += 1
    least = least === undefined || count < least ? count : least
  }
  return least ?? 0
}

/** Whether an agent wrote one of the pull requests. */
export const isAgent = (pulls: ReadonlyArray<Pull>, agents: ReadonlyArray<string>): boolean =>
  agents.some((agent) => wrote(agent.toLowerCase(), pulls))
