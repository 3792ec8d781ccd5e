/** Pull requests of GitHub, and of forges with the same API. */
import { usage } from "../shared/CommandFailure.js"
import { variable } from "../shared/Host.js"
import * as Json from "../shared/Json.js"
import * as ForeignApi from "../transport/ForeignApi.js"
import * as PullRequests from "./PullRequests.js"

const { present, seconds } = PullRequests

const loginOf = (user: unknown): string | undefined => Json.text(Json.object(user).login)

const commitOf = (item: Json.Fields): Json.Fields => {
  const commit = Json.object(item.commit)
  const author = Json.object(commit.author)
  const verification = Json.object(commit.verification)
  return present({
    sha1: item.sha,
    message: commit.message,
    author: PullRequests.person(author.name, author.email),
    author_username: Json.object(item.author).login,
    timestamp: seconds(author.date),
    url: item.html_url,
    verified: typeof verification.verified === "boolean" ? verification.verified : undefined,
    signature_state: Json.text(verification.reason)
  })
}

const reviewOf = (review: Json.Fields): Json.Fields =>
  present({
    username: loginOf(review.user) ?? "",
    state: Json.text(review.state),
    commit_sha: Json.text(review.commit_id),
    timestamp: seconds(review.submitted_at)
  })

const approverOf = ({ username, state, timestamp }: Json.Fields): Json.Fields =>
  present({ username, state, timestamp })

/** The approvers, by each reviewer's last review that approves, requests changes or was dismissed. */
const approversOf = (reviews: ReadonlyArray<Json.Fields>): ReadonlyArray<Json.Fields> => {
  const last = new Map<unknown, Json.Fields>()
  for (const review of reviews)
    if (/^(?:APPROVED|CHANGES_REQUESTED|DISMISSED)$/.test(Json.text(review.state) ?? ""))
      last.set(review.username, review)
  return [...last.values()].filter(({ state }) => state === "APPROVED").map(approverOf)
}

interface Parts {
  readonly reviews: ReadonlyArray<Json.Fields>
  readonly commits: ReadonlyArray<Json.Fields>
}

const pullOf = (pull: Json.Fields, parts: Parts): Json.Fields => {
  const reviews = parts.reviews.map(reviewOf)
  const accounts = [
    pull.user,
    ...parts.reviews.map(({ user }) => user),
    ...parts.commits.map(({ author }) => author)
  ]
  return present({
    url: Json.text(pull.html_url) ?? "",
    state: pull.merged_at == null ? Json.text(pull.state) : "merged",
    author: loginOf(pull.user) ?? "",
    title: Json.text(pull.title),
    head_ref: Json.text(Json.object(pull.head).ref),
    base_ref: Json.text(Json.object(pull.base).ref),
    merge_commit: Json.text(pull.merge_commit_sha),
    created_at: seconds(pull.created_at),
    merged_at: seconds(pull.merged_at),
    approvers: approversOf(reviews),
    reviews,
    programs: PullRequests.programsOf(accounts, loginOf, ({ type }) => type === "Bot"),
    commits: parts.commits.map(commitOf)
  })
}

/** A comparison is an object with `commits`, whose further pages the header `Link` names. */
const COMPARED: ForeignApi.Paging = {
  items: ({ body }) => {
    const { commits } = Json.object(body)
    return Array.isArray(commits) ? commits : undefined
  },
  next: ForeignApi.LINKED.next
}

/** The commits of a pull request; its own list ends after 250. */
const commitsOf = async (
  api: ForeignApi.ForeignApi,
  root: string,
  pull: Json.Fields
): Promise<ReadonlyArray<Json.Fields>> => {
  const missing = "its commits are not there, or the token may not see them"
  const listed = await api.all(`${root}/pulls/${pull.number}/commits?per_page=100`, missing)
  const [base, head] = [pull.base, pull.head].map((side) => Json.text(Json.object(side).sha))
  if (Json.number(pull.commits) <= listed.length || !base || !head) return Json.objects(listed)
  const range = `${encodeURIComponent(base)}...${encodeURIComponent(head)}`
  return Json.objects(await api.all(`${root}/compare/${range}?per_page=100`, missing, COMPARED))
}

const REPOSITORY = /^[\w.-]+\/[\w.-]+$/

/** Finds the pull requests of a commit. */
export const find: PullRequests.ForgeModule["find"] = async (context, query) => {
  const { repository, commit } = query
  if (!REPOSITORY.test(repository))
    throw usage(`\`${repository}\` is no repository of this forge`, "give --repository OWNER/NAME")
  const number = PullRequests.numberOf(query)
  const { value } = PullRequests.tokenOf(context, ["GITHUB_TOKEN", "GH_TOKEN"])
  const named = query.apiUrl ?? variable(context.host, "GITHUB_API_URL")
  const base = ForeignApi.baseOf(named ?? "https://api.github.com", "--forge-url or GITHUB_API_URL")
  const api = await ForeignApi.make(context, {
    headers: {
      authorization: `Bearer ${value}`,
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28"
    },
    lacking: "the token needs to read pull requests and contents of the repository"
  })
  const root = `${base}/repos/${repository}`
  const absent = "the repository or the commit is not there, or the token may not see it"
  const numbers =
    number === undefined
      ? Json.objects(await api.all(`${root}/commits/${commit}/pulls?per_page=100`, absent)).map(
          (each) => String(each.number)
        )
      : [number]
  const found: Array<Json.Fields> = []
  for (const each of numbers) {
    const place = `${root}/pulls/${each}`
    const missing = `there is no pull request ${each}, or the token may not see it`
    const pull = Json.object(await api.need(place, missing))
    const reviews = Json.objects(await api.all(`${place}/reviews?per_page=100`, missing))
    const commits = await commitsOf(api, root, { ...pull, number: each })
    found.push(pullOf(pull, { reviews, commits }))
  }
  return found
}
