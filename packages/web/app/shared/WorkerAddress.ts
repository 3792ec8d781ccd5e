/** Addresses of workers: the only thing that the Trusted Types policy makes. */
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

/** The address of a script. WHY one policy: a page may make one of this name once. Other browsers take the text. */
export const scriptAddress = (address: string): string => {
  // WHY: the type library does not know this global yet.
  const { trustedTypes } = globalThis as unknown as { readonly trustedTypes?: TrustedTypes }
  made ??= trustedTypes?.createPolicy("attestry", { createScriptURL: checked })
  // WHY: the constructor of workers takes the result of the policy, which its type does not have.
  return (made === undefined ? checked(address) : made.createScriptURL(address)) as string
}
