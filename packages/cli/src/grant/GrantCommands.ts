/** `attestry grant …` and `attestry access …`: gives and ends roles in spaces, and asks who can do what. */
import { dryRun } from "../attestation/DryRun.js"
import { present } from "../attestation/EvidenceFields.js"
import * as AsOf from "../history/AsOf.js"
import { command as listCommand } from "../reading/ListCommand.js"
import { instant, type ListNoun, listed, text } from "../reading/ListNoun.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import * as Instant from "../shared/Instant.js"
import * as Json from "../shared/Json.js"
import * as KeyScope from "../shared/KeyScope.js"
import type { Style } from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import * as Write from "../writing/Write.js"

const KINDS: ReadonlyMap<string, string> = new Map([
  ["user", "user"],
  ["team", "team"],
  ["account", "service-account"]
])

/** Whom a text names: `everyone`, or a kind and a name. */
const subjectOf = (given: string): { readonly kind: string; readonly name?: string } => {
  if (given === "everyone") return { kind: "everyone" }
  const colon = given.indexOf(":")
  const [kind, name] = [KINDS.get(given.slice(0, Math.max(0, colon))), given.slice(colon + 1)]
  if (kind === undefined || name === "")
    throw usage(`\`${given}\` names nobody: write user:ada, team:payments, account:ci or everyone`)
  return { kind, name }
}

const subjectText = ({ subject }: Json.Fields, style: Style): string => {
  const { kind, name } = Json.object(subject)
  const word = kind === "service-account" ? "account" : kind
  return kind === "everyone" ? "everyone" : `${style.text(word)}:${style.text(name)}`
}

const GRANTS: ListNoun = listed({
  noun: "grants",
  brief: "List the grants in the spaces that you administer, newest first",
  operation: "grant.list",
  items: "grants",
  filters: { subject_kind: "kind", subject_name: "name", space: "space", role: "role" },
  columns: [
    ["NUMBER", text("number")],
    ["SUBJECT", subjectText],
    [
      "ROLE",
      ({ eligible, role }, style) => `${style.text(role)}${eligible === true ? " (eligible)" : ""}`
    ],
    ["SPACE", text("space")],
    ["GIVEN", instant("given_at")],
    [
      "ENDS",
      (grant, style) => {
        const end = grant.ended_at ?? grant.expires_at
        return end === null ? "–" : style.instant(end)
      }
    ],
    ["REASON", text("reason")]
  ]
})

/** Lists grants. */
export const list: CommandModule = {
  run: (context, args) => {
    const wanted = (["eligible", "ended"] as const).filter((name) => args.has(name))
    const fixedQuery = Object.fromEntries(wanted.map((name) => [name, true]))
    return listCommand(wanted.length === 0 ? GRANTS : { ...GRANTS, fixedQuery }).run(context, args)
  }
}

const endOf = ({ host }: CommandContext, args: Arguments): number | undefined => {
  const given = args.text("until")
  if (given === undefined) return undefined
  const seconds = Instant.parse(host, given, "after")
  if (seconds === undefined)
    throw usage(`--until expects 3d, 2026-11-21 or 2026-11-21T14:00:00Z, not \`${given}\``)
  return Math.ceil(seconds)
}

/** Gives a role in a space. */
export const give: CommandModule = {
  run: async (context, args) => {
    const [subject = "", role = "", space = ""] = args.positionals
    const payload = present({
      subject: subjectOf(subject),
      role,
      space,
      eligible: args.has("eligible") ? true : undefined,
      expires_at: endOf(context, args),
      reason: args.text("reason")
    })
    if (args.has("dry-run")) return dryRun(context, "grant.put", { payload })
    const value = Json.object(await (await context.api()).call("grant.put", { payload }))
    return {
      value,
      quiet: String(value.number),
      lines: (style) => [
        `grant ${style.text(value.number)}: ${subjectText(value, style)} is ` +
          `${value.eligible === true ? "eligible as " : ""}` +
          `${style.tint("green", style.text(value.role))} in ${style.text(value.space)}`
      ]
    }
  }
}

/** Ends a grant. */
export const end: CommandModule = {
  run: (context, args) => {
    const [number = ""] = args.positionals
    if (!/^[1-9]\d{0,9}$/.test(number)) throw usage(`a grant has a number, not \`${number}\``)
    return Write.perform(context, args, {
      noun: "grant",
      name: number,
      operation: "grant.end",
      call: { path: { number: Number(number) } },
      outcome: "ended"
    })
  }
}

const PLACES = ["space", "flow", "environment", "policy", "control"] as const

