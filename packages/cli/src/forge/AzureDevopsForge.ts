/** Pull requests of Azure DevOps, which requests name `cloudx`. */
import { usage } from "../shared/CommandFailure.js"
import { variable } from "../shared/Host.js"
import * as Json from "../shared/Json.js"
import * as ForeignApi from "../transport/ForeignApi.js"
import * as PullRequests from "./PullRequests.js"

const { present, seconds } = PullRequests

const VERSION = "api-version=7.1"
const PAGE = 100

/** A page is an object with `value`; a header has the token of the next page. */
const CONTINUED: ForeignApi.Paging = {
  items: ({ body }) => {
    const { value } = Json.object(body)
    return Array.isArray(value) ? value : undefined
  },
  next: ({ header }, url) => {
    const token = header("x-ms-continuationtoken")
    if (token === null || token === "") return undefined
    const next = new URL(url)
    next.searchParams.set("continuationToken", token)
    return next.href
  }
}

/** Votes: 10 and 5 approve, -5 waits for the author, -10 rejects. */
const STATES: ReadonlyMap<unknown, string> = new Map([
  [10, "APPROVED"],
  [5, "APPROVED"],
  [-5, "CHANGES_REQUESTED"],
  [-10, "CHANGES_REQUESTED"]
])

const nameOf = (user: unknown): string => {
  const { uniqueName, displayName } = Json.object(user)
  return Json.text(uniqueName) ?? Json.text(displayName) ?? ""
}

/** Whether an account is a service identity or a service principal, by the prefix of its descriptor. */
const isProgram = ({ descriptor }: Json.Fields): boolean =>
  /^(?:svc|aadsp)\./.test(Json.text(descriptor) ?? "")

const reviewOf = (reviewer: Json.Fields): Json.Fields =>
  present({ username: nameOf(reviewer), state: STATES.get(reviewer.vote) })

const commitOf = (place: string, item: Json.Fields): Json.Fields => {
  const author = Json.object(item.author)
  return present({
    sha1: item.commitId,
    message: Json.text(item.comment),
    author: PullRequests.person(author.name, author.email),
    timestamp: seconds(author.date),
    url: `${place}/commit/${item.commitId}`
  })
}

const branch = (ref: unknown): string | undefined => Json.text(ref)?.replace(/^refs\/heads\//, "")

const pullOf = (
  place: string,
  pull: Json.Fields,
  commits: ReadonlyArray<Json.Fields>
): Json.Fields => {
  // WHY not groups: a group votes through its members, who are listed themselves.
  const reviews = Json.objects(pull.reviewers)
    .filter(({ vote, isContainer }) => STATES.has(vote) && isContainer !== true)
    .map(reviewOf)
  const isMerged = pull.status === "completed"
  return present({
    url: `${place}/pullrequest/${pull.pullRequestId}`,
    state: Json.text(pull.status),
    author: nameOf(pull.createdBy),
    title: Json.text(pull.title),
    head_ref: branch(pull.sourceRefName),
    base_ref: branch(pull.targetRefName),
    merge_commit: isMerged ? Json.text(Json.object(pull.lastMergeCommit).commitId) : undefined,
    created_at: seconds(pull.creationDate),
    merged_at: isMerged ? seconds(pull.closedDate) : undefined,
    approvers: reviews.filter(({ state }) => state === "APPROVED"),
    reviews,
    programs: PullRequests.programsOf(
      [pull.createdBy, ...Json.objects(pull.reviewers)],
      nameOf,
      isProgram
    ),
    commits: commits.map((item) => commitOf(place, item))
  })
}

interface Place {
  readonly base: string
  readonly project: string
  readonly name: string
}

/** The project and the repository: the last two parts of `COLLECTION/PROJECT/NAME`. */
const placeOf = (base: string, repository: string): Place => {
  const [project, name, ...others] = repository.split("/").slice(-2)
  if (!project || !name || others.length > 0)
    throw usage(
      `\`${repository}\` is no repository of this forge`,
      "give --repository PROJECT/NAME"
    )
  return { base, project: encodeURIComponent(project), name: encodeURIComponent(name) }
}

/** A job's token is a JWT; any other token is a personal one, which is sent as a password without a user name. */
const authorization = (token: string): string =>
  /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
    ? `Bearer ${token}`
    : `Basic ${Buffer.from(`:${token}`).toString("base64")}`

const ABSENT = "the project or the repository is not there, or the token may not see it"

/** The numbers of the pull requests that contain a commit, or that it merged. */
const numbersOf = async (
  api: ForeignApi.ForeignApi,
  root: string,
  commit: string
): Promise<ReadonlyArray<string>> => {
  const queries = ["lastMergeCommit", "commit"].map((type) => ({ type, items: [commit] }))
  const answer = await api.ask(`${root}/pullrequestquery?${VERSION}`, { queries }, ABSENT)
  const found = Json.objects(Json.object(answer).results).flatMap((result) =>
    Json.members(result).flatMap(([, pulls]) => Json.objects(pulls))
  )
  return [...new Set(found.map(({ pullRequestId }) => String(pullRequestId)))]
}

/** A commit with its whole message: lists cut long ones, and the people of a commit are in its last lines. */
const wholeOf = async (
  api: ForeignApi.ForeignApi,
  root: string,
  item: Json.Fields
): Promise<Json.Fields> => {
  if (item.commentTruncated !== true) return item
  const url = `${root}/commits/${encodeURIComponent(String(item.commitId))}?${VERSION}`
  const { comment } = Json.object(await api.need(url, ABSENT))
  return { ...item, comment }
}

/** Finds the pull requests of a commit. */
export const find: PullRequests.ForgeModule["find"] = async (context, query) => {
  const number = PullRequests.numberOf(query)
  const collection = query.apiUrl ?? variable(context.host, "SYSTEM_COLLECTIONURI")
  if (collection === undefined)
    throw usage(
      "the forge's address is not known",
      "give --forge-url with that of the organization"
    )
  const base = ForeignApi.baseOf(collection, "--forge-url or SYSTEM_COLLECTIONURI")
  const { project, name } = placeOf(base, query.repository)
  const { value } = PullRequests.tokenOf(context, ["SYSTEM_ACCESSTOKEN"])
  const header = authorization(value)
  context.output.hide(header.replace(/^\w+ /, ""))
  const api = await ForeignApi.make(context, {
    headers: { authorization: header },
    lacking: "the token needs to read code; a pipeline must map SYSTEM_ACCESSTOKEN to the step"
  })
  const root = `${base}/${project}/_apis/git/repositories/${name}`
  const web = `${base}/${project}/_git/${name}`
  const numbers = number === undefined ? await numbersOf(api, root, query.commit) : [number]
  const found: Array<Json.Fields> = []
  for (const each of numbers) {
    const place = `${root}/pullrequests/${each}`
    const missing = `there is no pull request ${each}, or the token may not see it`
    const pull = Json.object(await api.need(`${place}?${VERSION}`, missing))
    const listed = await api.all(`${place}/commits?$top=${PAGE}&${VERSION}`, missing, CONTINUED)
    const commits: Array<Json.Fields> = []
    for (const item of Json.objects(listed)) commits.push(await wholeOf(api, root, item))
    found.push(pullOf(web, pull, commits))
  }
  return found
}
