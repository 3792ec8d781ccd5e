/**
 * What the proved entries of a capsule prove: replays them, decides every answer again, and compares it with those that
 * were given. Pure.
 *
 * Anything withheld that an answer needs makes it *not proved*, never *proved*.
 */
import * as Option from "effect/Option"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import * as Timestamp from "../shared/Timestamp.js"
import * as Capsule from "./Capsule.js"
import type { OpenedEntry } from "./CapsuleEntry.js"
import type { CapsuleReport, Claim, Finding } from "./CapsuleReport.js"
import type { DocumentEvidence } from "./DocumentCheck.js"
import * as CapsuleChains from "./internal/CapsuleChains.js"
import * as CapsuleFacts from "./internal/CapsuleFacts.js"
import { CapsuleHistory } from "./internal/CapsuleHistory.js"
import * as DocumentProofs from "./internal/DocumentProofs.js"
import * as EnvironmentProofs from "./internal/EnvironmentProofs.js"
import * as ReleaseProofs from "./internal/ReleaseProofs.js"
import { RowRecomputation } from "./internal/RowRecomputation.js"
import { type Doubting, type Judged, standingOf } from "./internal/SnapshotProofs.js"

/** The entries and answers of a capsule, all of which are in its manifest. */
export interface ProvedEntries {
  readonly manifest: Capsule.Manifest
  readonly expected: Capsule.Expected
  readonly entries: ReadonlyArray<OpenedEntry>
  /** The documents of evidence and the roots to verify them with; undefined if they are not verified again. */
  readonly documents: DocumentEvidence | undefined
}

/** What the entries prove. */
export type Findings = Pick<CapsuleReport, "proved" | "notProved" | "wrong" | "withheld">

/** After all entries of a capsule. */
const END = { position: Number.MAX_SAFE_INTEGER, at: Timestamp.fromMicros(0) }

/** What an artifact's evidence lacks, what a snapshot lacks, and so on. */
const doubtsOf = (
  { expected, manifest }: ProvedEntries,
  facts: ReadonlyMap<number, CapsuleFacts.CapsuleFact>,
  {
    chains,
    documents,
    flowOf
  }: {
    readonly chains: ReadonlyMap<string, CapsuleChains.FollowedChain>
    readonly documents: DocumentProofs.DocumentProofs
    readonly flowOf: (trail: string) => string | undefined
  }
) => {
  const reported = new Map(expected.reported.map((each) => [each.fingerprint, each.trails]))
  const factless = new Set<string>()
  for (const { isWithoutFacts, subject } of facts.values())
    if (isWithoutFacts) factless.add(subject)
  const doubtOf = (type: string, id: string): ReadonlyArray<string> => {
    const chain = chains.get(CapsuleFacts.subjectKey({ type, id }))
    if (chain === undefined) return [`nothing about ${type} ${id} is shown`]
    return chain.problem === undefined ? [] : [`${type} ${id}: ${chain.problem}`]
  }
  const ofTrail = (trail: string, readsFacts: boolean): ReadonlyArray<string> => {
    const flow = flowOf(trail)
    return [
      ...doubtOf("trail", trail),
      ...(flow === undefined ? [`the flow of trail ${trail} is not shown`] : doubtOf("flow", flow)),
      ...(readsFacts && factless.has(CapsuleFacts.subjectKey({ type: "trail", id: trail }))
        ? [`trail ${trail}: facts of evidence are not shown`]
        : []),
      ...(readsFacts
        ? documents.doubtsOf(CapsuleFacts.subjectKey({ type: "trail", id: trail }))
        : [])
    ]
  }
  const waivers = [...chains.values()].flatMap(({ head, problem }) =>
    head.subject.type === "waiver" && problem !== undefined
      ? [`waiver ${head.subject.id}: ${problem}`]
      : []
  )
  const doubting: Doubting = {
    ofSubject: doubtOf,
    ofWaivers: waivers,
    writerOf: (index) => {
      const fact = facts.get(index)
      return fact === undefined || fact.isWithoutActor ? undefined : fact.entry.actor.name
    },
    isWhole:
      facts.size === manifest.counts.entries &&
      [...chains.values()].every(({ problem }) => problem === undefined),
    ofArtifact: (fingerprint, readsFacts) => {
      if (fingerprint === "") return []
      const trails = reported.get(fingerprint)
      return trails === undefined
        ? [`it is not told where ${fingerprint} was reported`]
        : trails.flatMap((trail) => ofTrail(trail, readsFacts))
    },
    ofSnapshot: (environment, { policies }) => [
      ...doubtOf("environment", environment),
      ...policies.flatMap(({ id, version }) => (version === 0 ? [] : doubtOf("policy", id))),
      ...waivers
    ],
    unseenOf: (fingerprint, unseen) =>
      unseen.size === 0
        ? []
        : (reported.get(fingerprint) ?? []).flatMap((trail) => {
            const key = CapsuleFacts.subjectKey({ type: "trail", id: trail })
            return [...unseen]
              .filter((index) => facts.get(index)?.subject === key)
              .map((index) => `entry ${index} was written while it was decided`)
          })
  }
  return { doubting, ofTrail }
}

