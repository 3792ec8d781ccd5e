/** Pull requests of Bitbucket Cloud. */
import { usage } from "../shared/CommandFailure.js"
import * as Json from "../shared/Json.js"
import * as ForeignApi from "../transport/ForeignApi.js"
import * as PullRequests from "./PullRequests.js"

const { present, seconds } = PullRequests

/** A page is an object with `values` and the URL of the next page. */
const PAGED: ForeignApi.Paging = {
  items: ({ body }) => {
    const { values } = Json.object(body)
    return Array.isArray(values) ? values : undefined
  },
  next: ({ body }) => {
    const next = Json.text(Json.object(body).next)
    return next !== undefined && URL.canParse(next) ? next : undefined
  }
}

const pageOf = (value: Json.Fields): string | undefined =>
  Json.text(Json.object(Json.object(value.links).html).href)

const nameOf = (user: unknown): string => {
  const { nickname, display_name } = Json.object(user)
  return Json.text(nickname) ?? Json.text(display_name) ?? ""
}

const commitOf = (item: Json.Fields): Json.Fields => {
  const author = Json.object(item.author)
  const parents = Json.objects(item.parents).map(({ hash }) => hash)
  return present({
    sha1: item.hash,
    message: Json.text(item.message),
    author: Json.text(author.raw),
    author_username: Json.isObject(author.user) ? nameOf(author.user) : undefined,
    timestamp: seconds(item.date),
    url: pageOf(item),
    parents: parents.length === 0 ? undefined : parents
  })
}

const STATES: ReadonlyMap<unknown, string> = new Map([
  ["approved", "APPROVED"],
  ["changes_requested", "CHANGES_REQUESTED"]
])

const reviewOf = ({ user, state, participated_on }: Json.Fields): Json.Fields =>
  present({
    username: nameOf(user),
    state: STATES.get(state),
    timestamp: seconds(participated_on)
  })

const pullOf = (pull: Json.Fields, commits: ReadonlyArray<Json.Fields>): Json.Fields => {
  const reviews = Json.objects(pull.participants)
    .filter(({ state }) => STATES.has(state))
    .map(reviewOf)
  const accounts = [
    pull.author,
    ...Json.objects(pull.participants).map(({ user }) => user),
    ...commits.map(({ author }) => Json.object(author).user)
  ]
  const branchOf = (side: unknown) => Json.text(Json.object(Json.object(side).branch).name)
  return present({
    url: pageOf(pull) ?? "",
    state: Json.text(pull.state),
    author: nameOf(pull.author),
    title: Json.text(pull.title),
    head_ref: branchOf(pull.source),
    base_ref: branchOf(pull.destination),
    merge_commit: Json.text(Json.object(pull.merge_commit).hash),
    created_at: seconds(pull.created_on),
    approvers: reviews.filter(({ state }) => state === "APPROVED"),
    reviews,
    programs: PullRequests.programsOf(accounts, nameOf, ({ type }) => type === "app_user"),
    commits: commits.map(commitOf)
  })
}

const REPOSITORY = /^[\w.{}-]+\/[\w.{}-]+$/

/** Finds the pull requests of a commit. */
export const find: PullRequests.ForgeModule["find"] = async (context, query) => {
  const { repository, commit, apiUrl } = query
  if (!REPOSITORY.test(repository))
    throw usage(
      `\`${repository}\` is no repository of this forge`,
      "give --repository WORKSPACE/NAME"
    )
  const number = PullRequests.numberOf(query)
  const { value } = PullRequests.tokenOf(context, ["BITBUCKET_TOKEN"])
  const base = ForeignApi.baseOf(apiUrl ?? "https://api.bitbucket.org/2.0", "--forge-url")
  const api = await ForeignApi.make(context, {
    headers: { authorization: `Bearer ${value}` },
    lacking: "the token needs the scopes repository and pullrequest"
  })
  const root = `${base}/repositories/${repository}`
  const absent =
    "the repository or the commit is not there, or the links of commits to pull requests are not installed"
  const ids =
    number === undefined
      ? Json.objects(
          await api.all(`${root}/commit/${commit}/pullrequests?pagelen=50`, absent, PAGED)
        ).map(({ id }) => String(id))
      : [number]
  const found: Array<Json.Fields> = []
  for (const id of ids) {
    const place = `${root}/pullrequests/${id}`
    const missing = `there is no pull request ${id}, or the token may not see it`
    const pull = Json.object(await api.need(place, missing))
    const commits = await api.all(`${place}/commits?pagelen=100`, missing, PAGED)
    found.push(pullOf(pull, Json.objects(commits)))
  }
  return found
}
