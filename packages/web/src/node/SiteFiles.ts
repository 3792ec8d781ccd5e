/** Loads the built site files of this package, for hosts on Node. */
import { existsSync, readFileSync } from "node:fs"
import type { SiteFile, SiteFiles } from "../StaticSite.js"

/** An entry of the build's manifest. */
interface Entry {
  /** The path below the site, such as `_/assets/app-1A2B.js`. */
  readonly name: string
  readonly type: string
  readonly size: number
  readonly digest: string
  readonly encodings: ReadonlyArray<"gzip" | "br">
}

/** The same folder from `src/node` and from `dist/node`. */
const SITE = new URL("../../dist/site/", import.meta.url)

const SUFFIXES = { gzip: ".gz", br: ".br" } as const

/** The site is not built: the package runs from a checkout without `pnpm build`. */
export class SiteNotBuilt extends Error {
  override readonly name = "SiteNotBuilt"
  constructor() {
    super("the pages are not built: run `pnpm build`, or start with ATTESTRY_WEB=off")
  }
}

const read = (folder: URL, name: string): Uint8Array => readFileSync(new URL(name, folder))

const fileOf = (folder: URL, { name, type, digest, encodings }: Entry): SiteFile => ({
  type,
  digest,
  plain: read(folder, name),
  ...Object.fromEntries(
    encodings.map((encoding) => [encoding, read(folder, `${name}${SUFFIXES[encoding]}`)])
  )
})

/** Loads the files once; throws `SiteNotBuilt` if there is no build. */
export const load = (folder: URL = SITE): SiteFiles => {
  const list = new URL("files.json", folder)
  if (!existsSync(list)) throw new SiteNotBuilt()
  // WHY: the build of the same package wrote the manifest.
  const { shell, assets, preloads, docs, verify } = JSON.parse(readFileSync(list, "utf8")) as {
    readonly shell: Entry
    readonly assets: ReadonlyArray<Entry>
    readonly preloads: { readonly [route: string]: ReadonlyArray<string> }
    readonly docs: {
      readonly assets: ReadonlyArray<Entry>
      readonly pages: ReadonlyArray<Entry>
      readonly notFound: Entry
    }
    readonly verify: Entry & { readonly policy: string }
  }
  return {
    shell: readFileSync(new URL(shell.name, folder), "utf8"),
    digest: shell.digest,
    preloads: new Map(Object.entries(preloads)),
    assets: new Map(
      [...assets, ...docs.assets].map((entry) => [`/${entry.name}`, fileOf(folder, entry)])
    ),
    docs: {
      pages: new Map(
        docs.pages.map((entry) => [
          `/${entry.name.replace(/index\.html$/, "")}`,
          fileOf(folder, entry)
        ])
      ),
      notFound: readFileSync(new URL(docs.notFound.name, folder), "utf8")
    },
    verify: { ...fileOf(folder, verify), policy: verify.policy }
  }
}

/** The page that verifies audit capsules, alone; throws if there is no build. */
export const verifyPage = (folder: URL = SITE): Uint8Array => read(folder, "verify.html")
