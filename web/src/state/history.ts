import { type Moment, momentOf } from '../api/types';
import { address, go } from './address';
import { moment } from './moment';

/** Shows the history of a place as it is named at a moment: the one that is shown, if no other is given. */
export function showHistory(place: string, from: Moment = address.peek()): void {
  go({ tab: 'history', about: place, aboutAt: from.at, aboutThread: from.thread });
}

/** The moment from which places of a frame are named: an inner frame may have other variables of the same names. */
export function momentOfFrame(frame: number): Moment | undefined {
  const point = frame > 0 ? moment.peek()?.frames[frame]?.point : undefined;
  return point && momentOf(point);
}
