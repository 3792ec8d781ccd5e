/**
 * What each package may import: the table of the architecture as data.
 *
 * The longest folder or file that a module lies below decides. A pattern ends in `*` where anything may
 * follow; relative imports are always allowed inside one root, and never across roots.
 */
import { posix } from "node:path"
import { at, type Finding } from "../shared/Finding.js"
import { importsOf } from "../shared/Imports.js"
import type { Manifest } from "../shared/Repository.js"
import type { SourceFile } from "../shared/SourceFile.js"

const CORE = ["@attestry/core/*", "@attestry/transparency-log/*", "effect/*"]
const LAB = [...CORE, "@attestry/policy-lab/*"]
const SQL = [...CORE, "@effect/sql/*"]
const PLATFORM = [...CORE, "@effect/platform/*"]
const CONTRACT = [...PLATFORM, "@attestry/policy-lab/*", "@attestry/api/*"]

/** What may be imported below a folder or in a file. */
export const MAY_IMPORT: { readonly [place: string]: ReadonlyArray<string> } = {
  "packages/transparency-log/src": ["effect/*"],
  "packages/transparency-log/src/bytes": ["#digests", "@noble/hashes/*", "effect/*"],
  "packages/transparency-log/node": ["node:buffer", "node:crypto"],
  "packages/transparency-log/webcrypto": ["@attestry/transparency-log/*", "effect/*"],
  "packages/core/src": ["@attestry/transparency-log/*", "effect/*", "re2js"],
  "packages/core/src/shared/YamlText.ts": ["effect/*", "yaml"],
  "packages/core/webcrypto": CORE,
  "packages/core/testing": [...CORE, "@effect/vitest", "@effect/vitest/utils"],
  "packages/policy-lab/src": CORE,
  "packages/policy-lab/testing": [...LAB, "@effect/vitest"],
  "packages/memory-store/src": CORE,
  "packages/sql-store/src": SQL,
  // The client of `@effect/sql` asks for the service of that module.
  "packages/sql-store/src/pg": [
    ...SQL,
    "@effect/experimental/Reactivity",
    "pg",
    "pg-copy-streams",
    "node:net"
  ],
  "packages/embedded-postgres/src": ["effect/*", "pg", "node:*"],
  "packages/sql-store/src/schema": [...SQL, "node:fs", "node:url"],
  "packages/evidence-rules/src": [
    ...CORE,
    "ajv",
    "ajv/*",
    "ajv-formats",
    "jq-wasm",
    "re2js",
    "node:*"
  ],
  "packages/evidence-intake/src": [
    ...CORE,
    "@sigstore/bundle",
    "@sigstore/core",
    "@sigstore/protobuf-specs",
    "@sigstore/verify",
    "packageurl-js",
    "saxes",
    "node:*"
  ],
  "packages/sign-in/src": [...CORE, "openid-client"],
  "packages/api/src": [...PLATFORM, "@attestry/policy-lab/*"],
  "packages/http/src": CONTRACT,
  "packages/http/src/node": [...CONTRACT, "node:*"],
  "packages/client/src": CONTRACT,
  // Gathers evidence from the machine it runs on; the client itself stays free of it.
  "packages/client/node": [...PLATFORM, "@attestry/client/*", "saxes", "node:*"],
  // Bundled with what it imports; the entry and the tree of commands stay free of Effect.
  "packages/cli/src": [
    ...LAB,
    "@attestry/client/*",
    "@attestry/api/OperationIndex",
    "@attestry/evidence-intake/*",
    "node:*"
  ],
  "packages/cli/src/main.ts": ["node:os"],
  "packages/cli/src/environment/cloud": [
    "@attestry/core/*",
    "@attestry/client/*",
    "@aws-sdk/credential-providers",
    "@smithy/core/config",
    "effect/*",
    "node:*"
  ],
  "packages/cli/src/mcp": ["@attestry/core/*", "@modelcontextprotocol/sdk/*", "effect/*"],
  "packages/cli/src/tree": [],
  "packages/notifier/src": PLATFORM,
  "packages/notifier/src/node": [...PLATFORM, "nodemailer", "undici", "node:*"],
  "packages/web/src": [],
  "packages/web/src/node": ["node:fs"],
  // Of core and the contract types alone; the check of the bundle finds anything else.
  "packages/web/app": [
    "preact",
    "preact/hooks",
    "@preact/signals",
    "lucide",
    "@attestry/web/Route",
    "@attestry/core/*",
    "@attestry/api/*"
  ],
  // The worker that checks proofs runs core; pages of the log import types of it.
  "packages/web/app/log": [
    "preact",
    "preact/hooks",
    "@preact/signals",
    "@attestry/web/Route",
    "@attestry/core/*",
    "@attestry/transparency-log/*",
    "effect/Either",
    "effect/Option"
  ],
  // The page that verifies capsules, a file of its own that loads no other page: it runs core.
  "packages/web/app/capsule": [
    "@attestry/core/*",
    "@attestry/transparency-log/*",
    "effect/Effect",
    "effect/Either",
    "effect/Layer"
  ],
  // The generator of the documentation, which runs when the package is built.
  "packages/web/app/docs": ["marked"],
  "packages/web/app/attestation": [
    "preact",
    "preact/hooks",
    "@preact/signals",
    "lucide",
    "@attestry/web/Route",
    "@attestry/core/*",
    "@attestry/policy-lab/EvidenceCommand",
    "@attestry/api/*"
  ],
  // The editor, and the policy worker, which runs core and the policy lab.
  "packages/web/app/policy": [
    "preact",
    "preact/hooks",
    "@preact/signals",
    "@attestry/web/Route",
    "@attestry/core/*",
    "@attestry/policy-lab/*",
    "@codemirror/*",
    "@lezer/highlight",
    "effect/Either"
  ],
  "packages/server/src": ["*"]
}

