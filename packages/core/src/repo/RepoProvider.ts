/**
 * The words for providers of repositories, and the names under which existing clients send three of them.
 *
 * A provider is any text: these words are the ones in use. Both spellings of a word name one provider.
 */

/** The providers in use. */
export const PROVIDERS = [
  "github",
  "gitlab",
  "bitbucket",
  "bitbucket_cloud",
  "bitbucket_dc",
  "cloudx-devops",
  "cloudx_devops_services",
  "cloudx_devops_server",
  "circleci",
  "git",
  "subversion"
] as const

/** The neutral word of each alias. */
export const ALIASES: ReadonlyMap<string, (typeof PROVIDERS)[number]> = new Map([
  ["azure-devops", "cloudx-devops"],
  ["azure_devops_services", "cloudx_devops_services"],
  ["azure_devops_server", "cloudx_devops_server"]
])

/** The neutral word of a provider: that of its alias, or the text itself. */
export const neutral = (provider: string): string => ALIASES.get(provider) ?? provider

/** The alias that a text is; null for any other text. */
export const aliasOf = (provider: string): string | null =>
  ALIASES.has(provider) ? provider : null
