/**
 * The witnesses, and which of them must have cosigned a checkpoint, in the form of C2SP tlog-policy. Pure.
 *
 * A line is `log`, `witness`, `group` or `quorum` with its items. An item names a witness or group of an earlier line.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Base64 from "../bytes/Base64.js"
import * as SignedNote from "../note/SignedNote.js"

/** A witness. */
export interface PolicyWitness {
  readonly name: string
  readonly key: SignedNote.VerifierKey
  /** Its submission prefix. */
  readonly url: Option.Option<string>
}

/** A group: the least number of its members that must cosign. */
interface Group {
  readonly least: number
  readonly members: ReadonlyArray<string>
}

/** A policy. */
export interface WitnessPolicy {
  readonly logs: ReadonlyArray<SignedNote.VerifierKey>
  readonly witnesses: ReadonlyArray<PolicyWitness>
  readonly groups: ReadonlyMap<string, Group>
  /** A witness, a group, or `none`. */
  readonly quorum: string
}

const NONE = "none"

/** The most lines of a policy that are not empty. */
export const LINES_MAX = 1_000

/** A policy while it is read. */
class Reading {
  readonly logs: Array<SignedNote.VerifierKey> = []
  readonly witnesses: Array<PolicyWitness> = []
  readonly groups = new Map<string, Group>()
  readonly members = new Set<string>()
  readonly keys = new Set<string>()
  quorum: string | undefined

  isDefined(name: string): boolean {
    return this.groups.has(name) || this.witnesses.some((witness) => witness.name === name)
  }

  key(text: string, type: number): SignedNote.VerifierKey | string {
    const key = SignedNote.parseKey(text)
    if (Option.isNone(key) || key.value.type !== type) return "is not a key of the right type"
    const print = `${type} ${Base64.encode(key.value.publicKey)}`
    if (this.keys.has(print)) return "repeats a key"
    this.keys.add(print)
    return key.value
  }

  log([vkey = "", , ...rest]: ReadonlyArray<string>): string | undefined {
    if (rest.length > 0) return "has too many items"
    const key = this.key(vkey, SignedNote.ED25519)
    if (typeof key === "string") return key
    this.logs.push(key)
    return undefined
  }

  witness([name = "", vkey = "", url, ...rest]: ReadonlyArray<string>): string | undefined {
    if (rest.length > 0) return "has too many items"
    if (name === NONE || this.isDefined(name)) return "has a name that is taken"
    const key = this.key(vkey, SignedNote.COSIGNATURE)
    if (typeof key === "string") return key
    this.witnesses.push({ name, key, url: Option.fromNullable(url) })
    return undefined
  }

  group([name = "", count = "", ...members]: ReadonlyArray<string>): string | undefined {
    if (name === "" || name === NONE || this.isDefined(name)) return "has a name that is taken"
    if (members.length === 0) return "has no members"
    const unknown = members.find((member) => !this.isDefined(member))
    if (unknown !== undefined) return `names \`${unknown}\`, which is not defined above`
    if (
      members.some((member) => this.members.has(member)) ||
      new Set(members).size < members.length
    )
      return "names a member of another group, or one twice"
    const least = count === "any" ? 1 : count === "all" ? members.length : Number(count)
    if (!/^(?:any|all|[1-9][0-9]{0,5})$/.test(count) || least > members.length)
      return "does not ask for one to all of its members"
    for (const member of members) this.members.add(member)
    this.groups.set(name, { least, members })
    return undefined
  }

  ask([name = "", ...rest]: ReadonlyArray<string>): string | undefined {
    if (this.quorum !== undefined) return "is a second quorum"
    if (rest.length > 0 || (name !== NONE && !this.isDefined(name))) return "names no member"
    this.quorum = name
    return undefined
  }

  line([word = "", ...items]: ReadonlyArray<string>): string | undefined {
    switch (word) {
      case "log":
        return this.log(items)
      case "witness":
        return this.witness(items)
      case "group":
        return this.group(items)
      case "quorum":
        return this.ask(items)
      default:
        return "begins with another word than log, witness, group and quorum"
    }
  }
}

/** Reads a policy. A problem names the number of its line. */
export const parse = (text: string): Either.Either<WitnessPolicy, string> => {
  const reading = new Reading()
  const lines = text.split("\n")
  if (lines.length > LINES_MAX) return Either.left(`there are more than ${LINES_MAX} lines`)
  for (const [place, line] of lines.entries()) {
    const items = line.split(/[ \t]+/).filter((item) => item !== "")
    if (items.length === 0 || items[0]?.startsWith("#") === true) continue
    const problem = reading.line(items)
    if (problem !== undefined) return Either.left(`line ${place + 1} ${problem}`)
  }
  const { logs, witnesses, groups, quorum } = reading
  return quorum === undefined
    ? Either.left("there is no quorum")
    : Either.right({ logs, witnesses, groups, quorum })
}

/** Whether the witnesses with these names are a quorum. */
export const satisfied = (
  { groups, quorum }: Pick<WitnessPolicy, "groups" | "quorum">,
  names: ReadonlySet<string>
): boolean => {
  const holds = (name: string): boolean => {
    const group = groups.get(name)
    return group === undefined ? names.has(name) : group.members.filter(holds).length >= group.least
  }
  return quorum === NONE || holds(quorum)
}

/** The witnesses of a policy that have a line in a note. Stored lines were verified before they were stored. */
export const signersOf = (
  { witnesses }: WitnessPolicy,
  lines: ReadonlyArray<SignedNote.SignatureLine>
): ReadonlyArray<string> =>
  witnesses
    .filter(({ key }) => lines.some((line) => SignedNote.isBy(key, line)))
    .map(({ name }) => name)
