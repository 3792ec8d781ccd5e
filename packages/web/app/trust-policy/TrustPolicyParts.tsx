/** Parts of the page of the trust policy: its rules, its keys, its versions, and the difference between two. */
import * as Route from "@attestry/web/Route"
import { VersionLine } from "../policy/PolicyDemands.js"
import { PolicyText } from "../policy/PolicyText.js"
import type { TrustPolicy } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { preferences } from "../shared/Preferences.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as TextDiff from "../shared/TextDiff.js"
import { TextDiffView } from "../shared/TextDiffView.js"
import { Timestamp } from "../shared/Timestamp.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import type { TrustRuleLine } from "./TrustRuleText.js"
import { useTrustReading } from "./useTrustReading.js"

type TrustKey = TrustPolicy["keys"][number]

const KEYS: ReadonlyArray<Column<TrustKey>> = [
  { name: "id", title: "Key", isHeader: true, cell: ({ id }) => <RevealedText text={id} /> },
  { name: "algorithm", title: "Algorithm", cell: ({ algorithm }) => algorithm ?? "not known" },
  {
    name: "end",
    title: "Counts until",
    isFlexible: true,
    cell: ({ valid_until }) =>
      valid_until === null ? "no end" : <Timestamp seconds={valid_until} always="absolute" />
  }
]

export const Keys = ({ keys }: { readonly keys: ReadonlyArray<TrustKey> }) => (
  <section class="policy-part">
    <h2>Keys</h2>
    {keys.length === 0 ? (
      <p class="quiet">None: its rules name identities.</p>
    ) : (
      <VirtualTable
        caption="Keys"
        columns={KEYS}
        rows={keys}
        keyOf={({ id }) => id}
        rowHeight={preferences.value.density === "compact" ? 28 : 36}
      />
    )}
  </section>
)

const Rule = ({ rule: { about, demands, name, signer } }: { readonly rule: TrustRuleLine }) => (
  <li>
    <strong>
      <RevealedText text={name} />
    </strong>
    <p>
      <RevealedText text={about} /> signed by <RevealedText text={signer} />
    </p>
    {demands.length === 0 ? null : (
      <p class="quiet">
        only with <RevealedText text={demands.join(" · ")} />
      </p>
    )}
  </li>
)

/** The rules of a saved text, in words. */
export const Rules = ({ text }: { readonly text: string }) => {
  const reading = useTrustReading(text)
  return (
    <section class="policy-part">
      <h2>Rules</h2>
      {reading === undefined ? null : reading.rules.length === 0 ? (
        <p class="quiet">None: no signature is trusted.</p>
      ) : (
        <ul class="rule-list">
          {reading.rules.map((rule) => (
            <Rule key={rule.name} rule={rule} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** The address of a version, compared with another one. */
const hrefOf = (org: string, version: number, compare?: number): string =>
  Navigation.hrefOf(
    Route.make(
      "TrustPolicy",
      { org },
      { version: String(version), compare: compare === undefined ? undefined : String(compare) }
    )
  )

/** Every version, newest first. */
export const Versions = ({
  org,
  versions
}: {
  readonly org: string
  readonly versions: ReadonlyArray<TrustPolicy>
}) => (
  <section class="policy-part">
    <h2>Versions</h2>
    <ol class="version-list" reversed>
      {versions.map(({ comment, created_by, timestamp, version }) => (
        <li key={version}>
          <a href={hrefOf(org, version)}>version {version}</a>
          <span>
            <RevealedText text={created_by} />, <Timestamp seconds={timestamp} />
          </span>
          <span>
            <RevealedText text={comment} />
          </span>
          {version > 1 ? (
            <a href={hrefOf(org, version, version - 1)}>
              compare {version - 1} ↔ {version}
            </a>
          ) : (
            <span />
          )}
        </li>
      ))}
    </ol>
  </section>
)

const Choice = ({
  versions,
  version,
  compare
}: {
  readonly versions: ReadonlyArray<TrustPolicy>
  readonly version: number
  readonly compare: number | undefined
}) => (
  <div class="filters">
    <label class="inline-field">
      compare with{" "}
      <select
        value={compare === undefined ? "" : String(compare)}
        onChange={({ currentTarget: { value } }) =>
          Navigation.setQuery({ compare: value === "" ? undefined : value })
        }
      >
        <option value="">no other version</option>
        {versions
          .filter((other) => other.version !== version)
          .map((other) => (
            <option key={other.version} value={String(other.version)}>
              version {other.version}
            </option>
          ))}
      </select>
    </label>
    <button
      type="button"
      class="button"
      onClick={() => Navigation.setQuery({ version: undefined, compare: undefined })}
    >
      Close
    </button>
  </div>
)

const Difference = ({ one, other }: { readonly one: TrustPolicy; readonly other: TrustPolicy }) => {
  const [left, right] = other.version < one.version ? [other, one] : [one, other]
  const diff = TextDiff.make(left.trust_yaml, right.trust_yaml)
  return (
    <>
      <p class="quiet">
        {diff.removed} {diff.removed === 1 ? "line" : "lines"} removed, {diff.added} added
      </p>
      <TextDiffView
        diff={diff}
        caption={`Lines that differ between version ${left.version} and version ${right.version}`}
      />
    </>
  )
}

/** The version that the address names: its text, or its difference from another one. Nothing without one. */
export const ChosenVersion = ({
  versions,
  route
}: {
  readonly versions: ReadonlyArray<TrustPolicy>
  readonly route: Route.Route
}) => {
  const number = Route.parameter(route, "version")
  if (number === undefined) return null
  const chosen = versions.find(({ version }) => String(version) === number)
  const compare = Route.parameter(route, "compare")
  const other = versions.find(({ version }) => String(version) === compare)
  if (chosen === undefined)
    return (
      <div class="note">
        <strong>There is no such version</strong>
        <p>The trust policy has versions 1 to {versions[0]?.version ?? 0}.</p>
      </div>
    )
  const isCompared = other !== undefined && other !== chosen
  const between = isCompared ? [chosen.version, other.version].sort((a, b) => a - b) : []
  return (
    <section class="policy-part">
      <h2>
        {isCompared
          ? between.map((each) => `Version ${each}`).join(" ↔ ")
          : `Text of version ${chosen.version}`}
      </h2>
      <p class="quiet">
        <VersionLine version={chosen} />
      </p>
      <Choice versions={versions} version={chosen.version} compare={other?.version} />
      {isCompared ? (
        <Difference one={chosen} other={other} />
      ) : (
        <PolicyText text={chosen.trust_yaml} rules={[]} />
      )}
    </section>
  )
}
