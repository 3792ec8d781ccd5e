/** The commands that read. */
import * as Products from "../environment/cloud/Products.js"
import { GET_NOUNS } from "../reading/GetTable.js"
import { type ListNoun, reversalOf } from "../reading/ListNoun.js"
import { LIST_NOUNS } from "../reading/NounTable.js"
import * as ProductNames from "../reading/ProductNames.js"
import type { CommandSpec, FlagSpec } from "../shared/CommandSpec.js"
import {
  ARTIFACT_TYPE,
  AS_OF,
  FINGERPRINT,
  FLOW,
  LIMIT,
  PAGES,
  POLICIES,
  REVERSE,
  SINCE,
  TRAIL,
  UNTIL
} from "./Flags.js"

/** The filter flags by name. */
const FILTERS: { readonly [name: string]: FlagSpec } = {
  flow: FLOW,
  trail: TRAIL,
  fingerprint: FINGERPRINT,
  name: { name: "name", short: "n", kind: "text", value: "NAME", brief: "only of this name" },
  type: { name: "type", short: "t", kind: "text", value: "TYPE", brief: "only of this type" },
  silent: {
    name: "silent",
    kind: "boolean",
    brief: "only those that missed a report; =false: only others"
  },
  compliant: {
    name: "compliant",
    kind: "boolean",
    brief: "only compliant ones; =false: only others"
  },
  archived: { name: "archived", kind: "boolean", brief: "only archived ones" },
  covered: { name: "covered", kind: "boolean", brief: "only covered ones; =false: only others" },
  tag: { name: "tag", kind: "texts", value: "KEY=VALUE", brief: "only with this tag" },
  "flow-tag": {
    name: "flow-tag",
    kind: "texts",
    value: "KEY=VALUE",
    brief: "only of flows with this tag"
  },
  kind: {
    name: "kind",
    kind: "text",
    value: "KIND",
    choiceOf: Products.kindOf,
    brief: "only of this kind, or of this product"
  },
  provider: {
    name: "provider",
    kind: "text",
    value: "PROVIDER",
    choiceOf: ProductNames.providerOf,
    brief: "only of this provider, or of this product"
  },
  verdict: {
    name: "verdict",
    kind: "text",
    choices: ["compliant", "not-compliant", "unknown"],
    brief: "only with this verdict"
  },
  since: SINCE,
  until: UNTIL
}

/** The filter flags of evidence. WHY not the schemas of core: the tree is loaded for every command. */
export const EVIDENCE_FILTERS: ReadonlyArray<FlagSpec> = [
  {
    name: "kind",
    kind: "text",
    choices: [
      "provenance",
      "verification",
      "sbom",
      "scan",
      "analysis",
      "tests",
      "junit",
      "snyk",
      "coverage",
      "vex",
      "signature",
      "statement"
    ],
    brief: "only of this kind"
  },
  {
    name: "state",
    kind: "text",
    choices: ["verified", "untrusted", "unverifiable", "unsigned", "failed"],
    brief: "only with this result of verification"
  },
  { ...FINGERPRINT, brief: "only about this artifact, or waiting for it" },
  {
    name: "predicate-type",
    kind: "text",
    value: "TYPE",
    brief: "only statements with this type of predicate"
  },
  {
    name: "waiting",
    kind: "boolean",
    brief: "only those that wait for an artifact; =false: only others"
  }
]

/** The filter flags of components. */
const COMPONENT_FILTERS: ReadonlyArray<FlagSpec> = [
  { name: "purl", kind: "text", value: "PURL", brief: "only this package: pkg:npm/lodash@4.17.20" },
  { name: "search", kind: "text", value: "TEXT", brief: "only names that begin with this" },
  { ...FINGERPRINT, brief: "only what this artifact contains" }
]

/** The filter flags of the keys of an org. */
const KEY_FILTERS: ReadonlyArray<FlagSpec> = [
  {
    name: "unused-days",
    kind: "number",
    value: "90",
    brief: "only keys that were not used in the last so many days"
  },
  {
    name: "ends-within-days",
    kind: "number",
    value: "14",
    brief: "only keys that end within so many days"
  },
  {
    name: "unscoped",
    kind: "boolean",
    brief: "only keys without a scope; =false: only keys with one"
  }
]

const OWN_FILTERS: ReadonlyMap<string, ReadonlyArray<FlagSpec>> = new Map([
  ["org-keys", KEY_FILTERS],
  ["evidence", EVIDENCE_FILTERS],
  ["components", COMPONENT_FILTERS]
])

const filterFlag = (name: string, noun: string): FlagSpec =>
  OWN_FILTERS.get(noun)?.find((flag) => flag.name === name) ??
  new Map(Object.entries(FILTERS)).get(name) ?? {
    name,
    kind: "text",
    value: name.toUpperCase(),
    brief: `only of this ${name}`
  }