/** The parameters of a question: its place, its instant, and whom it is about. */
const questionOf = ({ host }: CommandContext, args: Arguments, subject?: string): Json.Fields => {
  const about = subject === undefined ? undefined : subjectOf(subject)
  if (about !== undefined && about.kind !== "user" && about.kind !== "service-account")
    throw usage(`\`${subject}\` is no person and no account: write user:ada or account:ci`)
  return present({
    ...Object.fromEntries(PLACES.map((place) => [place, args.text(place)])),
    ...AsOf.query(host, args),
    user: about?.kind === "user" ? about.name : undefined,
    service_account: about?.kind === "service-account" ? about.name : undefined
  })
}

/** Where a role comes from, in words. */
const reasonOf = ({ kind, number, role, space, team }: Json.Fields, style: Style): string => {
  const given = `${style.text(role)} in ${style.text(space)}`
  switch (kind) {
    case "base":
      return `${given} by itself`
    case "team":
      return `${given} by team ${style.text(team)}, grant ${style.text(number)}`
    case "everyone":
      return `${given} like everyone, grant ${style.text(number)}`
    case "break-glass":
      return `${given} by break-glass ${style.text(number)}`
    default:
      return `${given} by grant ${style.text(number)}`
  }
}

const subjectTable = (subjects: ReadonlyArray<Json.Fields>, style: Style): ReadonlyArray<string> =>
  Table.lines([
    ["WHO", "ROLE", "WHY"].map((heading) => style.tint("bold", heading)),
    ...subjects.map((subject) => [
      subjectText({ subject }, style),
      style.text(subject.role),
      Json.objects(subject.via)
        .map((via) => reasonOf(via, style))
        .join("; ")
    ])
  ])

/** Shows who has a permission. */
export const who: CommandModule = {
  run: async (context, args) => {
    const urlParams = { ...questionOf(context, args), permission: args.positionals[0] }
    const value = Json.object(await (await context.api()).call("access.who", { urlParams }))
    const subjects = Json.objects(value.subjects)
    const eligible = Json.objects(value.eligible)
    return {
      value,
      items: subjects,
      quiet: subjects.map(({ name }) => String(name)).join("\n"),
      lines: (style) => [
        ...(subjects.length === 0 ? ["nobody"] : subjectTable(subjects, style)),
        ...(eligible.length === 0
          ? []
          : ["", "who may open break-glass for it:", ...subjectTable(eligible, style)])
      ]
    }
  }
}

/** Shows what a person or an account has. */
export const show: CommandModule = {
  run: async (context, args) => {
    const key = args.text("key-id")
    const urlParams = {
      ...questionOf(context, args, args.positionals[0]),
      ...(key === undefined ? {} : { api_key: key })
    }
    const value = Json.object(await (await context.api()).call("access.effective", { urlParams }))
    const bindings = Json.objects(value.bindings)
    return {
      value,
      items: bindings,
      quiet: bindings.map(({ role, space }) => `${String(role)} ${String(space)}`).join("\n"),
      lines: (style) => [
        `${subjectText({ subject: value }, style)}${value.suspended === true ? " (suspended)" : ""}`,
        ...(bindings.length === 0
          ? ["has no role anywhere"]
          : bindings.map((binding) => `  ${reasonOf(binding, style)}`)),
        ...Json.objects(value.eligible).map(
          (binding) => `  eligible, by break-glass alone: ${reasonOf(binding, style)}`
        ),
        ...(value.scope === undefined
          ? []
          : [`  the key leaves: ${style.text(KeyScope.textOf(value.scope))}`])
      ]
    }
  }
}

/** Explains why an operation is allowed or denied. */
export const explain: CommandModule = {
  run: async (context, args) => {
    const [operation, subject] = args.positionals
    const urlParams = { ...questionOf(context, args, subject), operation }
    const value = Json.object(await (await context.api()).call("access.explain", { urlParams }))
    const why: { readonly [because: string]: (style: Style) => string } = {
      binding: (style) => reasonOf(Json.object(value.binding), style),
      membership: () => "every member may",
      "no-role": (style) =>
        `needs the role ${style.text(value.missing ?? "of a member")} in ${style.text(value.space)}`,
      "key-scope": () => "the scope of the key does not leave it"
    }
    return {
      value,
      quiet: String(value.allowed),
      lines: (style) => {
        const isAllowed = value.allowed === true
        const verdict = style.tint(isAllowed ? "green" : "red", isAllowed ? "allowed" : "denied")
        const reason = why[String(value.because)]
        return [
          `${style.text(operation)}: ${verdict}, ${reason === undefined ? "" : reason(style)}`,
          ...(value.eligible === null || value.eligible === undefined
            ? []
            : [`break-glass would give ${reasonOf(Json.object(value.eligible), style)}`])
        ]
      }
    }
  }
}
