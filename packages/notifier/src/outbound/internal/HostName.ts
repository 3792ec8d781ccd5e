/**
 * Whether a text is a host name, and one of the public internet.
 *
 * Only A-labels are accepted: an internationalised name must be given in punycode, because Unicode mapping admits
 * look-alikes of dots, digits and letters.
 */

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

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

/** Whether the text, in lower case, is one or more letter-digit-hyphen labels of legal length. */
export const isName = (text: string): boolean =>
  text.length <= 253 && text.split(".").every((label) => LABEL.test(label))

/** Whether the name has several labels and does not lie under an internal domain. */
export const isPublicName = (text: string): boolean => {
  const labels = text.split(".")
  const top = labels[labels.length - 1] ?? ""
  return isName(text) && labels.length > 1 && TOP_LABEL.test(top) && !INTERNAL.has(top)
}
