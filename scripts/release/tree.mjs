/**
 * The `node_modules` of an installed Attestry for a platform: the packed packages of this workspace, and the packages
 * that they need, in the versions of the lockfile. Packages of another platform than this machine's are downloaded.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync
} from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { parse } from "yaml"
import { download, unpack } from "./download.mjs"

const root = join(import.meta.dirname, "../..")

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

const locked = parse(readFileSync(join(root, "pnpm-lock.yaml"), "utf8")).packages

/** Packages that a run does not need. */
const LEFT_OUT = new Set([
  // WHY: it reports installations to its vendor, which is refused here and impossible offline.
  "@scarf/scarf",
  // WHY: a native accelerator that the lockfile has for one platform only; `msgpackr` works without it.
  "msgpackr-extract"
])

/** The locked version of a package that is not installed here. */
const lockedVersion = (name) => {
  const versions = Object.keys(locked).filter((key) => key.startsWith(`${name}@`))
  if (versions.length !== 1) throw new Error(`the lockfile has ${versions.length} of ${name}`)
  return versions[0].slice(name.length + 1)
}

/** The digest that the lockfile has of a package of the registry. */
export const integrityOf = ({ name, version }) =>
  locked[`${name}@${version}`]?.resolution?.integrity

const accepts = (words, word) => words === undefined || words.includes(word)

const isFor = ({ os, cpu, libc }, platform) =>
  accepts(os, platform.os) && accepts(cpu, platform.cpu) && accepts(libc, platform.libc)

/** Types, maps and static libraries: files that no run reads. */
const isNeeded = (path) => !/\.(?:[cm]?tsx?|map|a|tsbuildinfo)$/.test(path)

/** The folder in which Node looks for the dependencies of an installed package. */
const modulesOf = (folder) => {
  const marker = "/node_modules/"
  return folder.slice(0, folder.lastIndexOf(marker) + marker.length)
}

/** The packages of this workspace, unpacked from their archives, by name. */
export const unpackOwn = (packed, folder) =>
  new Map(
    readdirSync(packed)
      .sort()
      .map((file) => {
        const place = join(folder, file.replace(/\.tgz$/, ""))
        unpack(join(packed, file), place)
        const manifest = manifestOf(place)
        const modules = join(
          root,
          "packages",
          basename(manifest.repository.directory),
          "node_modules"
        )
        return [manifest.name, { folder: place, manifest, modules, archive: join(packed, file) }]
      })
  )

/** Finds packages for a platform; `scratch` is a folder for those that are downloaded. */
const finder = ({ own, platform, scratch }) => {
  const downloaded = new Map()

  const foreign = (name) => {
    if (downloaded.has(name)) return downloaded.get(name)
    const version = lockedVersion(name)
    const entry = locked[`${name}@${version}`]
    const found = isFor(entry, platform) ? mkdtempSync(join(scratch, "foreign-")) : undefined
    if (found !== undefined) {
      unpack(download({ name, version, integrity: entry.resolution.integrity }), found)
    }
    downloaded.set(name, found)
    return found
  }

  /** The package that another one means by a name; `undefined` if an optional one is not for the platform. */
  return (from, name, isOptional) => {
    if (own.has(name)) return own.get(name)
    const place = join(from.modules, name)
    if (!existsSync(place) && !isOptional) throw new Error(`${from.manifest.name} lacks ${name}`)
    const folder = existsSync(place) ? realpathSync(place) : foreign(name)
    if (folder === undefined) return undefined
    const manifest = manifestOf(folder)
    return isFor(manifest, platform) ? { folder, manifest, modules: modulesOf(folder) } : undefined
  }
}

/** The names that a package needs, each with whether it can do without. */
const needsOf = ({ dependencies = {}, optionalDependencies = {}, ...manifest }) => {
  const { peerDependencies = {}, peerDependenciesMeta = {} } = manifest
  const peers = Object.keys(peerDependencies).filter(
    (name) => peerDependenciesMeta[name]?.optional !== true
  )
  const needed = [...Object.keys(dependencies), ...peers].filter(
    (name) => optionalDependencies[name] === undefined
  )
  return [
    ...[...new Set(needed)].map((name) => ({ name, isOptional: false })),
    ...Object.keys(optionalDependencies).map((name) => ({ name, isOptional: true }))
  ].filter(({ name }) => !LEFT_OUT.has(name))
}

/** The path that a package has at a place below `node_modules`, and at each place above it. */
const placesFrom = (place, name) => {
  const places = [`${place}/node_modules/${name}`]
  for (let at = place; at.includes("/node_modules/"); ) {
    at = at.slice(0, at.lastIndexOf("/node_modules/"))
    places.push(`${at}/node_modules/${name}`)
  }
  return [...places, `node_modules/${name}`]
}

/**
 * Every package below the named ones with its place, in the layout of npm: at the top, unless another version is there
 * already. Each has the places of its dependencies.
 */
export const layOut = ({ own, names, platform, scratch }) => {
  const find = finder({ own, platform, scratch })
  const placed = new Map()
  const queue = []
  const put = (place, found) => {
    const entry = { ...found, place, needs: [] }
    placed.set(place, entry)
    queue.push(entry)
    return place
  }
  for (const name of names) put(`node_modules/${name}`, own.get(name))
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const { name, isOptional } of needsOf(next.manifest)) {
      const found = find(next, name, isOptional)
      if (found === undefined) continue
      const seen = placesFrom(next.place, name).find((place) => placed.has(place))
      const isSame = placed.get(seen)?.manifest.version === found.manifest.version
      const free =
        seen === undefined ? `node_modules/${name}` : `${next.place}/node_modules/${name}`
      next.needs.push(isSame ? seen : put(free, found))
    }
  }
  return [...placed.values()].sort((left, right) => (left.place < right.place ? -1 : 1))
}

/** Links of PostgreSQL's libraries, which npm cannot pack: the package lists them for its install script. */
const linkLibraries = (folder) => {
  const list = join(folder, "native/pg-symlinks.json")
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8"))) {
    const link = join(folder, target)
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(folder, source)), link)
  }
}

/** Copies the files of laid out packages that a run needs below a folder; sources stay behind where they are built. */
export const copyTree = (packages, folder) => {
  for (const { folder: source, place } of packages) {
    const target = join(folder, place)
    mkdirSync(dirname(target), { recursive: true })
    const isBuilt = existsSync(join(source, "dist"))
    const filter = (path) => {
      const inside = relative(source, path)
      return inside !== "node_modules" && !(isBuilt && inside === "src") && isNeeded(inside)
    }
    cpSync(source, target, { recursive: true, verbatimSymlinks: true, filter })
    linkLibraries(target)
  }
}
