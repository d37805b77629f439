// Questions that a person asks by pointing at something. Their answers become cards of the chain, and the page goes there.
import { signal } from '@preact/signals';
import { Refusal, Slot, ask } from '../api/client';
import type { AnswerJson, BirthJson, ChangeJson, ConditionJson, Moment, MoveJson, OmissionJson, OmissionsJson, PointJson, Question, WhyJson } from '../api/types';
import { momentOf } from '../api/types';
import { address, go } from './address';
import { type Card, add, cards, change, chosen } from './chain';
import { momentOfFrame } from './history';
import { askAgain } from './job';
import { moment } from './moment';
import { failure, failures } from './run';
import { type Remedy, complain, say } from './said';

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

/** Asks, and tells the answer. What the run did not record can be found out by running the program again: that answer is of another run. */
async function answered<A extends AnswerJson>(words: string, question: Question, tell: (answer: A, run?: string) => void): Promise<void> {
  const whole = { ...current(), ...question } as Question;
  const again = againFor(whole, words, tell);
  asking.value = words;
  try {
    const { run } = address.peek();
    const reply = await slot.run((signal) => ask<A>(whole, { run, numbered: true, signal }));
    // The chain that it belongs to is no longer shown.
    if (!reply || address.peek().run !== run) return;
    reply.notes.forEach((note) => say(note));
    tell(reply.answer);
    if (again.length > 0 && isOlder(reply.answer)) say('it is older than what is kept of the run', 'note', again);
  } catch (error) {
    complain(error, error instanceof Refusal && error.id === 'not-recorded' ? again : []);
  } finally {
    if (asking.peek() === words) asking.value = undefined;
  }
}

/** Of a run of which the newest events were kept. */
const isOlder = (answer: AnswerJson): boolean => answer.kind === 'before-recording';

/** What runs the program again for a question, if its point can be found in another run. */
function againFor<A extends AnswerJson>(question: Question, words: string, tell: (answer: A, run?: string) => void): Remedy[] {
  const { at } = question as Moment;
  if (at !== undefined && at.startsWith('@')) return [];
  const act = (): void => void askAgain(question, words, (answer, run) => tell(answer as A, run));
  return [{ text: 'Run it again for this question', act }];
}

/** The card from which a question is asked: the chosen one if it is of this moment, else one that marks the moment. */
function origin(): string | undefined {
  const at = moment.peek()?.point;
  const own = cards.peek().filter((card) => card.run === undefined);
  const known = own.find((card) => card.id === chosen.peek());
  if (known && (!at || isAt(known.point, at))) return known.id;
  const same = own.find((card) => at && isAt(card.point, at));
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
  const title = `last change of ${place}`;
  await answered<ChangeJson>(title, inFrame({ kind: 'last-change', place }, frame), (answer, run) =>
    present(add({ parent, kind: 'last-change', title, text: changeText(answer), point: answer.point, run, place, old: answer.old, new: answer.new })),
  );
}

export async function lastCondition(): Promise<void> {
  const parent = origin();
  await answered<ConditionJson>('last condition', { kind: 'last-condition' }, (answer, run) =>
    present(add({ parent, kind: 'last-condition', title: 'last condition', text: conditionText(answer), point: answer.point, run, new: answer.value })),
  );
}

/** Where the object of a value came to be. */
export async function birth(place: string, frame = 0): Promise<void> {
  const parent = origin();
  const title = `where ${place} was born`;
  await answered<BirthJson>(title, inFrame({ kind: 'birth', place }, frame), (answer, run) => {
    if (answer.kind === 'no-object') return say(`${place} is ${answer.value.text}, which is no object: its last change tells where it came from`);
    if (!answer.point) return say(`where ${place} was born is not captured`);
    const text = answer.kind === 'made' ? `${answer.value.text} was made here` : `${answer.value.text} was first seen here`;
    present(add({ parent, kind: 'birth', title, text, point: answer.point, run, place, new: answer.value }));
  });
}

