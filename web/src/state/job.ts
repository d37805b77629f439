// The program, run again from the page: to record everything, or for one question.
import { signal } from '@preact/signals';
import { send } from '../api/client';
import type { AnswerJson, Document, NoneJson, Question } from '../api/types';
import { address, go } from './address';
import { moment } from './moment';
import { run } from './run';
import { complain, remedies, say } from './said';

export interface Job {
  number: number;
  /** What is done, in words: `recording node app.js`. */
  words: string;
  state: JobJson;
}

interface JobJson {
  events: number;
  bytes: number;
  /** Of a question: for which time the program runs, and what is recorded then; nothing in it: everything. */
  running?: { number: number; needs: string[] };
  output: string;
  end?: End;
}

type End =
  | { kind: 'recorded'; run?: number; notes: string[] }
  | { kind: 'answered'; run?: number; n_runs: number; document: Document }
  | { kind: 'failed'; error: string };

export const job = signal<Job | undefined>(undefined);

/** Records the command of a run once more, and shows the new run when it is over: at a place, or where it failed or ended. */
export async function recordAgain(run: string | undefined, command: string[], at?: string): Promise<void> {
  await start(`/api/runs/${run ?? 'first'}/again`, {}, `recording ${command.join(' ')}`, (end) => {
    if (end.kind !== 'recorded') return;
    end.notes.forEach((note) => say(note));
    if (end.run !== undefined) go({ run: String(end.run), at, thread: undefined });
  });
}

/** Runs the command of a run once more, with what a question needs recorded. The answer is of another run. */
export async function askAgain(question: Question, words: string, tell: (answer: AnswerJson, run: string | undefined) => void): Promise<void> {
  const asked = address.peek().run;
  await start(`/api/runs/${asked ?? 'first'}/ask-again`, { question }, `running again: ${words}`, (end) => {
    if (end.kind !== 'answered') return;
    const { answer, notes } = end.document;
    notes.forEach((note) => say(note));
    if (answer.kind === 'none') return complain(new Error((answer as NoneJson).text));
    // The chain that it belongs to is no longer shown.
    if (address.peek().run !== asked) return say(`${words}: answered, in run ${end.run ?? ''}`);
    tell(answer, end.run === undefined ? undefined : String(end.run));
  });
}

export function cancel(): void {
  const current = job.peek();
  if (current) send('POST', `/api/jobs/${current.number}/cancel`, {}).catch(complain);
}

/** Of a run that recorded only what some question needed. Events have other numbers in the new run, lines and hits have not. */
remedies.set('not-recorded', {
  text: 'Run it again and record everything',
  act() {
    const about = run.peek();
    const point = moment.peek()?.point;
    const { at } = address.peek();
    const place = point?.file && point.line ? `${point.file}:${point.line}${point.hit ? `#${point.hit}` : ''}` : undefined;
    const isNamed = at !== undefined && !/^[@P]\d+$/.test(at);
    go({ tab: 'runs' });
    if (about) void recordAgain(address.peek().run, about.command, isNamed ? at : place);
  },
});

async function start(path: string, body: unknown, words: string, done: (end: End) => void): Promise<void> {
  if (job.peek()) return say('a program is being run: stop it first');
  try {
    const { job: number } = await send<{ job: number }>('POST', path, body);
    job.value = { number, words, state: { events: 0, bytes: 0, output: '' } };
    follow(number, done);
  } catch (error) {
    complain(error);
  }
}

function follow(number: number, done: (end: End) => void): void {
  const events = new EventSource(`/api/jobs/${number}`);
  const isCurrent = (): boolean => job.peek()?.number === number;
  events.onmessage = (message) => {
    const state = JSON.parse(message.data as string) as JobJson;
    if (isCurrent()) job.value = { ...job.peek()!, state };
    if (!state.end) return;
    events.close();
    if (isCurrent()) job.value = undefined;
    if (state.end.kind === 'failed') complain(new Error(state.end.error));
    else done(state.end);
  };
  events.onerror = () => {
    events.close();
    if (isCurrent()) job.value = undefined;
    complain(new Error('the server does not answer any more'));
  };
}
