/**
 * Whether a text is a host name, and one of the public internet; an internationalised name becomes its A-labels
 * here, and nowhere else.
 *
 * WHY not every name that the platform would map: Unicode mapping admits look-alikes of dots, digits and letters.
 */
import * as Option from "effect/Option"

/** WHY underscores: resolvers and certificates take them in the names of hosts, and some services have such names. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

// WHY: no top-level domain holds a digit unless it is punycode, so this also refuses every number that a resolver
// might parse as an address (`0x7f.1`, `1.2.3.08`).
const TOP_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]+)$/

/**
 * Top labels of names that are local to a machine, a site or a cluster: special-use names (RFC 6761 and later),
 * names that ICANN does not delegate, and defaults of orchestrators. `example` is not listed: it never resolves, and
 * documents use it.
 */
const INTERNAL: ReadonlySet<string> = new Set([
  "alt",
  "arpa",
  "cluster",
  "consul",
  "corp",
  "default",
  "docker",
  "domain",
  "home",
  "internal",
  "intranet",
  "invalid",
  "kube",
  "lan",
  "local",
  "localdomain",
  "localhost",
  "mail",
  "nomad",
  "onion",
  "pod",
  "private",
  "svc",
  "test",
  "workgroup"
])

/** Whether the text, in lower case, is one or more labels of letters, digits, hyphens and underscores. */
export const isName = (text: string): boolean =>
  text.length <= 253 && text.split(".").every((label) => LABEL.test(label))

/** Whether the name has several labels and does not lie under an internal domain. */
export const isPublicName = (text: string): boolean => {
  const labels = text.split(".")
  const top = labels[labels.length - 1] ?? ""
  return isName(text) && labels.length > 1 && TOP_LABEL.test(top) && !INTERNAL.has(top)
}

const NAME = /^[\p{L}\p{M}\p{Nd}_.-]+$/u
const ASCII = /^[\x20-\x7e]*$/
const A_LABEL = /^xn--/

/** The scripts whose letters may stand in one label: those of one language, or any single script. */
const TOGETHER: ReadonlyArray<RegExp> = [
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hangul}]*$/u,
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Bopomofo}]*$/u,
  /^\p{Script=Cyrillic}*$/u,
  /^\p{Script=Greek}*$/u,
  /^[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]*$/u
]

/** WHY scripts: a Cyrillic letter among Latin ones is a look-alike. */
const isOfOneKind = (label: string): boolean => {
  const letters = label.normalize("NFC").replaceAll(/[^\p{L}]/gu, "")
  return TOGETHER.some((scripts) => scripts.test(letters))
}

/** The A-labels of a name by the platform, which maps as browsers do. */
const mapped = (name: string): Option.Option<string> =>
  Option.liftThrowable(() => new URL(`https://${name}/`).hostname)()

/**
 * The name in lower case, with the A-labels of an internationalised one. None for an invalid name, and for an
 * internationalised name that compatibility mapping would change or that mixes scripts within a label.
 */
export const toAscii = (text: string): Option.Option<string> => {
  const name = text.toLowerCase()
  if (ASCII.test(text)) return isName(name) ? Option.some(name) : Option.none()
  const labels = name.split(".")
  if (!NAME.test(name) || name.normalize("NFKC") !== name || !labels.every(isOfOneKind))
    return Option.none()
  return Option.filter(mapped(name), (ascii) => {
    const found = ascii.split(".")
    return (
      isName(ascii) &&
      found.length === labels.length &&
      labels.every((label, at) => ASCII.test(label) || A_LABEL.test(found[at] ?? ""))
    )
  })
}
