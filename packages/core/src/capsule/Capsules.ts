/** Use case: makes audit capsules. SPEC §4.35 */
import * as Base64 from "@attestry/transparency-log/Base64"
import * as MerkleMultiproof from "@attestry/transparency-log/MerkleMultiproof"
import * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Access from "../access/Access.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import { AttachmentStore } from "../attestation/AttachmentStore.js"
import type { Attachment } from "../attestation/Attestation.js"
import { HistoryStore } from "../history/HistoryStore.js"
import * as OpenLogs from "../log/internal/OpenLogs.js"
import * as StoredProofs from "../log/internal/StoredProofs.js"
import { LogKeys } from "../log/LogKeys.js"
import * as LogProof from "../log/LogProof.js"
import { LogReferences } from "../log/LogReferences.js"
import { LogStore } from "../log/LogStore.js"
import { type LogQuestion, LogViews } from "../log/LogViews.js"
import * as PublicKeySet from "../log/PublicKeySet.js"
import { SEMANTICS } from "../policy/PolicySemantics.js"
import * as Dsse from "../receipt/Dsse.js"
import { STATEMENT_TYPE } from "../receipt/ReceiptPredicate.js"
import type { Selection } from "../release-evidence/internal/ReleaseReading.js"
import * as ReleaseReading from "../release-evidence/internal/ReleaseReading.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import type { OrgId, OrgName } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import * as Timestamp from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import { TrustPolicyStore } from "../trust-policy/TrustPolicyStore.js"
import * as Capsule from "./Capsule.js"
import * as CapsuleArchive from "./CapsuleArchive.js"
import { CapsuleBusy, CapsulePending, CapsuleTooLarge } from "./CapsuleFailure.js"
import { CapsuleHost } from "./CapsuleHost.js"
import { CapsuleAnswers } from "./internal/CapsuleAnswers.js"
import * as CapsuleEntries from "./internal/CapsuleEntries.js"
import * as CapsulePacking from "./internal/CapsulePacking.js"
import * as CapsuleSelecting from "./internal/CapsuleSelecting.js"
import * as DocumentProofs from "./internal/DocumentProofs.js"

/** What a caller asks to prove. */
export type { CapsuleAsked } from "./internal/CapsuleSelecting.js"

/** A capsule: the name of its file, its size in bytes, and its bytes. */
export interface MadeCapsule {
  readonly filename: string
  readonly bytes: number
  readonly content: Stream.Stream<Uint8Array, StoreError>
}

type Packed = CapsulePacking.Packed<StoreError>

/** The log as it was opened, and the checkpoint that the capsule is for. */
interface Opened {
  readonly log: OpenLogs.OpenLog
  readonly size: number
  readonly note: string
}

/** A log, and the releases that are asked for. */
interface Asked extends Opened {
  readonly releases: Selection | undefined
}

const statementOf = (manifest: string, sha256: string): string =>
  CanonicalJson.print({
    _type: STATEMENT_TYPE,
    subject: [{ name: manifest, digest: { sha256 } }],
    predicateType: Capsule.PREDICATE_TYPE,
    predicate: {}
  })

