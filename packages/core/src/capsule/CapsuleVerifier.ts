/** Use case: verifies the file of a capsule. It needs signatures and no store, so that any holder can. */
import * as Base64 from "@attestry/transparency-log/Base64"
import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import * as MerkleMultiproof from "@attestry/transparency-log/MerkleMultiproof"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import { Signatures } from "@attestry/transparency-log/Signatures"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as WitnessPolicy from "@attestry/transparency-log/WitnessPolicy"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Log from "../log/Log.js"
import * as Dsse from "../receipt/Dsse.js"
import type { ReceiptKey } from "../receipt/Receipt.js"
import * as ReceiptKeySet from "../receipt/ReceiptKeySet.js"
import { STATEMENT_TYPE } from "../receipt/ReceiptPredicate.js"
import * as Timestamp from "../shared/Timestamp.js"
import * as Capsule from "./Capsule.js"
import * as CapsuleEntry from "./CapsuleEntry.js"
import * as CapsuleMembers from "./CapsuleMembers.js"
import type { CapsuleReport, Refusal, Trust } from "./CapsuleReport.js"
import * as CapsuleVerification from "./CapsuleVerification.js"
import type { DocumentCheck, DocumentEvidence } from "./DocumentCheck.js"

/** What the holder of a capsule trusts, and what documents of evidence are verified again with. */
export interface VerifiedBy extends CapsuleTrust {
  readonly check?: DocumentCheck
  /** Is told how many entries were opened, of how many. */
  readonly progress?: Progress
}

/** Is told how much was done, and of how much. */
export type Progress = (done: number, of: number) => void

/** What the holder of a capsule trusts. */
export interface CapsuleTrust {
  /** Keys of the log; without any, the capsule's own keys are taken, and the report says so. */
  readonly keys: ReadonlyArray<ReceiptKey>
  /** The witnesses that must have cosigned; without a policy, that of the capsule. */
  readonly policy?: WitnessPolicy.WitnessPolicy
}

type Members = CapsuleMembers.CapsuleMembers

const Statement = Schema.Struct({
  _type: Schema.Literal(STATEMENT_TYPE),
  predicateType: Schema.Literal(Capsule.PREDICATE_TYPE),
  subject: Schema.Tuple(
    Schema.Struct({
      name: Schema.Literal(Capsule.MEMBERS.manifest),
      digest: Schema.Struct({ sha256: Schema.String })
    })
  )
})

const readStatement = Schema.decodeUnknownOption(Schema.parseJson(Statement))

const textIn = ({ contents }: Members, name: string): string =>
  Option.fromNullable(contents.get(name)).pipe(
    Option.flatMap(Base64.textOf),
    Option.getOrElse(() => "")
  )

/** The envelope of a capsule, which must have the one text that its content prints. */
const envelopeOf = (members: Members): Option.Option<Dsse.Envelope> => {
  const text = textIn(members, Capsule.MEMBERS.statement)
  return Option.filter(
    Dsse.parse(text),
    (envelope) =>
      Dsse.print(envelope) === text &&
      envelope.payloadType === Dsse.IN_TOTO &&
      Option.exists(
        readStatement(envelope.payload),
        ({ subject: [{ digest }] }) => digest.sha256 === members.digest
      )
  )
}

/** Whether a key may speak for the capsule of an org. */
const speaksFor = ({ origin, retiredAt }: ReceiptKey, { manifest }: Members): boolean =>
  origin === manifest.origin &&
  Log.orgOf(origin) === manifest.org &&
  (retiredAt === null || manifest.made_at <= retiredAt)

/** The signatures of the envelope that must be true, and the keys that signed. All must be of known keys. */
const claimsOf = (
  envelope: Dsse.Envelope,
  {
    own,
    trusted
  }: { readonly own: ReadonlyArray<ReceiptKey>; readonly trusted: ReadonlyArray<ReceiptKey> }
): Option.Option<{
  readonly signed: ReadonlyArray<SignedNote.SignedMessage>
  readonly keys: ReadonlyArray<string>
}> => {
  const message = Sha256.utf8(Dsse.signedText(envelope))
  const known = [...trusted, ...own]
  const signed = envelope.signatures.flatMap(({ keyid, sig }) => {
    const key = known.find(({ kid }) => kid === keyid)
    return key === undefined ? [] : [{ publicKey: key.publicKey, message, signature: sig }]
  })
  const keys = envelope.signatures
    .map(({ keyid }) => keyid)
    .filter((keyid) => trusted.some(({ kid }) => kid === keyid))
  return signed.length === envelope.signatures.length && keys.length > 0
    ? Option.some({ signed, keys })
    : Option.none()
}