export async function whatShouldHaveHappened(place: string, frame = 0): Promise<void> {
  await answered<OmissionsJson>(`what should have happened to ${place}`, inFrame({ kind: 'omissions', place }, frame), (answer, run) =>
    showOmissions(answer, run, `nothing that could have been done to ${place} was left out`),
  );
}

export async function whyNot(file: string, line: number): Promise<void> {
  await answered<OmissionsJson>(`why ${file}:${line} was not reached`, { kind: 'why-not', file, line }, (answer, run) =>
    showOmissions(answer, run, `nothing tells why ${file}:${line} was not reached`),
  );
}

function showOmissions(answer: OmissionsJson, run: string | undefined, otherwise: string): void {
  if (run === undefined) omissions.value = { about: answer.about, results: answer.results, more: answer.n_more };
  if (answer.results.length === 0) say(otherwise);
  else showOmission(answer.results[0]!, run);
}

/** Goes to the branch that kept an operation from being performed. */
export function showOmission(result: OmissionJson, run?: string): void {
  const title = `left out: ${result.filled_in}`;
  present(add({ parent: origin(), kind: 'omission', title, text: result.text, point: result.branch, run }));
}

/** The explanation of one of the failures. */
export async function whyFailure(number: number): Promise<void> {
  await explain({ kind: 'why', failure: number, at: undefined, thread: undefined }, `why failure ${number}`, undefined, undefined);
}

/** The explanation of the failure that is looked at, or of a value, as cards. */
export async function why(place?: string, frame = 0): Promise<void> {
  const looked = failure.peek();
  if (place === undefined && looked?.test && looked.kind !== 'unrecorded') return whyFailure(looked.number);
  const parent = place === undefined ? undefined : origin();
  const words = place === undefined ? 'why it failed' : `why ${place}`;
  const question: Question = place === undefined ? { kind: 'why', at: undefined, thread: undefined } : inFrame({ kind: 'why', place }, frame);
  await explain(question, words, place, parent);
}

async function explain(question: Question, words: string, place: string | undefined, parent: string | undefined): Promise<void> {
  await answered<WhyJson>(words, question, (answer, run) => {
    const made: Card[] = [];
    for (const hop of answer.chain) {
      const above = hop.parent === undefined ? parent : made[hop.parent]?.id;
      const because = hop.because ? `${hop.text}; ${hop.because.text}` : hop.text;
      const kind = hop.kind === 'failure' ? 'failure' : 'hop';
      const title = hop.kind === 'failure' && place !== undefined ? words : hop.kind;
      made.push(add({ parent: above, kind, title, text: because, point: hop.point, run, place: hop.place, old: hop.old, new: hop.value, note: hop.end_text }));
    }
    if (made[0] && answer.summary) change(made[0].id, { note: answer.summary });
    if (made[0]) present(made[0]);
  });
}

/** A card that was just made. One of another run is looked at when the person goes there. */
function present(card: Card): void {
  if (card.run === undefined) show(card);
  else chosen.value = card.id;
}

/** Goes to where a card is. */
export function show(card: Card): void {
  chosen.value = card.id;
  if (!card.point) return;
  // A run that recorded little may not tell the stack there, but its source can be looked at.
  const { file, line } = card.point;
  go(card.run === undefined ? momentOf(card.point) : { ...momentOf(card.point), run: card.run, file, line });
}

/** Keeps the moment that is shown. */
export function mark(): void {
  origin();
}

/** A place of another frame is seen from the point of that frame. */
function inFrame(question: Question, frame: number): Question {
  return { ...question, ...momentOfFrame(frame) } as Question;
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
  await answered<MoveJson>(words, { kind: 'seek', event: 'throw', back } as Question, (answer, run) => {
    if (!answer.point) return say(back ? 'nothing was thrown before here' : 'nothing was thrown after here');
    present(add({ parent, kind: 'found', title: words, point: answer.point, run }));
  });
}
