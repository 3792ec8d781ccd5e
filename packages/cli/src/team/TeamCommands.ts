/** `attestry team …`: lists, shows, creates and deletes teams, and moves people into them and out of them. */
import { dryRun } from "../attestation/DryRun.js"
import { present } from "../attestation/EvidenceFields.js"
import { command as listCommand } from "../reading/ListCommand.js"
import { type ListNoun, listed, NAME, text } from "../reading/ListNoun.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import { confirm } from "../shared/Confirmation.js"
import * as Json from "../shared/Json.js"
import type { Style } from "../shared/Style.js"
import * as Table from "../shared/Table.js"
import * as Write from "../writing/Write.js"

const KEEPERS = new Map([
  ["hand", "by hand"],
  ["scim", "by SCIM"],
  ["claim", "by a claim"]
])

const keeperOf = ({ kind }: Json.Fields): string => KEEPERS.get(String(kind)) ?? String(kind)

const TEAMS: ListNoun = listed({
  noun: "teams",
  brief: "List the teams of the org, or those that you are in",
  operation: "team.list",
  items: "teams",
  columns: [
    NAME,
    ["KEPT", (team, style) => style.text(keeperOf(team))],
    ["PEOPLE", text("members")],
    ["DESCRIPTION", text("description")]
  ]
})

const PER_PAGE = 100

/** Lists teams. */
export const list: CommandModule = listCommand(TEAMS)

const described = (
  team: Json.Fields,
  people: ReadonlyArray<Json.Fields>,
  style: Style
): ReadonlyArray<string> => [
  ...Table.lines([
    ["team", style.text(team.name)],
    ["kept", style.text(keeperOf(team))],
    ...(team.group_name === null ? [] : [["group", style.text(team.group_name)]]),
    ...(team.description === "" ? [] : [["description", style.text(team.description)]]),
    ["created", style.instant(team.created_at)]
  ]),
  "",
  ...(people.length === 0
    ? ["nobody is in it"]
    : Table.lines([
        ["LOGIN", "NAME", "ADDED"].map((heading) => style.tint("bold", heading)),
        ...people.map((person) => [
          style.text(person.login),
          person.suspended === true
            ? `${style.text(person.user)} (suspended)`
            : style.text(person.user),
          style.instant(person.added_at)
        ])
      ]))
]

/** Shows a team with all people in it. */
export const show: CommandModule = {
  run: async (context, args) => {
    const [team = ""] = args.positionals
    const api = await context.api()
    const value = Json.object(await api.call("team.get", { path: { team } }))
    const people: Array<Json.Fields> = []
    for (let page = 1; ; page++) {
      const urlParams = { page, per_page: PER_PAGE }
      const answer = await api.call("team.members", { path: { team }, urlParams })
      const found = Json.objects(Json.object(answer).members)
      people.push(...found)
      if (found.length < PER_PAGE) break
    }
    return {
      value: { ...value, people },
      quiet: people.map(({ login }) => String(login)).join("\n"),
      lines: (style) => described(value, people, style)
    }
  }
}

/** Creates a team, or changes its description. */
export const create: CommandModule = {
  run: (context, args) => {
    const [team = ""] = args.positionals
    return Write.perform(context, args, {
      noun: "team",
      name: team,
      operation: "team.put",
      call: { path: { team }, payload: present({ description: args.text("description") }) }
    })
  }
}

/** Deletes a team. */
export const remove: CommandModule = {
  run: async (context, args) => {
    const [team = ""] = args.positionals
    await confirm(context, args, `team ${team} will be deleted`)
    return Write.perform(context, args, {
      noun: "team",
      name: team,
      operation: "team.delete",
      call: { path: { team } },
      outcome: "deleted"
    })
  }
}

/** Moves people one after another. */
const moving = (
  operation: "team.addMember" | "team.removeMember",
  outcome: "added" | "removed"
): CommandModule => ({
  run: async (context, args) => {
    const [team = "", ...logins] = args.positionals
    const [first = ""] = logins
    if (args.has("dry-run")) return dryRun(context, operation, { path: { team, login: first } })
    const written: Array<Write.Written> = []
    for (const login of logins) {
      const call = { path: { team, login } }
      const done = await Write.send(context, { noun: "member", name: login, operation, call })
      written.push({ ...done, outcome: done.outcome === "unchanged" ? "unchanged" : outcome })
    }
    return Write.resultOfAll(written)
  }
})

/** Adds members of the org to a team. */
export const addMembers: CommandModule = moving("team.addMember", "added")

/** Removes people from a team. */
export const removeMembers: CommandModule = moving("team.removeMember", "removed")
