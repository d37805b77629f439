// Values at the ends of lines: what each line of the call wrote last, and of the line of the moment what it names.
import type { FrameAtJson } from '../../api/types';
import { type Card, cards, chosen } from '../../state/chain';
import { inCall } from '../../state/incall';
import { moment, variables } from '../../state/moment';
import { source } from '../../state/sources';
import type { LineValue } from './facts';

export function endings(file: string, frame: FrameAtJson | undefined): Map<number, LineValue[]> {
  const found = new Map<number, LineValue[]>();
  const text = source.value;
  const line = frame?.point?.line;
  if (!frame || !text || text.file !== file || !line) return found;
  const known = new Map(variables.value.map((variable) => [variable.name, variable.value]));
  const written = frame.frame === 0 && moment.value ? inCall.value.written : new Map<number, never>();
  for (const [at, names] of written) {
    const values = [...names.values()].map((event) => {
      const name = event.names?.[0] ?? event.key?.text ?? '';
      if (event.object !== undefined) return { name: keyName(name), text: short(event.value!.text) };
      const now = known.get(name);
      const isNow = now !== undefined && (now.object === undefined ? now.text === event.value!.text : now.object === event.value!.object);
      return { name, text: short(isNow ? now.text : event.value!.text), changed: now !== undefined && !isNow };
    });
    found.set(at, values);
  }
  const words = new Set(text.text.split('\n')[line - 1]?.match(/[A-Za-z_$][\w$]*/g) ?? []);
  const here = variables.value.filter((variable) => words.has(variable.name) && variable.value.type !== 'function');
  const write = chosenWrite();
  const textOf = ({ name, value }: { name: string; value: { text: string } }): string =>
    write?.place === name && write.new ? `${short(value.text)} → ${short(write.new.text)}` : short(value.text);
  if (here.length) found.set(line, here.map((variable) => ({ name: variable.name, text: textOf(variable), isNow: true })));
  return found;
}

/** The card that was chosen, if it is about what the moment itself writes. */
function chosenWrite(): Card | undefined {
  const card = cards.value.find((one) => one.id === chosen.value);
  const isHere = card?.point !== undefined && card.run === undefined && card.point.event === moment.value?.point.event;
  return isHere && card.place !== undefined && card.new !== undefined && card.kind !== 'birth' ? card : undefined;
}

/** A key as it is written behind its object. */
const keyName = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${key}]`);

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
