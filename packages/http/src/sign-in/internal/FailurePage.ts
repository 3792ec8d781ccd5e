/**
 * The page of a sign-in that failed, one for each class. It needs no script, no file and no cookie, and has no claim:
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

const sentenceOf = (failure: FailureClass): string => {
  switch (failure) {
    case "cancelled":
      return "Your provider says that signing in was cancelled or denied. Nothing has changed."
    case "expired":
      return "A sign-in takes ten minutes at most, in one browser, and works once. Begin again."
    case "refused":
      return "Your provider knows you, and no org here does. Give these lines to an administrator, who can let you in."
    case "provider":
      return (
        "Your provider cannot be reached, or its answer is not accepted. Try again in a minute; " +
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

/** WHY in the page: a file of the application would need the application. */
const STYLE =
  ":root{color-scheme:light dark}body{margin:0;font:16px/1.5 system-ui,sans-serif}" +
  "body{color:light-dark(#16191d,#e6e8eb);background:light-dark(#fff,#111418)}a{color:light-dark(#1d4fd8,#8fb4ff)}" +
  "main{box-sizing:border-box;max-width:30rem;margin:15vh auto 0;padding:1.5rem}h1{margin:0;font-size:1.25rem}" +
  "dt{margin-top:.5rem;font-weight:600}dd{margin:0;overflow-wrap:anywhere;font-family:ui-monospace,monospace}"

/** The digest of the style, by which the page allows this one alone. */
const STYLE_DIGEST = "sha256-ZloWlALyg4QdvHadCYrE8aHVWI+AzdycPii2yNRjVHk="

/** The page. */
export const make = (shown: ShownFailure): OutgoingResponse => {
  const { failure, home } = shown
  return {
    status: STATUS[failure],
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy":
        `default-src 'none'; style-src '${STYLE_DIGEST}'; ` +
        "base-uri 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      ...(failure === "provider" ? { "retry-after": "60" } : {})
    },
    body:
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${TITLE[failure]}</title>` +
      '<meta name="viewport" content="width=device-width">' +
      `<style>${STYLE}</style></head><body><main>` +
      `<h1>${TITLE[failure]}</h1><p>${sentenceOf(failure)}</p>${identityOf(shown)}` +
      `<p><a href="${escaped(home)}">Back to the sign-in page</a></p></main></body></html>\n`
  }
}
