// The program, run again from the page.
import { signal } from '@preact/signals';
import { send } from '../api/client';
import { address, go } from './address';
import { moment } from './moment';
import { run } from './run';
import { complain, remedies, say } from './said';

export interface Job {
  number: number;
  command: string;
  events: number;
  bytes: number;
  output: string;
}

interface JobJson {
  events: number;
  bytes: number;
  output: string;
  end?: { kind: 'recorded'; run?: number; notes: string[] } | { kind: 'failed'; error: string };
}

export const job = signal<Job | undefined>(undefined);

/** Records the command of a run once more, and shows the new run when it is over: at a place, or where it failed or ended. */
export async function recordAgain(run: string | undefined, command: string[], at?: string): Promise<void> {
  try {
    const { job: number } = await send<{ job: number }>('POST', `/api/runs/${run ?? 'first'}/again`, {});
    job.value = { number, command: command.join(' '), events: 0, bytes: 0, output: '' };
    follow(number, at);
  } catch (error) {
    complain(error);
  }
}

export function cancel(): void {
  const current = job.peek();
  if (current) send('POST', `/api/jobs/${current.number}/cancel`, {}).catch(() => {});
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

function follow(number: number, at?: string): void {
  const events = new EventSource(`/api/jobs/${number}`);
  events.onmessage = (message) => {
    const state = JSON.parse(message.data as string) as JobJson;
    if (job.peek()?.number === number) job.value = { ...job.peek()!, events: state.events, bytes: state.bytes, output: state.output };
    if (!state.end) return;
    events.close();
    job.value = undefined;
    if (state.end.kind === 'failed') return complain(new Error(state.end.error));
    state.end.notes.forEach((note) => say(note));
    if (state.end.run !== undefined) go({ run: String(state.end.run), at, thread: undefined });
  };
  events.onerror = () => {
    events.close();
    job.value = undefined;
    complain(new Error('the server does not answer any more'));
  };
}
