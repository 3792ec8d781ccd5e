/** Which proxy a request goes through, by the usual variables in either case. Pure. */

/** A proxy. */
export interface HttpProxy {
  readonly url: URL
  /** The address without credentials, for messages. */
  readonly shown: string
  readonly authorization: string | undefined
}

type Variables = { readonly [name: string]: string | undefined }

const eitherCase = (env: Variables, name: string): string | undefined =>
  env[name.toLowerCase()] || env[name] || undefined

const PORTS: ReadonlyMap<string, string> = new Map([
  ["http:", "80"],
  ["https:", "443"]
])

const isExcepted = (rule: string, { hostname, port, protocol }: URL): boolean => {
  if (rule === "*") return true
  const [, host = "", rulePort] = /^(.+?)(?::(\d+))?$/.exec(rule) ?? []
  if (rulePort !== undefined && rulePort !== (port || PORTS.get(protocol))) return false
  const domain = host.replace(/^\*?\./, "").toLowerCase()
  return hostname === domain || hostname.endsWith(`.${domain}`)
}

/** The proxy of a request; undefined for a direct connection. Throws for a variable that is not an address. */
export const of = (target: URL, env: Variables): HttpProxy | undefined => {
  const text = eitherCase(env, target.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY")
  if (text === undefined) return undefined
  const rules = (eitherCase(env, "NO_PROXY") ?? "").split(/[\s,]+/).filter((rule) => rule !== "")
  if (rules.some((rule) => isExcepted(rule, target))) return undefined
  const url = new URL(text.includes("://") ? text : `http://${text}`)
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  return {
    url,
    shown: url.host,
    authorization:
      credentials === ":" ? undefined : `Basic ${Buffer.from(credentials).toString("base64")}`
  }
}
