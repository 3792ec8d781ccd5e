/** `attestry member …`: lists, adds, changes, suspends, restores, signs out and removes members of the org. */
import { command as listCommand } from "../reading/ListCommand.js"
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import { usage } from "../shared/CommandFailure.js"
import type { CommandModule } from "../shared/CommandSpec.js"
import { confirm } from "../shared/Confirmation.js"
import * as Json from "../shared/Json.js"
import * as Write from "../writing/Write.js"
import { MEMBERS } from "./MemberNouns.js"

const loginOf = (args: Arguments): string => args.positionals[0] ?? ""

/** The number of members that are read at once. */
const PER_PAGE = 100

/** Refuses a login that is no member. WHY: the operation itself would add the user to the org. */
const checkMember = async ({ api }: CommandContext, login: string): Promise<void> => {
  for (let page = 1; ; page++) {
    const urlParams = { page, per_page: PER_PAGE }
    const answer = await (await api()).call("membership.members", { urlParams })
    const members = Json.objects(Json.object(answer).members)
    if (members.some((member) => member.login === login)) return
    if (members.length < PER_PAGE)
      throw usage(`${login} is not a member of the org`, `see: attestry member add ${login}`)
  }
}

const put = (
  context: CommandContext,
  args: Arguments,
  { role, outcome }: { readonly role: string; readonly outcome: string }
) =>
  Write.perform(context, args, {
    noun: "member",
    name: loginOf(args),
    operation: "membership.put",
    call: { path: { login: loginOf(args) }, payload: { role } },
    outcome,
    more: ` as ${role}`
  })

/** Lists the members of the org. */
export const list: CommandModule = listCommand(MEMBERS)

/** Adds a person who has an account. */
export const add: CommandModule = {
  run: (context, args) => put(context, args, { role: args.required("role"), outcome: "added" })
}

/** Changes the role of a member. */
export const role: CommandModule = {
  run: async (context, args) => {
    if (!args.has("dry-run")) await checkMember(context, loginOf(args))
    return put(context, args, { role: args.positionals[1] ?? "", outcome: "updated" })
  }
}

/** A change of a member, and what it means for the person. */
interface Change {
  readonly operation:
    | "membership.remove"
    | "membership.suspend"
    | "membership.restore"
    | "membership.signOut"
  readonly outcome: string
  readonly consequence?: string
}

const changing = ({ operation, outcome, consequence }: Change): CommandModule => ({
  run: async (context, args) => {
    const login = loginOf(args)
    if (consequence !== undefined) await confirm(context, args, `${login} ${consequence}`)
    return Write.perform(context, args, {
      noun: "member",
      name: login,
      operation,
      call: { path: { login } },
      outcome
    })
  }
})

/** Removes a member. */
export const remove: CommandModule = changing({
  operation: "membership.remove",
  outcome: "removed",
  consequence: "will have no access to this org"
})

/** Suspends a member. */
export const suspend: CommandModule = changing({
  operation: "membership.suspend",
  outcome: "suspended",
  consequence: "will have no access to this org until they are restored"
})

/** Ends the suspension of a member. */
export const restore: CommandModule = changing({
  operation: "membership.restore",
  outcome: "restored"
})

/** Ends the browser sessions of a member in the org. */
export const signOut: CommandModule = changing({
  operation: "membership.signOut",
  outcome: "signed out"
})
