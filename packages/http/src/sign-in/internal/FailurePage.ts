/**
 * The page of a sign-in that failed, one for each class. It needs no script, no style and no cookie, and has no claim:
 * a refused person sees the issuer and the subject, which an administrator needs to let them in.
 */
import type { Provider } from "@attestry/core/Provider"
import type { FailureClass } from "@attestry/core/SignIn"
import type { OutgoingResponse } from "../../shared/HttpMessage.js"

/** A failure to show. */
export interface ShownFailure {
  readonly failure: FailureClass
  readonly provider: Provider
  /** Whom the provider named; `null` where it named no person. */
  readonly subject: string | null
  /** The address of the first page. */
  readonly home: string
}

const STATUS: { readonly [Class in FailureClass]: number } = {
  cancelled: 403,
  expired: 400,
  refused: 403,
  provider: 503
}

const TITLE: { readonly [Class in FailureClass]: string } = {
  cancelled: "You did not sign in",
  expired: "This sign-in has ended",
  refused: "Nobody here is known by this identity",
  provider: "The provider cannot sign you in now"
}

const sentenceOf = ({ failure, provider: { label } }: ShownFailure): string => {
  switch (failure) {
    case "cancelled":
      return `${label} says that signing in was cancelled or denied. Nothing has changed.`
    case "expired":
      return "A sign-in takes ten minutes at most, in one browser, and works once. Begin again."
    case "refused":
      return `${label} knows you, and no org here does. Give these lines to an administrator, who can let you in.`
    case "provider":
      return (
        `${label} cannot be reached, or its answer is not accepted. Try again in a minute; ` +
        "an API key still opens a session."
      )
  }
}

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "")

const identityOf = ({ failure, provider, subject }: ShownFailure): string =>
  failure === "refused"
    ? `<dl><dt>Provider</dt><dd>${escaped(provider.id)}</dd>` +
      `<dt>Issuer</dt><dd>${escaped(provider.issuer)}</dd>` +
      `<dt>Subject</dt><dd>${escaped(subject ?? "none")}</dd></dl>`
    : ""

/** The page. */
export const make = (shown: ShownFailure): OutgoingResponse => {
  const { failure, home } = shown
  return {
    status: STATUS[failure],
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      ...(failure === "provider" ? { "retry-after": "60" } : {})
    },
    body:
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${TITLE[failure]}</title>` +
      '<meta name="viewport" content="width=device-width"></head><body><main>' +
      `<h1>${TITLE[failure]}</h1><p>${escaped(sentenceOf(shown))}</p>${identityOf(shown)}` +
      `<p><a href="${escaped(home)}">Back to the sign-in page</a></p></main></body></html>\n`
  }
}