interface OpenedCheckpoint {
  readonly checkpoint: Checkpoint.Checkpoint
  readonly claims: ReadonlyArray<SignedNote.Claim>
  readonly witnesses: ReadonlyArray<string>
  readonly quorum: boolean | null
}

const policyOf = (members: Members, given: CapsuleTrust) =>
  given.policy ??
  (members.contents.has(Capsule.MEMBERS.witnesses)
    ? Option.getOrUndefined(
        Either.getRight(WitnessPolicy.parse(textIn(members, Capsule.MEMBERS.witnesses)))
      )
    : undefined)

/** The checkpoint with the claims that must be true: all by the log's keys and by known witnesses. */
const checkpointOf = (
  members: Members,
  trusted: ReadonlyArray<ReceiptKey>,
  policy: WitnessPolicy.WitnessPolicy | undefined
): Option.Option<OpenedCheckpoint> => {
  const { manifest } = members
  const keys = trusted.map(
    ({ origin, publicKey }): SignedNote.VerifierKey => ({
      name: origin,
      type: SignedNote.ED25519,
      publicKey
    })
  )
  const note = SignedNote.parse(textIn(members, Capsule.MEMBERS.checkpoint))
  return Option.flatMap(note, (signed) => {
    const byLog = SignedNote.claims(signed, keys)
    const byWitnesses = SignedNote.claims(
      signed,
      (policy?.witnesses ?? []).map(({ key }) => key)
    )
    const witnesses = policy === undefined ? [] : WitnessPolicy.signersOf(policy, signed.signatures)
    return Checkpoint.parse(signed.text).pipe(
      Option.filter(
        ({ origin, size }) =>
          origin === manifest.origin && size === manifest.size && byLog.length > 0
      ),
      Option.map((checkpoint) => ({
        checkpoint,
        claims: [...byLog, ...byWitnesses],
        witnesses,
        quorum: policy === undefined ? null : WitnessPolicy.satisfied(policy, new Set(witnesses))
      }))
    )
  })
}

/** The progress is reported after so many entries. */
const STEP = 500

/** The entries of a capsule, each with its leaf. */
const entriesOf = (
  members: Members,
  progress: Progress
): Option.Option<ReadonlyArray<CapsuleEntry.OpenedEntry>> => {
  const text = textIn(members, Capsule.MEMBERS.entries)
  const lines = text.split("\n")
  if (lines.pop() !== "" || lines.length !== members.manifest.counts.entries) return Option.none()
  const entries: Array<CapsuleEntry.OpenedEntry> = []
  for (const [at, line] of lines.entries()) {
    if (at % STEP === 0) progress(at, lines.length)
    const entry = Option.flatMap(CapsuleEntry.parse(line), CapsuleEntry.open)
    if (Option.isNone(entry)) return Option.none()
    entries.push(entry.value)
  }
  progress(lines.length, lines.length)
  return Option.some(entries)
}

/** Whether the entries are those of the tree. */
const isProved = (
  members: Members,
  { root, size }: Checkpoint.Checkpoint,
  entries: ReadonlyArray<CapsuleEntry.OpenedEntry>
): boolean =>
  CapsuleMembers.readJson(Capsule.Proof, members.contents.get(Capsule.MEMBERS.proof)).pipe(
    Option.flatMap((proof) =>
      proof.size === size ? Option.all(proof.hashes.map(Checkpoint.parseHash)) : Option.none()
    ),
    Option.exists((hashes) =>
      MerkleMultiproof.verify(
        { size, hashes, leaves: entries.map(({ index, leaf }) => ({ index, hash: leaf })) },
        root
      )
    )
  )

/** What documents of evidence are checked again with; undefined where the capsule has no files, or nothing checks. */
const documentsOf = (
  { contents, manifest }: Members,
  check: DocumentCheck | undefined
): DocumentEvidence | undefined =>
  check === undefined || manifest.selection.evidence !== "files"
    ? undefined
    : {
        check,
        trust: Option.getOrUndefined(
          CapsuleMembers.readJson(Capsule.TrustRoots, contents.get(Capsule.MEMBERS.roots))
        ),
        fileOf: (sha256) => contents.get(`${Capsule.FILES}${sha256}`)
      }

