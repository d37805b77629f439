// Questions that a person asks by pointing at something. Their answers become cards of the chain, and the page goes there.
import { signal } from '@preact/signals';
import { Slot, ask } from '../api/client';
import type { BirthJson, ChangeJson, ConditionJson, Moment, MoveJson, OmissionJson, OmissionsJson, PointJson, Question, WhyJson } from '../api/types';
import { momentOf } from '../api/types';
import { address, go } from './address';
import { type Card, add, cards, change, chosen } from './chain';
import { moment } from './moment';
import { failures } from './run';
import { complain, say } from './said';

/** What is being asked, in words. */
export const asking = signal<string | undefined>(undefined);
/** What could have been done and was not, shown at the branches. */
export const omissions = signal<{ about: string; results: OmissionJson[]; more: number } | undefined>(undefined);

const slot = new Slot();

/** Where a question is asked: the moment that is shown, and its frame. */
function current(): Moment {
  const { at, thread } = address.peek();
  return { at, thread };
}

async function answered<A>(words: string, question: Question): Promise<A | undefined> {
  asking.value = words;
  try {
    const reply = await slot.run((signal) =>
      ask({ ...current(), ...question } as Question, { run: address.peek().run, numbered: true, signal }),
    );
    reply?.notes.forEach((note) => say(note));
    return reply?.answer as A | undefined;
  } catch (error) {
    complain(error);
    return undefined;
  } finally {
    if (asking.peek() === words) asking.value = undefined;
  }
}

/** The card from which a question is asked: the chosen one if it is of this moment, else one that marks the moment. */
function origin(): string | undefined {
  const at = moment.peek()?.point;
  const known = cards.peek().find((card) => card.id === chosen.peek());
  if (known && (!at || isAt(known.point, at))) return known.id;
  const same = cards.peek().find((card) => at && isAt(card.point, at));
  if (same) return same.id;
  if (!at) return undefined;
  const failure = failures.peek().find((one) => isAt(one.point, at));
  return failure
    ? add({ kind: 'failure', title: 'failure', text: failure.message, point: at }).id
    : add({ kind: 'mark', title: 'looked at', point: at }).id;
}

const isAt = (one: PointJson | undefined, other: PointJson): boolean =>
  one !== undefined && one.event === other.event && one.thread === other.thread && one.line === other.line;

export async function lastChange(place: string, frame = 0): Promise<void> {
  const parent = origin();
  const answer = await answered<ChangeJson>(`last change of ${place}`, inFrame({ kind: 'last-change', place }, frame));
  if (!answer) return;
  show(add({ parent, kind: 'last-change', title: `last change of ${place}`, text: changeText(answer), point: answer.point, place, old: answer.old, new: answer.new }));
}

export async function lastCondition(): Promise<void> {
  const parent = origin();
  const answer = await answered<ConditionJson>('last condition', { kind: 'last-condition' });
  if (!answer) return;
  show(add({ parent, kind: 'last-condition', title: 'last condition', text: conditionText(answer), point: answer.point, new: answer.value }));
}

/** Where the object of a value came to be. */
export async function birth(place: string, frame = 0): Promise<void> {
  const parent = origin();
  const answer = await answered<BirthJson>(`where ${place} was born`, inFrame({ kind: 'birth', place }, frame));
  if (!answer) return;
  if (answer.kind === 'no-object') return say(`${place} is ${answer.value.text}, which is no object: its last change tells where it came from`);
  if (!answer.point) return say(`where ${place} was born is not captured`);
  const text = answer.kind === 'made' ? `${answer.value.text} was made here` : `${answer.value.text} was first seen here`;
  show(add({ parent, kind: 'birth', title: `where ${place} was born`, text, point: answer.point, place, new: answer.value }));
}

export async function whatShouldHaveHappened(place: string): Promise<void> {
  const answer = await answered<OmissionsJson>(`what should have happened to ${place}`, { kind: 'omissions', place });
  if (!answer) return;
  omissions.value = { about: answer.about, results: answer.results, more: answer.n_more };
  if (answer.results.length === 0) say(`nothing that could have been done to ${place} was left out`);
  else showOmission(answer.results[0]!);
}