/** WHY two texts: reading a whole list takes time. */
const reverseFlag = (noun: ListNoun): FlagSpec =>
  noun.isPaged && reversalOf(noun) === "whole"
    ? { ...REVERSE, brief: "in the other order; the whole list is read first" }
    : REVERSE

const RAW: FlagSpec = {
  name: "raw",
  kind: "boolean",
  brief: "with -o json: the answers of the API, unchanged"
}

const sortFlag = (choices: ReadonlyArray<string>): FlagSpec => ({
  name: "sort",
  kind: "text",
  choices,
  brief: "the order of the list"
})

const flagsOf = (noun: ListNoun): ReadonlyArray<FlagSpec> => [
  ...[...Object.values(noun.path ?? {}), ...Object.values(noun.filters ?? {})].map((name) =>
    filterFlag(name, noun.noun)
  ),
  ...(noun.sorts === undefined ? [] : [sortFlag(noun.sorts)]),
  reverseFlag(noun),
  ...(noun.isPaged ? PAGES : []),
  RAW
]

/** The commands that read. */
export const READING_COMMANDS: ReadonlyArray<CommandSpec> = [
  ...LIST_NOUNS.map(
    (noun): CommandSpec => ({
      words: ["list", noun.noun],
      brief: noun.brief,
      positionals: [],
      flags: flagsOf(noun),
      load: async () => (await import("../reading/ListCommand.js")).command(noun)
    })
  ),
  ...GET_NOUNS.map(
    (noun): CommandSpec => ({
      words: ["get", noun.noun],
      brief: noun.brief,
      positionals: noun.positionals.map(([name]) => ({
        name,
        brief: `the ${noun.noun}`,
        required: true
      })),
      flags: [
        ...(noun.needsFlow ? [FLOW] : []),
        ...(noun.takesAsOf === true ? [AS_OF] : []),
        ...(noun.noun === "snapshot" ? [POLICIES] : [])
      ],
      load: async () => (await import("../reading/GetCommand.js")).command(noun)
    })
  ),
  {
    words: ["get", "attestation"],
    brief: "Show an attestation by its id, or the latest of a name on a trail or an artifact",
    positionals: [
      {
        name: "ATTESTATION",
        brief: "the id, or the name: NAME or SLOT.NAME",
        required: true
      }
    ],
    flags: [
      FLOW,
      { ...TRAIL, brief: "the trail of a name; by default the commit of the job" },
      {
        name: "artifact",
        short: "a",
        kind: "text",
        value: "ARTIFACT",
        brief: "of a name: a path, an image with -t, or a fingerprint"
      },
      FINGERPRINT,
      ...ARTIFACT_TYPE,
      { name: "all", kind: "boolean", brief: "every attestation of the name, newest first" },
      { name: "download", kind: "text", value: "DIR", brief: "save its evidence files there" }
    ],
    load: () => import("../reading/AttestationCommand.js")
  },
  {
    words: ["get", "evidence"],
    brief: "Show an accepted evidence file, or save its bytes",
    keywords: ["sbom", "provenance", "download"],
    positionals: [{ name: "DIGEST", brief: "the SHA-256 of the file", required: true }],
    flags: [
      {
        name: "position",
        kind: "number",
        value: "1",
        brief: "the place of the document in a file with several"
      },
      { name: "raw", kind: "boolean", brief: "with --to-file: save the bytes of the file" },
      { name: "to-file", kind: "text", value: "FILE", brief: "the new file for the bytes" }
    ],
    load: () => import("../reading/EvidenceCommand.js")
  },
  {
    words: ["search"],
    brief: "Find a commit or a fingerprint, whole or by its first characters",
    positionals: [{ name: "VALUE", brief: "5 characters or more", required: true }],
    flags: [],
    load: () => import("../reading/SearchCommand.js")
  },
  {
    words: ["log"],
    brief: "Show what started and stopped running in an environment",
    positionals: [
      { name: "ENV", brief: "the environment", required: true },
      { name: "A..B", brief: "snapshots", required: false }
    ],
    flags: [
      LIMIT,
      SINCE,
      UNTIL,
      { name: "repo", kind: "texts", value: "NAME", brief: "only artifacts of this repository" },
      { name: "follow", kind: "boolean", brief: "follow new events, every 5 s" },
      { name: "csv", kind: "boolean", brief: "the whole audit log as CSV" }
    ],
    load: () => import("../reading/EventsCommand.js")
  },
  {
    words: ["open"],
    brief: "Open the page of an environment, a snapshot, a trail or an artifact",
    positionals: [
      { name: "THING", brief: "ENV, ENV#12, FLOW/TRAIL or a fingerprint", required: false }
    ],
    flags: [{ name: "print", kind: "boolean", brief: "print the address alone" }],
    load: () => import("../reading/OpenCommand.js")
  }
]
