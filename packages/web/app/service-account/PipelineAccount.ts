/**
 * The account of a pipeline, made in three writes: an account without a role in the whole org, one grant in its space,
 * and one key. Pure but for the writes that it is given.
 */
import type { Written } from "../shared/Mutation.js"

/** What a pipeline's account is made of. */
export interface Pipeline {
  readonly name: string
  readonly space: string
  readonly description: string
  /** In epoch seconds. */
  readonly expiresAt: number
}

/** The days for which the key works. */
export const KEY_DAYS = 90

/** The body of the account. */
export const accountOf = ({ name, space, description }: Pipeline) => ({
  name,
  privilege: "none",
  description,
  space
})

/** The body of the grant. */
export const grantOf = ({ name, space }: Pipeline) => ({
  subject: { kind: "service-account", name },
  space,
  role: "member",
  eligible: false
})

/** The body of the key. */
export const keyOf = ({ expiresAt }: Pipeline) => ({
  description: "pipeline",
  expires_at: expiresAt,
  scope: { permissions: ["pipeline"] }
})

/** The writes, in their order. */
export interface Writes<Key> {
  readonly account: () => Promise<Written<unknown>>
  readonly grant: () => Promise<Written<unknown>>
  readonly key: () => Promise<Written<Key>>
}

const accountStep = ({ name }: Pipeline): string => JSON.stringify(["account", name])

const grantStep = ({ name, space }: Pipeline): string => JSON.stringify(["grant", name, space])

/** Makes what is not yet `made`, to which it adds; stops at the first write that is refused. */
export const make = async <Key>(
  pipeline: Pipeline,
  writes: Writes<Key>,
  made: Set<string>
): Promise<Written<Key>> => {
  const steps = [
    [accountStep(pipeline), writes.account],
    [grantStep(pipeline), writes.grant]
  ] as const
  for (const [step, send] of steps) {
    if (made.has(step)) continue
    const written = await send()
    if (written._tag === "Refused") return written
    made.add(step)
  }
  return writes.key()
}

/** What an attempt that stopped has made; undefined for nothing. */
export const madeText = (pipeline: Pipeline, made: ReadonlySet<string>): string | undefined => {
  if (!made.has(accountStep(pipeline))) return undefined
  const missing = made.has(grantStep(pipeline))
    ? `with the role member in ${pipeline.space}, but without a key`
    : "but without a role and a key"
  return `The account ${pipeline.name} was made, ${missing}. Press again to make the rest.`
}
