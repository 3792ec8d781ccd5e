/** The as-of slider: the same rows, evaluated as of another time. The record itself does not change. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { callOf } from "../../shared/Api.js"
import { now } from "../../shared/Clock.js"
import type { SnapshotAsOf } from "../../shared/Contract.js"
import * as Navigation from "../../shared/Navigation.js"
import { preferences } from "../../shared/Preferences.js"
import { cache, useQuery } from "../../shared/Query.js"
import { QueryView } from "../../shared/QueryView.js"
import { RevealedText } from "../../shared/RevealedText.js"
import * as Shorten from "../../shared/Shorten.js"
import { Timestamp } from "../../shared/Timestamp.js"
import * as TimeText from "../../shared/TimeText.js"
import { fromState, WORDS } from "../../shared/Verdict.js"
import { VerdictMark } from "../../shared/VerdictMark.js"
import {
  type AsOfSpan,
  type KnownAt,
  type Late,
  lateOf,
  parse,
  STEPS,
  stepOf,
  textAt,
  turnedOf
} from "./AsOfSlider.js"

export interface ShownSnapshot {
  readonly org: string
  readonly environment: string
  readonly index: number
  readonly timestamp: number
}

/** At most this many pieces of late evidence are listed; the rest are counted. */
const LATE_MAX = 20

const setKnown = (text: string | undefined) =>
  Navigation.setQuery({ as_of: text }, { replace: true })

const knownText = (at: KnownAt): string => {
  if (at === undefined) return "as recorded"
  return at === "now"
    ? "as known now"
    : `as known at ${TimeText.absolute(at * 1_000, preferences.value.zone)}`
}

const Slider = ({ at, span }: { readonly at: KnownAt; readonly span: AsOfSpan }) => {
  const moved = useSignal<number | undefined>(undefined)
  const step = moved.value ?? stepOf(at, span)
  return (
    <div class="as-of-slider">
      <button type="button" class="link-button" onClick={() => setKnown(textAt(0, span))}>
        as known then
      </button>
      <input
        type="range"
        min={0}
        max={STEPS}
        value={step}
        aria-label="Known at"
        aria-valuetext={knownText(parse(textAt(step, span)))}
        onInput={({ currentTarget: { value } }) => {
          moved.value = Number(value)
        }}
        onChange={({ currentTarget: { value } }) => {
          moved.value = undefined
          setKnown(textAt(Number(value), span))
        }}
      />
      <button type="button" class="link-button" onClick={() => setKnown("now")}>
        as known now
      </button>
    </div>
  )
}

const LateLine = ({ late }: { readonly late: Late }) => (
  <li>
    <span class={late.decisive ? "late-dot late-decisive" : "late-dot"} aria-hidden="true" />
    <span>
      <VerdictMark verdict={fromState(late.is_compliant)} />{" "}
      <strong>
        <RevealedText text={late.attestation_name} />
      </strong>{" "}
      <span class="quiet">
        <RevealedText text={late.attestation_type} /> for{" "}
        <RevealedText text={Shorten.middle(late.row, 32)} />, reported{" "}
        <Timestamp seconds={late.reported_at} />, {TimeText.duration(late.late_by_seconds * 1_000)}{" "}
        after it started{late.decisive ? "; it decides" : ""}
      </span>
    </span>
  </li>
)

const Hindsight = ({ snapshot }: { readonly snapshot: SnapshotAsOf }) => {
  const turned = turnedOf(snapshot)
  const late = lateOf(snapshot)
  return (
    <>
      <p>
        <VerdictMark verdict={fromState(snapshot.compliant)} word />
        {snapshot.recorded === undefined || snapshot.recorded.compliant === snapshot.compliant
          ? ", as recorded"
          : `, recorded as ${WORDS[fromState(snapshot.recorded.compliant)]}`}
        {turned.length === 0
          ? "; every row has the verdict of the record"
          : `; ${turned.length} of ${snapshot.artifacts.length} rows have another verdict`}
      </p>
      {turned.length === 0 ? null : (
        <ul class="as-of-list">
          {turned.map((row) => (
            <li key={`${row.fingerprint} ${row.name}`}>
              <VerdictMark verdict={fromState(row.recorded?.compliant)} /> →{" "}
              <VerdictMark verdict={fromState(row.compliant)} />{" "}
              <RevealedText text={Shorten.artifact(row.name, 48)} />
              <span class="quiet">
                {row.reasons_for_incompliance[0] === undefined ? null : (
                  <>
                    {" · "}
                    <RevealedText text={row.reasons_for_incompliance[0].description} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {late.length === 0 ? (
        <p class="quiet">No evidence came after its row started.</p>
      ) : (
        <>
          <h3>Evidence that came late</h3>
          <ul class="late-list">
            {late.slice(0, LATE_MAX).map((each) => (
              <LateLine key={each.attestation_id} late={each} />
            ))}
          </ul>
          {late.length > LATE_MAX ? (
            <p class="quiet">and {Shorten.count(late.length - LATE_MAX)} more</p>
          ) : null}
        </>
      )}
    </>
  )
}

const Answer = ({ shown, at }: { readonly shown: ShownSnapshot; readonly at: "now" | number }) => {
  const { environment, index, org } = shown
  const params = {
    org,
    env_name: environment,
    snapshot_expression: String(index),
    query: { as_of: String(at) }
  }
  const state = useQuery("snapshot.get", params)
  return (
    <QueryView state={state} retry={() => void cache.refresh(callOf("snapshot.get", params).path)}>
      {(snapshot) => <Hindsight snapshot={snapshot} />}
    </QueryView>
  )
}

/** The slider, and the snapshot as of its instant. */
export const AsOfPart = ({
  route,
  shown
}: {
  readonly route: Route.Route
  readonly shown: ShownSnapshot
}) => {
  const at = parse(Route.parameter(route, "as_of"))
  const span = { from: shown.timestamp, to: now.value / 1_000 }
  return (
    <section class="as-of" aria-label="What was known">
      <div class="as-of-head">
        <h2>What was known</h2>
        <Slider at={at} span={span} />
        {at === "now" ? null : <span class="quiet">{knownText(at)}</span>}
        {at === undefined ? null : (
          <button type="button" class="button" onClick={() => setKnown(undefined)}>
            As recorded
          </button>
        )}
      </div>
      {at === undefined ? null : <Answer shown={shown} at={at} />}
    </section>
  )
}
