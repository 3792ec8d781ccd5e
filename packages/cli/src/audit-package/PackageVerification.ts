/** Compares the members of an audit package with its manifest. Pure. */
import * as Json from "../shared/Json.js"
import type { Member, TarDigests } from "./TarDigests.js"

/** The member with the digests of all others; it is the last one. */
export const MANIFEST = "manifest.json"

const parse = (text: string): Json.Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return Json.isObject(value) ? value : undefined
  } catch {
    // WHY: the caller reports a manifest that cannot be read.
    return undefined
  }
}

const difference = (found: Member | undefined, listed: Json.Fields): string | undefined => {
  const name = String(listed.name)
  if (found === undefined) return `\`${name}\` is missing`
  return found.size === listed.size && found.sha256 === listed.sha256
    ? undefined
    : `\`${name}\` has the digest ${found.sha256} instead of ${listed.sha256}`
}

/** The first difference between the archive and its manifest; undefined if there is none. */
export const problem = ({ members, text, isEnded }: TarDigests): string | undefined => {
  if (!isEnded) return "the archive has no end"
  const manifest = text === undefined ? undefined : parse(text)
  if (manifest === undefined) return `the archive has no ${MANIFEST} that can be read`
  const listed = Json.objects(manifest.members)
  const byName = new Map(members.map((member) => [member.name, member]))
  const names = new Set(listed.map(({ name }) => String(name)))
  const extra = members.find(({ name }) => name !== MANIFEST && !names.has(name))
  if (extra !== undefined) return `\`${extra.name}\` is not in the manifest`
  if (byName.size !== members.length || names.size !== listed.length) return "a name is there twice"
  for (const each of listed) {
    const found = difference(byName.get(String(each.name)), each)
    if (found !== undefined) return found
  }
  return undefined
}
