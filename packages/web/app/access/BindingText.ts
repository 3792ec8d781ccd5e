/** Where a role comes from, in words. */
import type { AccessBinding } from "../shared/Contract.js"

const sourceOf = ({ kind, team }: AccessBinding): string => {
  switch (kind) {
    case "base":
      return "the base role"
    case "grant":
      return "a grant"
    case "team":
      return `a grant for team ${team}`
    case "everyone":
      return "a grant for everyone"
    case "break-glass":
      return "break-glass"
  }
}

/** Where a role comes from: `a grant for team payments (4)`. */
export const bindingText = (binding: AccessBinding): string =>
  binding.number === null ? sourceOf(binding) : `${sourceOf(binding)} (${binding.number})`

/** A role, where it counts, and where it comes from. */
export const viaText = (binding: AccessBinding): string =>
  `${binding.role} in ${binding.space} by ${bindingText(binding)}`
