/** A bill of materials of an archive, in CycloneDX: every package that is installed or bundled, Node and PostgreSQL. */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { Enums, Models, Serialize, SPDX, Spec } from "@cyclonedx/cyclonedx-library"
import { NODE_VERSION } from "./platforms.mjs"
import { integrityOf } from "./tree.mjs"

const root = join(import.meta.dirname, "../..")

const hexOf = (integrity) => Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex")

const digestOf = (algorithm, file) => createHash(algorithm).update(readFileSync(file)).digest("hex")

const purlOf = ({ name, version }) => `pkg:npm/${name.replace("@", "%40")}@${version}`

const licenseOf = (words) => {
  if (SPDX.isSupportedSpdxId(words)) return new Models.SpdxLicense(words)
  return /\b(?:AND|OR|WITH)\b/.test(words)
    ? new Models.LicenseExpression(words)
    : new Models.NamedLicense(words)
}

const hashesOf = (sha512) => new Models.HashDictionary([[Enums.HashAlgorithm["SHA-512"], sha512]])

/** A package of npm as a component. */
const packageOf = (manifest, sha512) => {
  const [group, name] = manifest.name.startsWith("@")
    ? manifest.name.split("/")
    : [undefined, manifest.name]
  const purl = purlOf(manifest)
  const component = new Models.Component(Enums.ComponentType.Library, name, {
    group,
    version: manifest.version,
    purl,
    bomRef: purl
  })
  if (sha512 !== undefined) component.hashes = hashesOf(sha512)
  if (typeof manifest.license === "string") component.licenses.add(licenseOf(manifest.license))
  return component
}

/** The packages that a bundler put into a file of ours, from the list of its inputs. */
const bundledIn = (stateFile) => {
  const { inputs } = JSON.parse(readFileSync(join(root, stateFile), "utf8"))
  const places = inputs.flatMap(
    (input) =>
      /node_modules\/\.pnpm\/[^/]+\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []
  )
  return [...new Set(places)].map((place) =>
    JSON.parse(readFileSync(join(realpathSync(join(root, place)), "package.json"), "utf8"))
  )
}

/** Shared libraries that come with PostgreSQL, as files: their package names no versions. */
const librariesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.includes(".so"))
    .map(({ name }) => {
      const component = new Models.Component(Enums.ComponentType.File, name, {
        bomRef: `file:postgresql/lib/${name}`
      })
      const sha256 = digestOf("sha256", join(folder, name))
      component.hashes = new Models.HashDictionary([[Enums.HashAlgorithm["SHA-256"], sha256]])
      return component
    })

const postgresOf = ({ folder, manifest }) => {
  const version = /^\d+\.\d+/.exec(manifest.version)?.[0]
  const component = new Models.Component(Enums.ComponentType.Application, "postgresql", {
    version,
    purl: `pkg:generic/postgresql@${version}`,
    cpe: `cpe:2.3:a:postgresql:postgresql:${version}:*:*:*:*:*:*:*`,
    bomRef: `pkg:generic/postgresql@${version}`
  })
  component.licenses.add(new Models.SpdxLicense("PostgreSQL"))
  for (const library of librariesIn(join(folder, "native/lib"))) component.components.add(library)
  return component
}

const nodeOf = ({ name, nodeIntegrity }) => {
  const component = new Models.Component(Enums.ComponentType.Application, "node", {
    version: NODE_VERSION,
    purl: purlOf({ name: `node-${name}`, version: NODE_VERSION }),
    cpe: `cpe:2.3:a:nodejs:node.js:${NODE_VERSION}:*:*:*:*:*:*:*`,
    bomRef: `node@${NODE_VERSION}`
  })
  component.hashes = hashesOf(hexOf(nodeIntegrity))
  component.licenses.add(new Models.SpdxLicense("MIT"))
  return component
}

const sha512Of = ({ archive, manifest }) => {
  if (archive !== undefined) return digestOf("sha512", archive)
  const integrity = integrityOf(manifest)
  return integrity === undefined ? undefined : hexOf(integrity)
}

/** A UUID that depends only on a text. */
const uuidOf = (text) => {
  const hex = createHash("sha256").update(text).digest("hex")
  const variant = "89ab"[Number.parseInt(hex[16], 16) % 4]
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`]
  return [...parts, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-")
}

/** The text of the bill of an archive. */
export const sbomOf = ({ version, platform, packages, epoch }) => {
  const byRef = new Map()
  const add = (component) => byRef.set(component.bomRef.value, component)
  for (const each of packages) add(packageOf(each.manifest, sha512Of(each)))
  for (const { manifest, needs } of packages) {
    const component = byRef.get(purlOf(manifest))
    for (const need of needs) {
      const found = packages.find(({ place }) => place === need)
      component.dependencies.add(byRef.get(purlOf(found.manifest)).bomRef)
    }
  }
  for (const [owner, stateFile] of [
    ["@attestry/cli", "packages/cli/dist/bundle-inputs.json"],
    ["@attestry/web", "packages/web/dist/site-inputs.json"]
  ]) {
    const component = byRef.get(purlOf({ name: owner, version }))
    for (const manifest of bundledIn(stateFile)) {
      const ref = purlOf(manifest)
      if (!byRef.has(ref)) add(packageOf(manifest, sha512Of({ manifest })))
      component.dependencies.add(byRef.get(ref).bomRef)
    }
  }
  const node = nodeOf(platform)
  add(node)
  const brings = ({ folder }) => existsSync(join(folder, "native/bin/postgres"))
  for (const each of packages.filter(brings)) {
    const postgres = postgresOf(each)
    add(postgres)
    byRef.get(purlOf(each.manifest)).dependencies.add(postgres.bomRef)
  }
  const attestry = new Models.Component(Enums.ComponentType.Application, "attestry", {
    version,
    purl: `pkg:generic/attestry@${version}?platform=${platform.name}`,
    bomRef: `attestry@${version}`
  })
  attestry.licenses.add(new Models.SpdxLicense("Apache-2.0"))
  for (const name of ["@attestry/cli", "@attestry/server"])
    attestry.dependencies.add(byRef.get(purlOf({ name, version })).bomRef)
  attestry.dependencies.add(node.bomRef)
  const refs = [...byRef.keys()].sort()
  const bom = new Models.Bom({
    serialNumber: `urn:uuid:${uuidOf([version, platform.name, ...refs].join("\n"))}`,
    components: new Models.ComponentRepository(refs.map((ref) => byRef.get(ref))),
    metadata: new Models.Metadata({ component: attestry, timestamp: new Date(epoch * 1000) })
  })
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
  return new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 })
}