const trailsOf = (
  { expected, manifest }: ProvedEntries,
  rows: RowRecomputation,
  { doubting, ofTrail }: ReturnType<typeof doubtsOf>
): ReadonlyArray<Judged> =>
  manifest.selection.trails.map(({ flow_name: flow, id, trail_name: trail }) => {
    const status = expected.trails.find((each) => each.id === id)?.status ?? null
    const claim: Claim = { type: "trail", flow, trail, status: status ?? "unknown" }
    const again = rows.statusOf(id) ?? null
    const said = `its status comes out ${again ?? "unknown"}`
    const isSame = again === status && again !== null
    return { claim, ...standingOf(doubting, ofTrail(id, false), { isSame, said }) }
  })

const artifactsOf = (
  { expected, manifest }: ProvedEntries,
  rows: RowRecomputation,
  doubting: Doubting
): ReadonlyArray<Judged> =>
  manifest.selection.fingerprints.map((fingerprint) => {
    const flows = expected.artifacts.find((each) => each.fingerprint === fingerprint)?.flows ?? []
    const again = rows
      .timelineOf(fingerprint)
      .at(END)
      .map(({ view }) => view)
    const claim: Claim = { type: "artifact", fingerprint, flows: again.length }
    const isSame = CanonicalJson.equals(again, flows)
    return {
      claim,
      ...standingOf(doubting, doubting.ofArtifact(fingerprint, true), {
        isSame,
        said: "its evidence comes out otherwise"
      })
    }
  })

const filesOf = ({ manifest }: ProvedEntries): ReadonlyArray<Judged> =>
  manifest.members.flatMap(({ name, sha256, size }) =>
    name.startsWith(Capsule.FILES)
      ? [
          {
            claim: { type: "file", sha256, size } as const,
            doubts: [],
            errors: name === `${Capsule.FILES}${sha256}` ? [] : ["its name is not its digest"]
          }
        ]
      : []
  )

const chainsOf = (
  chains: ReadonlyMap<string, CapsuleChains.FollowedChain>
): ReadonlyArray<Judged> =>
  [...chains.values()].map(({ entries, head: { subject }, problem }) => ({
    claim: { type: "chain", subject, entries },
    doubts: problem === undefined ? [] : [problem],
    errors: []
  }))

/** The facts of entries by index, and how many entries no rule can read. */
const replay = (entries: ReadonlyArray<OpenedEntry>) => {
  const history = new CapsuleHistory()
  const facts = new Map<number, CapsuleFacts.CapsuleFact>()
  for (const opened of entries) {
    const fact = Option.getOrUndefined(CapsuleFacts.of(opened))
    if (fact === undefined) continue
    try {
      history.accept(fact.entry)
      facts.set(fact.index, fact)
    } catch {
      // WHY every failure: an entry that no rule can read counts as one that is not shown.
    }
  }
  return { facts, history }
}

const findingOf = (claim: Claim, reasons: ReadonlyArray<string>): Finding => ({ claim, reasons })

/** What the entries prove. */
export const evaluate = (given: ProvedEntries): Findings => {
  const { facts, history } = replay(given.entries)
  const chains = CapsuleChains.followAll(given.expected.chains, facts)
  const rows = new RowRecomputation(history)
  const documents = DocumentProofs.prove([...facts.values()], given)
  const doubts = doubtsOf(given, facts, { chains, documents, flowOf: rows.flowOf })
  const { doubting } = doubts
  const environments = EnvironmentProofs.judge(given, { rows, doubting })
  const { snapshots } = environments
  const judged = [
    ...environments.judged,
    ...ReleaseProofs.judge(given, { rows, doubting, snapshots }),
    ...trailsOf(given, rows, doubts),
    ...artifactsOf(given, rows, doubting),
    ...chainsOf(chains),
    ...filesOf(given),
    ...documents.judged
  ]
  return {
    proved: judged.flatMap(({ claim, doubts, errors }) =>
      doubts.length + errors.length === 0 ? [claim] : []
    ),
    notProved: judged.flatMap(({ claim, doubts, errors }) =>
      errors.length === 0 && doubts.length > 0 ? [findingOf(claim, doubts)] : []
    ),
    wrong: judged.flatMap(({ claim, errors }) =>
      errors.length > 0 ? [findingOf(claim, errors)] : []
    ),
    withheld: {
      entries: given.entries.length - facts.size,
      members: given.entries.reduce((sum, { withheld }) => sum + withheld.length, 0),
      documents: documents.unchecked
    }
  }
}
