/** The counters of admission, and their text in the Prometheus format. Every label has few values. */
import type { Outcome } from "./AdmissionPolicy.js"
import type { ReceiptCacheCounts } from "./ReceiptCache.js"
import type { WaiverRequestCounts } from "./WaiverRequests.js"

/** What came of a request: an outcome, or a namespace or object that is not looked at. */
export type Counted = Outcome | "ignored"

/** Why a request had no answer to its question. */
export type Unread = "malformed" | "too-large" | "busy" | "defect"

/** The upper bounds of the histogram, in seconds. */
const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10] as const

const COUNTED = ["allowed", "warned", "failed-open", "break-glass", "denied", "ignored"] as const
const UNREAD = ["malformed", "too-large", "busy", "defect"] as const

/** The state that metrics show beside their own counters. */
export interface Shown {
  readonly receipts: Readonly<ReceiptCacheCounts>
  readonly waivers: Readonly<WaiverRequestCounts>
  readonly inProgress: number
  readonly certificateEndsMs: number
}

/** The counters. */
export interface AdmissionMetrics {
  readonly count: (outcome: Counted, millis: number) => void
  readonly unread: (why: Unread) => void
  readonly text: (shown: Shown) => string
}

const lines = (
  name: string,
  { help, type }: { readonly help: string; readonly type: string },
  samples: ReadonlyArray<readonly [string, number]>
): ReadonlyArray<string> => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
  ...samples.map(([labels, value]) => `${name}${labels} ${value}`)
]

const counter = (
  name: string,
  help: string,
  samples: ReadonlyArray<readonly [string, number]>
): ReadonlyArray<string> => lines(name, { help, type: "counter" }, samples)

const gauge = (name: string, help: string, value: number): ReadonlyArray<string> =>
  lines(name, { help, type: "gauge" }, [["", value]])

const receiptSamples = ({ hits, asked, shared, stale, failed }: Shown["receipts"]) =>
  [
    ['{result="cached"}', hits],
    ['{result="asked"}', asked],
    ['{result="shared"}', shared],
    ['{result="last-valid"}', stale],
    ['{result="failed"}', failed]
  ] as const

/** Makes the counters. */
export const make = (): AdmissionMetrics => {
  const outcomes = new Map<Counted, number>()
  const unread = new Map<Unread, number>()
  const buckets = BOUNDS.map(() => 0)
  const time = { count: 0, seconds: 0 }
  return {
    count: (outcome, millis) => {
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      const seconds = millis / 1_000
      time.count++
      time.seconds += seconds
      for (const [at, bound] of BOUNDS.entries())
        if (seconds <= bound) buckets[at] = (buckets[at] ?? 0) + 1
    },
    unread: (why) => {
      unread.set(why, (unread.get(why) ?? 0) + 1)
    },
    text: ({ receipts, waivers, inProgress, certificateEndsMs }) =>
      [
        ...counter(
          "attestry_admission_reviews_total",
          "Reviews by what came of them.",
          COUNTED.map((outcome) => [`{outcome="${outcome}"}`, outcomes.get(outcome) ?? 0])
        ),
        ...lines(
          "attestry_admission_review_seconds",
          { help: "How long reviews took.", type: "histogram" },
          [
            ...BOUNDS.map((bound, at) => [`_bucket{le="${bound}"}`, buckets[at] ?? 0] as const),
            ['_bucket{le="+Inf"}', time.count],
            ["_sum", time.seconds],
            ["_count", time.count]
          ]
        ),
        ...counter(
          "attestry_admission_unread_total",
          "Requests without an answer to their question, by the reason.",
          UNREAD.map((why) => [`{reason="${why}"}`, unread.get(why) ?? 0])
        ),
        ...counter(
          "attestry_admission_receipts_total",
          "Questions about digests, by where the answer is from.",
          receiptSamples(receipts)
        ),
        ...counter("attestry_admission_waiver_requests_total", "Waivers of emergencies.", [
          ['{result="requested"}', waivers.requested],
          ['{result="failed"}', waivers.failed]
        ]),
        ...gauge(
          "attestry_admission_waiver_requests_waiting",
          "Emergencies whose waivers are not requested yet.",
          waivers.waiting
        ),
        ...gauge("attestry_admission_in_progress", "Requests in progress.", inProgress),
        ...gauge(
          "attestry_admission_certificate_expiry_seconds",
          "When the certificate ends, in seconds since 1970.",
          certificateEndsMs / 1_000
        )
      ].join("\n")
  }
}
