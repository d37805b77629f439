import type { Moment } from '../api/types';
import { address, go } from './address';

/** Shows the history of a place as it is named at a moment: the one that is shown, if no other is given. */
export function showHistory(place: string, at?: Moment): void {
  const from = at ?? { at: address.peek().at, thread: address.peek().thread };
  go({ ...(at ?? {}), tab: 'history', about: place, aboutAt: from.at, aboutThread: from.thread });
}
