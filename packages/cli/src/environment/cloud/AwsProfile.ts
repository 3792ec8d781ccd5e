/** The shared files of AWS: profiles with their settings, of `credentials` and `config`. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Host, variable } from "../../shared/Host.js"
import type { SigningKey } from "./AwsSignature.js"

/** The settings of one profile. */
export type Profile = ReadonlyMap<string, string>
/** Profiles by name. */
export type Profiles = ReadonlyMap<string, Profile>

/** The sections of an INI file; nested settings, which are indented, are passed over. */
export const parse = (text: string): Profiles => {
  const sections = new Map<string, Map<string, string>>()
  let current: Map<string, string> | undefined
  for (const line of text.split(/\r?\n/)) {
    const [, section] = /^\[\s*(?:profile\s+)?([^\]]+?)\s*\]/.exec(line) ?? []
    const [, name, value] = /^([A-Za-z0-9_]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (section !== undefined) {
      current = sections.get(section) ?? new Map()
      sections.set(section, current)
    } else if (name !== undefined && value !== undefined && value !== "") current?.set(name, value)
  }
  return sections
}

const read = (path: string): Profiles =>
  existsSync(path) ? parse(readFileSync(path, "utf8")) : new Map()

/** The profiles of a machine; the file of credentials wins. */
export const load = (host: Host): Profiles => {
  const folder = join(host.home, ".aws")
  const config = read(variable(host, "AWS_CONFIG_FILE") ?? join(folder, "config"))
  const keys = read(variable(host, "AWS_SHARED_CREDENTIALS_FILE") ?? join(folder, "credentials"))
  const names = new Set([...config.keys(), ...keys.keys()])
  return new Map(
    [...names].map((name) => [
      name,
      new Map([...(config.get(name) ?? []), ...(keys.get(name) ?? [])])
    ])
  )
}

/** The key that a profile holds itself. */
export const keyOf = (profile: Profile): SigningKey | undefined => {
  const accessKeyId = profile.get("aws_access_key_id")
  const secretAccessKey = profile.get("aws_secret_access_key")
  return accessKeyId === undefined || secretAccessKey === undefined
    ? undefined
    : { accessKeyId, secretAccessKey, sessionToken: profile.get("aws_session_token") }
}
