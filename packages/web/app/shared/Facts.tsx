/** A list of names and values; entries without a value are omitted. */
import type { ComponentChildren } from "preact"

export const Facts = ({
  facts
}: {
  readonly facts: ReadonlyArray<readonly [name: string, value: ComponentChildren]>
}) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== undefined && value !== null && value !== false)
      .map(([name, value]) => (
        <div key={name} class="fact">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
