/**
 * Serves the web application: its files, one HTML page for every route, and the documentation below `/docs/`.
 *
 * Answers come from a map of known names, so no path reaches a file system. The page is the same for everyone; the
 * API decides what a person may see.
 */
import * as Route from "./Route.js"
import { FILE_HEADERS, PAGE_HEADERS } from "./SecurityHeaders.js"

/** The bytes of a file: plain, and compressed if the build made that form. */
export interface SiteFile {
  readonly type: string
  /** A digest of the plain bytes. */
  readonly digest: string
  readonly plain: Uint8Array
  readonly gzip?: Uint8Array
  readonly br?: Uint8Array
}

/** The documentation below `/docs/`. */
export interface DocFiles {
  /** Pages by their paths, such as `/docs/cli/`; their links are relative. */
  readonly pages: ReadonlyMap<string, SiteFile>
  /** The HTML for other paths below `/docs/`, with `%BASE%` for the path of the public URL. */
  readonly notFound: string
}

/** The page that verifies audit capsules: one file, which sends nothing. */
export interface VerifyFile extends SiteFile {
  /** Its content security policy. */
  readonly policy: string
}

/** The output of the build. */
export interface SiteFiles {
  /**
   * The HTML of every page. `%BASE%` stands for the path of the public URL, `%PRELOADS%` for links to the scripts of
   * the route.
   */
  readonly shell: string
  /** The scripts of each route's page, by route name, without those that every page loads. */
  readonly preloads?: ReadonlyMap<string, ReadonlyArray<string>>
  /** A digest of the shell. */
  readonly digest: string
  /** Files by their paths, such as `/_/assets/app-1A2B.js`. */
  readonly assets: ReadonlyMap<string, SiteFile>
  /** The documentation; a host may leave it out. */
  readonly docs?: DocFiles
  /** The page at `/verify`; a host may leave it out. */
  readonly verify?: VerifyFile
}

/** The parts of a request that the site reads. */
export interface SiteRequest {
  readonly method: string
  /** Path and query, not decoded, below the path of the public URL. */
  readonly url: string
  /** The values of a header; the name is in lower case. */
  readonly headers: (name: string) => ReadonlyArray<string>
}

/** An answer; hosts omit the body for HEAD. */
export interface SiteResponse {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array
}

/** Answers every request outside of the API. */
export type StaticSite = (request: SiteRequest) => SiteResponse

const ENCODINGS = ["br", "gzip"] as const

/** The items of a list header, with their weights. */
const listOf = (values: ReadonlyArray<string>): ReadonlyMap<string, number> =>
  new Map(
    values
      .flatMap((value) => value.split(","))
      .map((item) => {
        const [name = "", ...options] = item.split(";").map((part) => part.trim().toLowerCase())
        const weight = options.find((option) => option.startsWith("q="))
        return [name, weight === undefined ? 1 : Number(weight.slice(2))] as const
      })
  )

/** The smallest encoding of a file that the client accepts. */
const encodingOf = (
  file: SiteFile,
  request: SiteRequest
): (typeof ENCODINGS)[number] | undefined => {
  const accepted = listOf(request.headers("accept-encoding"))
  return ENCODINGS.find(
    (name) => file[name] !== undefined && (accepted.get(name) ?? accepted.get("*") ?? 0) > 0
  )
}

const isUnchanged = (request: SiteRequest, tag: string): boolean =>
  request
    .headers("if-none-match")
    .flatMap((value) => value.split(","))
    .some((item) => item.trim().replace(/^W\//, "") === tag || item.trim() === "*")

/** The answer with its ETag, or 304 if the client already has it. */
const tagged = (request: SiteRequest, tag: string, response: SiteResponse): SiteResponse => {
  const headers = { ...response.headers, etag: tag }
  if (response.status !== 200 || !isUnchanged(request, tag)) return { ...response, headers }
  return {
    status: 304,
    headers: Object.fromEntries(
      Object.entries(headers).filter(([name]) => !name.startsWith("content-"))
    ),
    body: ""
  }
}

/** A file in the form that the client accepts, with the headers of its kind. */
const fileResponse = (
  file: SiteFile,
  request: SiteRequest,
  kind: SiteResponse["headers"]
): SiteResponse => {
  const encoding = encodingOf(file, request)
  const body = encoding === undefined ? file.plain : (file[encoding] ?? file.plain)
  return tagged(request, `"${file.digest}${encoding === undefined ? "" : `-${encoding}`}"`, {
    status: 200,
    headers: {
      ...kind,
      "content-type": file.type,
      vary: "accept-encoding",
      ...(encoding === undefined ? {} : { "content-encoding": encoding })
    },
    body
  })
}

const ASSET_HEADERS = {
  ...FILE_HEADERS,
  "cache-control": "public, max-age=31536000, immutable"
}

const HTML_HEADERS = { ...PAGE_HEADERS, "cache-control": "no-cache" }

const plainText = (
  status: number,
  body: string,
  more: SiteResponse["headers"] = {}
): SiteResponse => ({
  status,
  headers: { ...FILE_HEADERS, "content-type": "text/plain; charset=utf-8", ...more },
  body
})

const escapeAttribute = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** The options of a host. */
export interface StaticSiteOptions {
  readonly files: SiteFiles
  /** The URL under which browsers reach the deployment; its path is the base of every link. */
  readonly publicUrl: string
}

/** Makes the site of a deployment. */
export const make = ({ files, publicUrl }: StaticSiteOptions): StaticSite => {
  const base = Route.baseOf(publicUrl)
  const shellOf = (route: Route.Route["_tag"]): string =>
    files.shell
      .replace(
        "%PRELOADS%",
        (files.preloads?.get(route) ?? [])
          .map((name) => `<link rel="modulepreload" href="%BASE%/${escapeAttribute(name)}">\n`)
          .join("")
      )
      .replaceAll("%BASE%", escapeAttribute(base))
  const page = (request: SiteRequest): SiteResponse => {
    const { _tag: route } = Route.parse(request.url)
    return tagged(request, `"${files.digest}${route}${base}"`, {
      status: route === "NotFound" ? 404 : 200,
      headers: {
        ...HTML_HEADERS,
        "content-type": "text/html; charset=utf-8"
      },
      body: shellOf(route)
    })
  }
  /** WHY a relative location: the site does not know under which path a proxy serves it. */
  const docResponse = (docs: DocFiles, path: string, request: SiteRequest): SiteResponse => {
    const file = docs.pages.get(path)
    if (file !== undefined) return fileResponse(file, request, HTML_HEADERS)
    if (docs.pages.has(`${path}/`))
      return plainText(308, "", { location: `${path.split("/").at(-1)}/` })
    return {
      status: 404,
      headers: { ...HTML_HEADERS, "content-type": "text/html; charset=utf-8" },
      body: docs.notFound.replaceAll("%BASE%", escapeAttribute(base))
    }
  }
  return (request) => {
    if (request.method !== "GET" && request.method !== "HEAD")
      return plainText(405, "Method Not Allowed", { allow: "GET, HEAD" })
    const [path = ""] = request.url.split("?")
    const file = files.assets.get(path)
    if (file !== undefined) return fileResponse(file, request, ASSET_HEADERS)
    if (files.verify !== undefined && path === "/verify")
      return fileResponse(files.verify, request, {
        ...HTML_HEADERS,
        "content-security-policy": `${files.verify.policy}; frame-ancestors 'none'`
      })
    if (files.docs !== undefined && /^\/docs(?:\/|$)/.test(path))
      return docResponse(files.docs, path, request)
    return path.startsWith("/_/assets/") ? plainText(404, "Not Found") : page(request)
  }
}
