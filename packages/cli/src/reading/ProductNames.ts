/**
 * Product names for values of the API, for tables that people read and for flags. JSON output keeps the API's values,
 * and flags accept both. Pure.
 */
import * as Products from "../environment/cloud/Products.js"

const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ["github", "GitHub"],
  ["gitlab", "GitLab"],
  ["bitbucket", "Bitbucket"],
  ["bitbucket_cloud", "Bitbucket Cloud"],
  ["bitbucket_dc", "Bitbucket Data Center"],
  ["cloudx-devops", "Azure DevOps"],
  ["cloudx_devops_services", "Azure DevOps Services"],
  ["cloudx_devops_server", "Azure DevOps Server"],
  ["circleci", "CircleCI"],
  ["git", "Git"],
  ["subversion", "Subversion"]
])

const TARGETS: ReadonlyMap<string, string> = new Map([["CHAT", "Slack"]])

/** The product name of an environment kind; a kind without one is returned unchanged. */
export const ofKind = (word: string): string => {
  const kind = Products.kindOf(word)
  return Products.PRODUCTS.find((product) => product.kind === kind)?.title ?? word
}

/** The product name of a repository provider; others are returned unchanged. */
export const ofProvider = (word: string): string =>
  PROVIDERS.get(word.replace(/^azure(?=[-_]devops)/, "cloudx")) ?? word

/** The product name of a notification target; others are returned unchanged. */
export const ofTarget = (word: string): string => TARGETS.get(word) ?? word

/** A name in lower case, its words joined by hyphens. */
const spelled = (text: string): string => text.toLowerCase().replaceAll(/[\s_]+/g, "-")

/** The command-line word of a provider: `azure-devops` for `cloudx-devops`. */
const wordOf = (provider: string): string => spelled(provider).replace(/^cloudx/, "azure")

/** The command-line words of the providers. */
export const PROVIDER_WORDS: ReadonlyArray<string> = [...PROVIDERS.keys()].map(wordOf)

/** The API's value for a provider by any of its names, in any case; other texts are returned unchanged. */
export const providerOf = (text: string): string => {
  const named = spelled(text) === "azure" ? "azure-devops" : wordOf(text)
  const [provider] =
    [...PROVIDERS].find(([word, title]) => wordOf(word) === named || spelled(title) === named) ?? []
  return provider ?? text
}

/** The API's value for a forge by any of its names, in any case; other texts are returned unchanged. */
export const forgeOf = (text: string): string => {
  const named = wordOf(text)
  if (named === "azure" || named === "azure-devops") return "cloudx"
  return spelled(text) === "bitbucket-cloud" ? "bitbucket" : spelled(text)
}

/** The value of `init --ci` for a CI by any of its names, in any case; other texts are returned unchanged. */
export const ciOf = (text: string): string => {
  const named = wordOf(text)
  if (["azure", "azure-devops", "azure-pipelines"].includes(named)) return "azure-devops"
  return named.replace(/-(?:actions|ci|pipelines)$/, "")
}
