/** The members of the audit package of a snapshot, made while they are sent. SPEC §4.21 */
import { SnapshotResponse, SnapshotRowResponse } from "@attestry/api/SnapshotApi"
import type { OrgName } from "@attestry/core/Identifier"
import * as PackagePath from "@attestry/core/PackagePath"
import type { DecidingAttestation, SnapshotPackage } from "@attestry/core/SnapshotPackages"
import * as Timestamp from "@attestry/core/Timestamp"
import * as WaivedResult from "@attestry/core/WaivedResult"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as FastEncoder from "../../shared/internal/FastEncoder.js"
import { PublicUrl } from "../../shared/PublicUrl.js"
import * as SnapshotView from "../../snapshot/internal/SnapshotView.js"
import * as AttestationMembers from "./AttestationMembers.js"
import * as PackageMembers from "./PackageMembers.js"
import * as ReceiptMembers from "./ReceiptMembers.js"
import * as SnapshotPage from "./SnapshotPage.js"

type Members = AttestationMembers.Members

const encodeHead = FastEncoder.make(SnapshotResponse.pipe(Schema.omit("artifacts")).ast)
const encodeRow = FastEncoder.make(SnapshotRowResponse.ast)

const folderOf = ({ flow, trail, name, id }: SnapshotPage.NamedAttestation): string =>
  PackagePath.path("attestations", flow, trail, name, id)

/** An attestation in the document of a row. */
const evidenceOf = (evidence: DecidingAttestation) => {
  const { flow_name, id, is_compliant, level, name, trail_name, type } = evidence
  return {
    attestation_id: id,
    attestation_name: name,
    attestation_type: type,
    is_compliant,
    level,
    flow_name,
    trail_name,
    file: `${folderOf({ flow: flow_name, trail: trail_name, name, id })}/attestation.json`
  }
}

/** How many running rows a waiver turned. */
const waivedIn = ({ rows }: SnapshotPackage["found"]): number =>
  rows.filter(
    ({ annotation, policy_decisions }) =>
      annotation.type !== "exited" && WaivedResult.toField(policy_decisions).waived !== undefined
  ).length

/** Makes packages of snapshots. */
export const make = Effect.gen(function* () {
  const member = yield* PackageMembers.make
  const base = yield* PublicUrl

  /** The snapshot without its rows, the texts of policies, and the events. */
  const documentsOf = (
    org: OrgName,
    { events, found, policies }: SnapshotPackage,
    names: ReadonlyArray<string>
  ): Members =>
    Stream.fromEffect(
      member.json(
        "snapshot.json",
        encodeHead({
          ...SnapshotView.headOf(base, org, found),
          ...SnapshotView.waivedRows(waivedIn(found))
        })
      )
    ).pipe(
      Stream.concat(
        Stream.mapEffect(Stream.fromIterable(policies.entries()), ([at, { text }]) =>
          member.text(names[at] ?? "", text)
        )
      ),
      Stream.concat(Stream.fromEffect(member.bytes("events.csv", events)))
    )

  const attestationsOf = (
    org: OrgName,
    given: SnapshotPackage,
    page: SnapshotPage.SnapshotPage
  ): Members => {
    const membersOf = AttestationMembers.make(member, { base, org }, given.contentOf)
    return Stream.flatMap(given.attestations, ({ gone, view }): Members => {
      const { attestation, flow, trail } = view
      const folder = folderOf({ flow, trail, name: attestation.name, id: attestation.id })
      const filed = { view, gone, folder }
      page.addAttestation(view, AttestationMembers.filesOf(filed))
      return membersOf(filed)
    })
  }

  /** The receipts that can be made, and the keys where there is one. */
  const receiptsOf = (
    { keys, receipts }: SnapshotPackage,
    page: SnapshotPage.SnapshotPage
  ): Members => {
    let count = 0
    const made = Stream.flatMap(receipts, (given): Members => {
      const { name, receipt } = ReceiptMembers.named(given)
      page.addReceipt(given.fingerprint, name ?? Either.merge(Either.flip(receipt)))
      if (name === null || Either.isLeft(receipt)) return Stream.empty
      count++
      return Stream.fromEffect(member.text(name, receipt.right))
    })
    return Stream.concat(
      made,
      Stream.suspend(() =>
        count === 0 ? Stream.empty : Stream.fromEffect(member.text(ReceiptMembers.KEYS, keys))
      )
    )
  }

  const rowsOf = (
    org: OrgName,
    { evidence, found }: SnapshotPackage,
    page: SnapshotPage.SnapshotPage
  ): Members => {
    const shown = SnapshotView.rowsOf(base, org, found)
    const names = PackagePath.distinct(
      found.rows.map(({ environment, fingerprint, name }) =>
        PackagePath.path("rows", environment, `${name}-${fingerprint.slice(0, 12)}.json`)
      )
    )
    return Stream.mapEffect(Stream.fromIterable(found.rows.entries()), ([at, row]) => {
      const name = names[at] ?? ""
      const attestations = (evidence[at] ?? []).map(evidenceOf)
      page.addRow(row, { name, evidence: attestations })
      return member.json(name, {
        ...Object(encodeRow(shown(row))),
        evidence: attestations
      })
    })
  }

  /** The bytes of a package. */
  const bytesOf = (org: OrgName, given: SnapshotPackage) =>
    Stream.suspend(() => {
      const { environment, snapshot } = given.found
      const policies = PackagePath.distinct(
        given.policies.map(({ name, version }) =>
          PackagePath.path("policies", name, `${version}.yaml`)
        )
      )
      const page = SnapshotPage.make(org, given, policies)
      const members = documentsOf(org, given, policies).pipe(
        Stream.concat(attestationsOf(org, given, page)),
        Stream.concat(receiptsOf(given, page)),
        Stream.concat(rowsOf(org, given, page))
      )
      const at = Timestamp.toSeconds(snapshot.timestamp)
      return PackageMembers.pack(members, {
        modifiedAt: at,
        page: () => member.text("index.html", page.print()),
        manifest: (listed) =>
          member.json("manifest.json", {
            org,
            environment: environment.name,
            snapshot_index: snapshot.index,
            ...(given.isPartial ? { view: "partial" } : {}),
            made_at: at,
            made_by: given.madeBy,
            members: listed
          })
      })
    })

  return { bytesOf } as const
})
