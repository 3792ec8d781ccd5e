/**
 * The documentation: pages from the Markdown of the repository, in the order of `docs/README.md`.
 *
 * `app/docs/DocSite.ts` makes the pages; this module bundles it, reads the repository and names the files.
 */
import { createHash } from "node:crypto"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const root = join(import.meta.dirname, "..")
const repository = join(root, "../..")

/** Folders below which documents and images are. */
const IMAGES = ["docs", "docs/images"]

/** The generator as a module of Node. */
const generator = async (build) => {
  const folder = mkdtempSync(join(tmpdir(), "attestry-docs-"))
  const file = join(folder, "site.mjs")
  try {
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [join(root, "app/docs/DocSite.ts")],
      outfile: file,
      bundle: true,
      format: "esm",
      platform: "node",
      metafile: true,
      logLevel: "warning"
    })
    return { site: await import(pathToFileURL(file).href), inputs: Object.keys(metafile.inputs) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const hashed = (name, bytes) => {
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 8).toUpperCase()
  const [stem, ending] = name.split(/\.(?=[^.]+$)/)
  return `_/assets/${stem}-${digest}.${ending}`
}

const images = () =>
  IMAGES.flatMap((folder) =>
    readdirSync(join(repository, folder))
      .filter((name) => /\.(?:svg|png)$/.test(name))
      .map((name) => {
        const bytes = readFileSync(join(repository, folder, name))
        return { path: `${folder}/${name}`, name: hashed(`docs-${name}`, bytes), bytes }
      })
  )

/** The repository as the generator sees it, and the documents that it has read. */
const sourceOf = (pictures) => {
  const documents = new Set()
  return {
    documents,
    read: (path) => {
      documents.add(`../../${path}`)
      const file = join(repository, path)
      return existsSync(file) ? readFileSync(file, "utf8") : undefined
    },
    has: (path) => existsSync(join(repository, path)),
    images: new Map(pictures.map(({ path, name }) => [path, name]))
  }
}

/**
 * Bundles script and style, and writes every page.
 *
 * `publish` writes a file with its compressed forms and gives its entry; `shared` are the options of the bundler.
 */
export const buildDocs = async ({ build, shared, publish, nameOf, icon }) => {
  const { site, inputs } = await generator(build)
  const { outputFiles, metafile } = await build({
    ...shared,
    entryPoints: {
      docs: join(root, "app/docs/main.ts"),
      "docs-style": join(root, "app/docs/style.css")
    },
    sourcemap: false
  })
  const pictures = images()
  const source = sourceOf(pictures)
  const model = site.read(source)
  const problems = site.problemsOf(model)
  for (const problem of problems) process.stderr.write(`docs: ${problem}\n`)
  const index = Buffer.from(JSON.stringify(site.searchIndex(model)))
  const search = hashed("docs-search.json", index)
  const bundled = outputFiles.map(({ path, contents }) => ({ name: nameOf(path), contents }))
  const named = (ending) => bundled.find(({ name }) => name.endsWith(ending)).name
  const { pages, notFound } = site.print(model, {
    icon,
    search,
    script: named(".js"),
    style: named(".css")
  })
  const assets = [
    ...bundled.map(({ name, contents }) => publish(name, Buffer.from(contents))),
    ...pictures.map(({ name, bytes }) => publish(name, bytes)),
    publish(search, index)
  ]
  return {
    docs: {
      assets,
      pages: [...pages].map(([path, html]) => publish(`docs/${path}index.html`, Buffer.from(html))),
      notFound: publish("docs/404.html", Buffer.from(notFound))
    },
    inputs: [
      ...inputs,
      ...Object.keys(metafile.inputs),
      ...source.documents,
      ...pictures.map(({ path }) => `../../${path}`),
      "build/docs.mjs"
    ]
  }
}