export async function whyNot(file: string, line: number): Promise<void> {
  const answer = await answered<OmissionsJson>(`why ${file}:${line} was not reached`, { kind: 'why-not', file, line });
  if (!answer) return;
  omissions.value = { about: answer.about, results: answer.results, more: answer.n_more };
  if (answer.results.length === 0) say(`nothing tells why ${file}:${line} was not reached`);
  else showOmission(answer.results[0]!);
}

/** Goes to the branch that kept an operation from being performed. */
export function showOmission(result: OmissionJson): void {
  const title = `left out: ${result.filled_in}`;
  show(add({ parent: origin(), kind: 'omission', title, text: result.text, point: result.branch }));
}

/** The explanation of a failure, or of a value, as cards. */
export async function why(place?: string): Promise<void> {
  const parent = place === undefined ? undefined : origin();
  const words = place === undefined ? 'why it failed' : `why ${place}`;
  const question: Question = place === undefined ? { kind: 'why', at: undefined, thread: undefined } : { kind: 'why', place };
  const answer = await answered<WhyJson>(words, question);
  if (!answer) return;
  const made: Card[] = [];
  for (const hop of answer.chain) {
    const above = hop.parent === undefined ? parent : made[hop.parent]?.id;
    const because = hop.because ? `${hop.text}; ${hop.because.text}` : hop.text;
    const kind = hop.kind === 'failure' ? 'failure' : 'hop';
    const title = hop.kind === 'failure' && place !== undefined ? words : hop.kind;
    made.push(add({ parent: above, kind, title, text: because, point: hop.point, new: hop.value, note: hop.end ? `ends here: ${hop.end}` : undefined }));
  }
  if (made[0] && answer.summary) change(made[0].id, { note: answer.summary });
  if (made[0]) show(made[0]);
}

/** Goes to where a card is. */
export function show(card: Card): void {
  chosen.value = card.id;
  if (card.point) go(momentOf(card.point));
}

/** Keeps the moment that is shown. */
export function mark(): void {
  origin();
}

/** A place of another frame is seen from the point of that frame. */
function inFrame(question: Question, frame: number): Question {
  const point = frame > 0 ? moment.peek()?.frames[frame]?.point : undefined;
  return point ? ({ ...question, ...momentOf(point) } as Question) : question;
}

function changeText(answer: ChangeJson): string {
  switch (answer.kind) {
    case 'written':
      return answer.new ? `${answer.place} became ${answer.new.text}` : `${answer.place} was removed`;
    case 'created-with':
      return `created with ${answer.new?.text ?? 'it'}`;
    case 'never-written':
      return `${answer.place} was never written`;
    case 'by-foreign-code':
      return `code that is not recorded changed it: ${answer.reason ?? ''}`;
    case 'before-recording':
      return 'it is older than what is kept of the run';
    default:
      return answer.reason ?? answer.kind;
  }
}

function conditionText(answer: ConditionJson): string {
  switch (answer.kind) {
    case 'condition':
      return answer.text ?? answer.condition ?? '';
    case 'call-site':
      return 'the function was called here';
    case 'throw':
      return `${answer.value?.text ?? 'an exception'} was thrown here`;
    case 'resumed':
      return `resumed with ${answer.value?.text ?? 'nothing'}`;
    default:
      return 'the event loop, or code that is not recorded, called it';
  }
}

/** The next exception, or the one before: a search by time, which the chain keeps like an answer. */
export async function exception(back: boolean): Promise<void> {
  const parent = origin();
  const words = back ? 'previous exception' : 'next exception';
  const answer = await answered<MoveJson>(words, { kind: 'seek', event: 'throw', back } as Question);
  if (!answer) return;
  if (!answer.point) return say(back ? 'nothing was thrown before here' : 'nothing was thrown after here');
  show(add({ parent, kind: 'found', title: words, point: answer.point }));
}
