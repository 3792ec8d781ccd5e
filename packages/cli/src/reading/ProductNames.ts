/**
 * Product names for values of the API, for tables that people read. JSON output keeps the API's values, and filters
 * accept both. Pure.
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
  ["circleci", "CircleCI"]
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

/** The API's value for the product name of a provider, in any case; other texts are returned unchanged. */
export const providerOf = (text: string): string => {
  const named = text.toLowerCase()
  const [word] = [...PROVIDERS].find(([, title]) => title.toLowerCase() === named) ?? []
  return word ?? text
}
