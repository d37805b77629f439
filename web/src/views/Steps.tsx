// Buttons that move through time.
import { asking, exception } from '../state/asking';
import { isLooking, moment } from '../state/moment';
import { step } from '../state/moving';
import { Notes } from '../widgets/Notes';
import { grouped } from '../widgets/words';

export function Steps() {
  const point = moment.value?.point;
  return (
    <div class="steps" role="toolbar" aria-label="steps">
      <Step label="back, out of the function" keys="Shift+F12" sign="⇤" act={() => step('out', true)} />
      <Step label="back, over calls" keys="Shift+F10" sign="↶" act={() => step('over', true)} />
      <Step label="back, into calls" keys="Shift+F11" sign="↖" act={() => step('into', true)} />
      <Step label="forward, into calls" keys="F11" sign="↘" act={() => step('into', false)} />
      <Step label="forward, over calls" keys="F10" sign="↷" act={() => step('over', false)} />
      <Step label="forward, out of the function" keys="F12" sign="⇥" act={() => step('out', false)} />
      <span class="divider" />
      <Step label="previous exception" keys="Shift+X" sign="‹!" act={() => void exception(true)} />
      <Step label="next exception" keys="x" sign="!›" act={() => void exception(false)} />
      <span class="dim at">{point ? `${point.file ?? ''}${point.line ? `:${point.line}` : ''} · @${grouped(point.event)}` : ''}</span>
      <span class={`busy ${isLooking.value || asking.value ? 'on' : ''}`} aria-hidden="true" />
      <Notes of={moment.value?.notes ?? []} />
    </div>
  );
}

function Step(props: { label: string; keys: string; sign: string; act: () => void }) {
  return (
    <button class="quiet step" aria-label={props.label} title={`${props.label} (${props.keys})`} onClick={props.act}>
      {props.sign}
    </button>
  );
}
