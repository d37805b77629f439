// Keys that work wherever the person is, but not while something is typed.
import { TABS, address, go } from '../state/address';
import { exception, lastCondition, mark, why } from '../state/asking';
import { here } from '../state/moment';
import { hitOfLine, step } from '../state/moving';
import { failure, lookAt } from '../state/run';
import { openHelp } from './Help';
import { openSearch } from './search/Search';

export function listen(): void {
  addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      openSearch();
      return;
    }
    const target = event.target as HTMLElement;
    const isTyping = target.closest('input, textarea, select, dialog') !== null;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    const act = actionOf(event.key, event.shiftKey);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function actionOf(key: string, shift: boolean): (() => void) | undefined {
  switch (key) {
    case 'F10':
      return () => step('over', shift);
    case 'F11':
      return () => step('into', shift);
    case 'F12':
      return () => step('out', shift);
    case '[':
    case ']':
      return () => {
        const point = here.peek();
        if (point?.file && point.line) void hitOfLine(point.file, point.line, key === '[');
      };
    case 'c':
      return () => void lastCondition();
    case 'x':
    case 'X':
      return () => void exception(shift);
    case 'W':
      return () => void why();
    case 'm':
      return mark;
    case 'g':
      return toFailure;
    case 'e':
      return () => go({ at: 'end', thread: address.peek().thread });
    case '?':
      return openHelp;
    default: {
      const tab = TABS[Number(key) - 1];
      return tab ? () => go({ tab }) : undefined;
    }
  }
}

function toFailure(): void {
  const looked = failure.peek();
  if (looked) lookAt(looked);
}