const matches = (pattern: string, specifier: string): boolean => {
  const [start = "", end] = pattern.split("*")
  return end === undefined
    ? specifier === pattern
    : specifier.startsWith(start) &&
        specifier.endsWith(end) &&
        specifier.length >= start.length + end.length
}

const isBelow = (path: string, place: string): boolean =>
  path === place || path.startsWith(`${place}/`)

const ruleFor = (path: string): ReadonlyArray<string> | undefined => {
  const [place] = Object.keys(MAY_IMPORT)
    .filter((each) => isBelow(path, each))
    .sort((a, b) => b.length - a.length)
  return place === undefined ? undefined : MAY_IMPORT[place]
}

/** `packages/core/src` for anything below it. */
const rootOf = (path: string): string => path.split("/").slice(0, 3).join("/")

/** Imports that the table does not allow, and places that it does not know. */
export const forbidden = (file: SourceFile): ReadonlyArray<Finding> => {
  const rule = ruleFor(file.path)
  if (rule === undefined) return [at(file, 1, "lies in no place of the import table")]
  return importsOf(file)
    .filter(({ specifier }) =>
      specifier.startsWith(".")
        ? !isBelow(posix.join(posix.dirname(file.path), specifier), rootOf(file.path))
        : !rule.some((pattern) => matches(pattern, specifier))
    )
    .map(({ specifier, line }) => at(file, line, `may not import \`${specifier}\``))
}

const BARREL = /^(?:effect|@effect\/[^/]+|@attestry\/[^/]+)$/

/** Barrels of Effect or of ours, which bring everything along; the test library is one module. */
export const barrels = (file: SourceFile): ReadonlyArray<Finding> =>
  importsOf(file)
    .filter(({ specifier }) => BARREL.test(specifier) && specifier !== "@effect/vitest")
    .map(({ specifier, line }) => at(file, line, `imports the barrel \`${specifier}\``))

/** The package that a specifier names; none for a module of Node. */
const packageOf = (specifier: string): string | undefined =>
  /^(?:\.|node:)/.test(specifier)
    ? undefined
    : specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/")

/** Packages that published source imports and its manifest does not promise. */
export const undeclared = (file: SourceFile, manifest: Manifest): ReadonlyArray<Finding> => {
  const { dependencies, imports, peerDependencies } = manifest
  const declared = { ...dependencies, ...peerDependencies, ...imports }
  return importsOf(file).flatMap(({ specifier, line }) => {
    const name = packageOf(specifier)
    return name === undefined || name === manifest.name || Object.hasOwn(declared, name)
      ? []
      : [
          at(
            file,
            line,
            `imports \`${name}\`, which is not in dependencies, peerDependencies or imports`
          )
        ]
  })
}
