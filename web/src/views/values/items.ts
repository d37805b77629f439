// What can be asked about a value.
import { birth, lastChange, whatShouldHaveHappened, why } from '../../state/asking';
import { momentOfFrame, showHistory } from '../../state/history';
import type { MenuItem } from '../../widgets/menu';

export function valueItems(place: string, frame: number): MenuItem[] {
  return [
    { text: 'Last change', hint: 'l', act: () => void lastChange(place, frame) },
    { text: 'History', hint: 'h', act: () => showHistory(place, momentOfFrame(frame)) },
    { text: 'Why this value?', hint: 'w', act: () => void why(place, frame) },
    { text: 'What should have happened?', hint: 'o', act: () => void whatShouldHaveHappened(place, frame) },
    { text: 'Where was it born?', hint: 'b', act: () => void birth(place, frame) },
  ];
}

/** The same by a key, while the value is the active one. */
export function valueKey(key: string, place: string, frame: number): boolean {
  const item = valueItems(place, frame).find((one) => one.hint === key);
  item?.act();
  return item !== undefined;
}