const outcomeOf = ({ notProved, wrong }: CapsuleVerification.Findings) =>
  wrong.length > 0 ? "wrong" : notProved.length > 0 ? "not-proved" : "proved"

const reportOf = (
  { manifest }: Members,
  trust: Trust,
  found: CapsuleVerification.Findings
): CapsuleReport => ({
  outcome: outcomeOf(found),
  org: manifest.org,
  origin: manifest.origin,
  size: manifest.size,
  madeAt: Timestamp.fromMicros(manifest.made_at),
  selection: manifest.selection,
  evidence: manifest.selection.evidence,
  trust,
  entries: manifest.counts.entries,
  ...found
})

/** Use case: verifies capsules. */
export class CapsuleVerifier extends Effect.Service<CapsuleVerifier>()(
  "@attestry/core/CapsuleVerifier",
  {
    effect: Effect.gen(function* () {
      const signatures = yield* Signatures

      const areTrue = (
        statement: ReadonlyArray<SignedNote.SignedMessage>,
        checkpoint: ReadonlyArray<SignedNote.Claim>
      ) =>
        Effect.gen(function* () {
          const noted = Option.all(checkpoint.map(({ signed }) => signed))
          return (
            Option.isSome(noted) &&
            (yield* Effect.every([...statement, ...noted.value], signatures.verify))
          )
        })

      /** Who signed a capsule, and its checkpoint. */
      const trustOf = (members: Members, given: CapsuleTrust) =>
        Effect.gen(function* () {
          const envelope = envelopeOf(members)
          if (Option.isNone(envelope)) return yield* Either.left<Refusal>("statement")
          const own = Option.getOrElse(
            ReceiptKeySet.parse(textIn(members, Capsule.MEMBERS.keys)),
            () => []
          )
          const isGiven = given.keys.length > 0
          const trusted = (isGiven ? given.keys : own).filter((key) => speaksFor(key, members))
          const claims = claimsOf(envelope.value, { own, trusted })
          if (Option.isNone(claims)) return yield* Either.left<Refusal>("unknown-key")
          const opened = checkpointOf(members, trusted, policyOf(members, given))
          if (Option.isNone(opened)) return yield* Either.left<Refusal>("checkpoint")
          const { checkpoint, quorum, witnesses } = opened.value
          if (!(yield* areTrue(claims.value.signed, opened.value.claims)))
            return yield* Either.left<Refusal>("signature")
          if (quorum === false) return yield* Either.left<Refusal>("quorum")
          const { keys } = claims.value
          return { checkpoint, trust: { isGiven, keys, witnesses, quorum } }
        })

      const verifyMembers = (
        members: Members,
        { check, progress = () => undefined, ...given }: VerifiedBy
      ): Effect.Effect<CapsuleReport, Refusal> =>
        Effect.gen(function* () {
          const { checkpoint, trust } = yield* trustOf(members, given)
          const entries = entriesOf(members, progress)
          if (Option.isNone(entries)) return yield* Either.left<Refusal>("entries")
          if (!isProved(members, checkpoint, entries.value))
            return yield* Either.left<Refusal>("proof")
          const { expected: name } = Capsule.MEMBERS
          const expected = CapsuleMembers.readJson(Capsule.Expected, members.contents.get(name))
          if (Option.isNone(expected)) return yield* Either.left<Refusal>("expected")
          const found = CapsuleVerification.evaluate({
            manifest: members.manifest,
            expected: expected.value,
            entries: entries.value,
            documents: documentsOf(members, check)
          })
          return reportOf(members, trust, found)
        })

      /**
       * What a capsule proves, or why it is refused. With `check`, documents of evidence that are inside are verified
       * again.
       */
      const verify = (
        file: Uint8Array,
        platform: CapsuleMembers.Platform,
        given: VerifiedBy
      ): Effect.Effect<Either.Either<CapsuleReport, Refusal>> =>
        Effect.gen(function* () {
          const members = yield* Effect.promise(() => CapsuleMembers.open(file, platform))
          if (Either.isLeft(members)) return Either.left(members.left)
          return yield* Effect.either(verifyMembers(members.right, given))
        })

      return { verify } as const
    })
  }
) {}
