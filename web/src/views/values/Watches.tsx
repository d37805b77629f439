// Expressions that are evaluated at each moment that is looked at. Nothing is run for them.
import { signal, useSignalEffect } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import { Slot, ask } from '../../api/client';
import type { EvalJson, ValueJson } from '../../api/types';
import { address } from '../../state/address';
import { keep, kept } from '../../state/kept';
import { frame, moment } from '../../state/moment';
import { momentOf } from '../../api/types';
import { openMenuAt } from '../../widgets/menu';
import { Value } from '../../widgets/Value';
import { valueItems } from './items';

const before = kept('watches');
const watches = signal<string[]>(Array.isArray(before) ? before.filter((one) => typeof one === 'string') : []);

function watch(all: string[]): void {
  watches.value = all;
  keep('watches', all);
}

export function Watches() {
  return (
    <div class="watches">
      {watches.value.map((text) => (
        <Watch key={text} text={text} />
      ))}
      <input
        class="watch-input"
        aria-label="expression to watch"
        placeholder="watch an expression: cart.lines.length"
        onKeyDown={(event) => {
          const text = event.currentTarget.value.trim();
          if (event.key !== 'Enter' || !text) return;
          watch([...watches.value.filter((one) => one !== text), text]);
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}

function Watch({ text }: { text: string }) {
  const [shown, setShown] = useState<{ value?: ValueJson; problem?: string }>({});
  const slot = useRef(new Slot());
  useSignalEffect(() => {
    moment.value;
    const { run, at, thread } = address.value;
    const of = frame.value && frame.value.frame > 0 && frame.value.point ? momentOf(frame.value.point) : { at, thread };
    slot.current
      .run((signal) => ask<EvalJson>({ kind: 'eval', expression: text, ...of }, { run, signal }))
      .then((reply) => reply && setShown({ value: reply.answer.value }))
      .catch((error: Error) => setShown({ problem: error.message.split('\n')[0] }));
  });
  return (
    <div class="watch">
      <button class="link-button" title={`ask about ${text}`} onClick={(event) => openMenuAt(event.currentTarget, text, valueItems(text, frame.value?.frame ?? 0))}>
        {text}
      </button>
      <span class="colon">:</span>
      {shown.value ? <Value value={shown.value} /> : <span class="dim">{shown.problem ?? '…'}</span>}
      <span class="spring" />
      <button class="quiet" aria-label={`stop watching ${text}`} onClick={() => watch(watches.value.filter((one) => one !== text))}>
        ×
      </button>
    </div>
  );
}
