import type { ValueJson } from '../api/types';

/** A value as the source would write it, in the colour of its type. */
export function Value({ value, cut = 240 }: { value: ValueJson; cut?: number }) {
  const text = value.text.length > cut ? `${value.text.slice(0, cut)}…` : value.text;
  return (
    <span class={`value value-${value.type}`} title={value.text.length > 60 ? value.text.slice(0, 2000) : undefined}>
      {text}
    </span>
  );
}

/** What was there, and what is there now. */
export function Change({ old, now }: { old?: ValueJson; now?: ValueJson }) {
  return (
    <span class="change">
      {old ? (
        <>
          <Value value={old} cut={80} />
          <span class="arrow"> → </span>
        </>
      ) : null}
      {now ? <Value value={now} cut={120} /> : <span class="dim">removed</span>}
    </span>
  );
}
