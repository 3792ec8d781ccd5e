/**
 * The product names that people read in tables, for the words that the wire has. JSON output keeps the words of the
 * wire, and filters accept both. Pure.
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

/** The name of the product that makes environments of a kind; the word itself where there is no product. */
export const ofKind = (word: string): string => {
  const kind = Products.kindOf(word)
  return Products.PRODUCTS.find((product) => product.kind === kind)?.title ?? word
}

/** The name of a provider of repositories; the word itself where it is not one of those in use. */
export const ofProvider = (word: string): string =>
  PROVIDERS.get(word.replace(/^azure(?=[-_]devops)/, "cloudx")) ?? word

/** The name of a target of notifications; the word itself where it is no product. */
export const ofTarget = (word: string): string => TARGETS.get(word) ?? word

/** The word of the wire for a provider that is given by its product name, in any case; other texts stay. */
export const providerOf = (text: string): string => {
  const named = text.toLowerCase()
  const [word] = [...PROVIDERS].find(([, title]) => title.toLowerCase() === named) ?? []
  return word ?? text
}