/** Use case: makes capsules. */
export class Capsules extends Effect.Service<Capsules>()("@attestry/core/Capsules", {
  effect: Effect.gen(function* () {
    const [reaches, transaction] = [yield* Reaches, yield* Transaction]
    const [logs, logKeys] = [yield* LogStore, yield* LogKeys]
    const [views, references] = [yield* LogViews, yield* LogReferences]
    const [attachments, history] = [yield* AttachmentStore, yield* HistoryStore]
    const [host, trustPolicies] = [yield* CapsuleHost, yield* TrustPolicyStore]
    const open = yield* OpenLogs.make
    const select = yield* CapsuleSelecting.make
    const entries = yield* CapsuleEntries.make
    const reading = yield* ReleaseReading.make
    const proofs = StoredProofs.make(logs)
    const making = new Set<OrgId>()

    /** The log, and its checkpoint of a size: the published one by default. */
    const openAt = (question: LogQuestion, wanted: Option.Option<number>) =>
      Effect.gen(function* () {
        const newest = yield* views.checkpoint(question)
        const log = yield* open(question)
        const { head, tree } = log
        const size = Option.getOrElse(wanted, () => head.size)
        if (size > head.size)
          return yield* new LogProof.OutsideLog({ field: "size", value: size, max: head.size })
        if (size === head.size) return { log, size, note: newest } satisfies Opened
        const [signed] = yield* logs.listCheckpoints(tree, { after: size - 1, upTo: size })
        if (signed === undefined)
          return yield* new LogProof.OutsideLog({ field: "size", value: size, max: head.size })
        return { log, size, note: signed.note } satisfies Opened
      })

    const proofOf = (org: OrgName, { log, size }: Opened, indexes: ReadonlyArray<number>) =>
      Effect.gen(function* () {
        const runs = MerkleMultiproof.runs(size, indexes)
        const edge = MerkleTree.subtreesOf({ begin: 0, end: log.head.size })
        const subtrees = runs.flatMap((run) => MerkleTree.subtreesOf(run))
        const read = yield* proofs.reader(org, log, [...subtrees, ...edge])
        const hashes = MerkleMultiproof.prove({ size, indexes }, read).map(Base64.encode)
        return CanonicalJson.print({ hashes, size } satisfies Capsule.Proof)
      })

    /** The commit positions of the snapshots of a selection. */
    const positionsOf = (scope: CapsuleSelecting.CapsuleScope) =>
      Effect.map(
        Effect.forEach(scope.environments, ({ changes, ref }) =>
          Effect.map(
            history.snapshots(
              ref,
              changes.map(({ index }) => index)
            ),
            (found) =>
              found.map(({ index, position }) => [`${ref.environment} ${index}`, position] as const)
          )
        ),
        (found) => new Map(found.flat())
      )

    /** The files that entries name, each once, as far as they are stored. */
    const filesOf = (org: OrgId, named: ReadonlyMap<string, Attachment>, before: number) =>
      Effect.gen(function* () {
        const { bytes: bytesMax, files: filesMax } = host.limits
        const bytes = [...named.values()].reduce((sum, { size }) => sum + size, before)
        if (bytes > bytesMax)
          return yield* new CapsuleTooLarge({ what: "bytes", count: bytes, max: bytesMax })
        if (named.size > filesMax)
          return yield* new CapsuleTooLarge({ what: "files", count: named.size, max: filesMax })
        const files: Array<Packed> = []
        for (const { fingerprint } of named.values()) {
          const content = attachments.read({ org, fingerprint })
          const file = yield* CapsulePacking.file(`${Capsule.FILES}${fingerprint}`, content)
          // A file that was erased, or that differs, proves nothing.
          if (file.listed.sha256 === fingerprint) files.push(file)
        }
        return files
      })

    const packText = (name: string, text: string) =>
      CapsulePacking.pack(name, Stream.make(Sha256.utf8(text)), host)

    /** By what the documents were verified; no member without documents. */
    const rootsOf = (org: OrgId, documents: ReadonlyArray<DocumentProofs.RecordedDocument>) =>
      Effect.gen(function* () {
        if (documents.length === 0) return []
        const names = new Set(documents.flatMap(({ verification: { root } }) => root ?? []))
        const policies = yield* trustPolicies.list(org)
        const trust: Capsule.TrustRoots = {
          policies: policies.map(({ at, text, version }) => ({ version, at, text })),
          roots: [...names].sort().flatMap((name) => {
            const text = host.trustRoots.get(name)
            return text === undefined ? [] : [{ name, text }]
          })
        }
        return [yield* packText(Capsule.MEMBERS.roots, CanonicalJson.print(trust))]
      })

    /** The releases of a selection, as the operation answers them. */
    const releasesOf = (selection: Selection | undefined) =>
      Effect.gen(function* () {
        if (selection === undefined) return undefined
        const releases = yield* reading.all(selection)
        return { selection, releases, shown: yield* reading.completed(selection, releases) }
      })

    /** The members that the log and the store tell, read as of one moment. */
    const membersOf = (granted: GrantedWithin, asked: CapsuleSelecting.CapsuleAsked, at: Asked) =>
      Effect.gen(function* () {
        const { org, orgId } = granted
        const now = Timestamp.fromMillis(yield* Clock.currentTimeMillis)
        const releases = yield* releasesOf(at.releases)
        const scope = yield* select(granted, { asked, releases, now })
        const reading = {
          org,
          tree: at.log.tree,
          size: at.size,
          evidence: asked.evidence,
          isAdmin: at.log.isAdmin
        }
        const leaves = yield* entries.leavesOf(reading, scope.subjects)
        const answers = new CapsuleAnswers(scope)
        const named = new Map<string, Attachment>()
        const documents: Array<DocumentProofs.RecordedDocument> = []
        const lines = entries.lines(reading, leaves, (logged) => {
          answers.accept(logged)
          if (asked.evidence !== "files") return
          for (const file of CapsuleEntries.attachmentsOf(logged.entry))
            named.set(file.fingerprint, file)
          documents.push(...Option.toArray(DocumentProofs.documentOf(logged.entry)))
        })
        const packed = yield* CapsulePacking.pack(Capsule.MEMBERS.entries, lines, host)
        if (!answers.isComplete) return yield* new CapsulePending({ org })
        const table = answers.releases(leaves)
        if (Option.isNone(table)) return yield* new CapsulePending({ org })
        const expected: Capsule.Expected = {
          ...answers.expected(leaves, yield* positionsOf(scope)),
          ...table.value
        }
        const indexes = leaves.map(({ index }) => index)
        return {
          now,
          selection: answers.selection,
          entries: leaves.length,
          members: [
            yield* packText(Capsule.MEMBERS.proof, yield* proofOf(org, at, indexes)),
            yield* packText(Capsule.MEMBERS.expected, CanonicalJson.print(expected)),
            packed,
            ...(yield* rootsOf(orgId, documents))
          ],
          files: yield* filesOf(orgId, named, packed.member.packedSize)
        }
      })

    const keysOf = (granted: GrantedWithin) =>
      Effect.map(logKeys.list(granted.orgId), (keys) =>
        PublicKeySet.print(
          keys.flatMap((key) => Option.toArray(PublicKeySet.fromRecorded(granted.org, key)))
        )
      )

    /** The members that are the same for every selection. */
    const ownMembers = (granted: GrantedWithin, { note }: Opened) =>
      Effect.gen(function* () {
        const witnesses = Option.map(host.witnesses, (text) =>
          CapsulePacking.stored(Capsule.MEMBERS.witnesses, text)
        )
        const page = Option.map(host.page, (bytes) =>
          CapsulePacking.pack(Capsule.MEMBERS.page, Stream.make(bytes), host)
        )
        return {
          before: [
            CapsulePacking.stored(Capsule.MEMBERS.checkpoint, note),
            CapsulePacking.stored(Capsule.MEMBERS.keys, yield* keysOf(granted)),
            ...Option.toArray(witnesses)
          ],
          after: Option.isSome(page) ? [yield* page.value] : []
        }
      })

    const build = (
      question: LogQuestion,
      granted: GrantedWithin,
      { asked, at }: { readonly asked: CapsuleSelecting.CapsuleAsked; readonly at: Asked }
    ) =>
      Effect.gen(function* () {
        const { org, orgId } = granted
        const made = yield* transaction.snapshot(orgId, membersOf(granted, asked, at))
        const { after, before } = yield* ownMembers(granted, at)
        const members: ReadonlyArray<Packed> = [...before, ...made.members, ...after, ...made.files]
        const { origin } = at.log.tree
        const manifest: Capsule.Manifest = {
          version: Capsule.VERSION,
          org,
          origin,
          size: at.size,
          made_at: made.now,
          evaluator: SEMANTICS,
          selection: made.selection,
          counts: { entries: made.entries, files: made.files.length },
          members: members.map(({ listed }) => listed)
        }
        const first = CapsulePacking.stored(Capsule.MEMBERS.manifest, CanonicalJson.print(manifest))
        const payload = statementOf(first.listed.name, first.listed.sha256)
        const signed = { payloadType: Dsse.IN_TOTO, payload }
        const text = Dsse.signedText(signed)
        const signatures = yield* references.sign(question, { origin, text })
        const envelope = Dsse.print({ ...signed, signatures })
        const all: ReadonlyArray<Packed> = [
          first,
          CapsulePacking.stored(Capsule.MEMBERS.statement, envelope),
          ...members
        ]
        return {
          filename: `${org}-${at.size}.capsule.zip`,
          bytes: CapsuleArchive.sizeOf(all.map(({ member }) => member)),
          content: CapsulePacking.toStream(all)
        } satisfies MadeCapsule
      })

    /** Runs the making of a capsule, of which an org has one at a time in a process. */
    const alone = <A, E, R>({ org, orgId }: GrantedWithin, work: Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(
        Effect.suspend(() => {
          if (making.has(orgId)) return new CapsuleBusy({ org })
          making.add(orgId)
          return Effect.void
        }),
        () => work,
        () => Effect.sync(() => making.delete(orgId))
      )

    /** Makes a capsule against the published checkpoint, or that of a size. Only for callers who read the whole org. */
    const create = Effect.fn("Capsules.create")(function* (
      question: LogQuestion,
      asked: CapsuleSelecting.CapsuleAsked,
      size: Option.Option<number>
    ) {
      const granted = yield* reaches.authorize(question.org, "org.read")
      if (granted.readable._tag === "Part")
        return yield* new Access.AccessDenied({ org: question.org, permission: "org.read" })
      // WHY before the log is opened: the period ends now, and the log then has what was recorded by its end.
      const releases =
        asked.releases === undefined
          ? undefined
          : yield* reading.selectionOf(question, asked.releases)
      return yield* alone(
        granted,
        Effect.flatMap(openAt(question, size), (at) =>
          build(question, granted, { asked, at: { ...at, releases } })
        )
      )
    })

    return { create } as const
  })
}) {}
