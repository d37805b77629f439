// Requests to the server that the page came from. There is no other.
import type { AnswerJson, Document, NoneJson, Question } from './types';

/** Why there is no answer: a sentence for the person, and a name that stays. */
export class Refusal extends Error {
  constructor(readonly id: string, message: string) {
    super(message);
  }
}

export interface Asking {
  run?: string;
  /** The points of the answer get numbers that can be asked about anywhere. */
  numbered?: boolean;
  signal?: AbortSignal;
}

export interface Reply<A> {
  answer: A;
  notes: string[];
}

/** Asks; an answer that there is none is a refusal. The caller knows what kind of answer its question has. */
export async function ask<A extends AnswerJson>(question: Question, asking: Asking = {}): Promise<Reply<A>> {
  const { run, numbered, signal } = asking;
  const document = await send<Document>('POST', '/api/ask', { run, numbered, question }, signal);
  if (document.answer.kind === 'none') throw new Refusal('none', (document.answer as NoneJson).text);
  return { answer: document.answer as A, notes: document.notes };
}

export async function send<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await request(method, path, body === undefined ? undefined : JSON.stringify(body), {}, signal);
  return (await response.json()) as T;
}

export async function request(
  method: string,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      ...(body === undefined ? {} : { body }),
      headers: { 'content-type': 'application/json', ...headers },
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refusal('away', 'the server does not answer: `wherefore open` may have been ended');
  }
  if (response.ok) return response;
  const text = await response.text();
  let refusal = new Refusal('http', text.trim() || response.statusText);
  try {
    const { id, error } = JSON.parse(text) as { id: string; error: string };
    refusal = new Refusal(id, error);
  } catch {
    // What is not ours is shown as it is.
  }
  throw refusal;
}

export const isAborted = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

/** One question at a time: a newer one takes the place of the one before, which the server then gives up. */
export class Slot {
  #current: AbortController | undefined;

  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    this.#current?.abort();
    const own = new AbortController();
    this.#current = own;
    try {
      const result = await work(own.signal);
      return own.signal.aborted ? undefined : result;
    } catch (error) {
      if (own.signal.aborted || isAborted(error)) return undefined;
      throw error;
    }
  }

  cancel(): void {
    this.#current?.abort();
  }
}
