/** The URLs of workers; the Trusted Types policy creates nothing else. */
import { base } from "./Navigation.js"

interface TrustedTypes {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (address: string) => string }
  ) => { readonly createScriptURL: (address: string) => unknown }
}

const prefix = `${base}/_/assets/`

const checked = (address: string): string => {
  if (!address.startsWith(prefix) || !/^[A-Za-z0-9._-]+$/.test(address.slice(prefix.length)))
    throw new TypeError("only files of the application are run")
  return address
}

let made: { readonly createScriptURL: (address: string) => unknown } | undefined

/**
 * The URL of a worker script. WHY one policy: a page can create a policy name only once. Browsers without Trusted
 * Types get a string.
 */
export const scriptAddress = (address: string): string => {
  // WHY: the type library does not have this global yet.
  const { trustedTypes } = globalThis as unknown as { readonly trustedTypes?: TrustedTypes }
  made ??= trustedTypes?.createPolicy("attestry", { createScriptURL: checked })
  // WHY: `Worker` accepts the policy's result, but its type does not.
  return (made === undefined ? checked(address) : made.createScriptURL(address)) as string
}
